// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

var targets: [Target] = [
    .executableTarget(
        name: "transfer-bench", dependencies: [.product(name: "ObjectTransfer", package: "object-transfer")],
        swiftSettings: swiftSettings)
]

#if os(Linux)
    targets += [
        // The library's own CRC-64, which is no product of its package; a link to its folder.
        .target(name: "BenchChecksum"),
        .executableTarget(
            name: "bench-sink", dependencies: ["BenchChecksum"],
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .executableTarget(
            name: "bench-floor", dependencies: ["BenchChecksum"], linkerSettings: [.linkedLibrary("curl")]),
        .executableTarget(name: "bench-time"),
    ]
#endif

// Programs that `Benchmarks/run` measures the library by. They use its public interface alone.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "object-transfer", path: "..")],
    targets: targets
)
