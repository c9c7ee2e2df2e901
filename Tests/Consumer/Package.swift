// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
]

// A package that uses the library as its users do: by its products, through its public interface.
let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "object-transfer", path: "../..")],
    targets: [
        .executableTarget(
            name: "QuickStart",
            dependencies: [
                .product(name: "ObjectTransfer", package: "object-transfer"),
                .product(name: "ObjectStoreStub", package: "object-transfer"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "QuickStartTests",
            dependencies: [
                .product(name: "ObjectTransfer", package: "object-transfer"),
                .product(name: "ObjectStoreStub", package: "object-transfer"),
            ],
            swiftSettings: swiftSettings),
    ]
)
