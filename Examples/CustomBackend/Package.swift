// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
]

// A backend of one's own, written with nothing but the library's public interface.
let package = Package(
    name: "custom-backend",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "object-transfer", path: "../..")],
    targets: [
        .target(
            name: "FolderStore", dependencies: [.product(name: "ObjectTransfer", package: "object-transfer")],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "FolderTransfer",
            dependencies: ["FolderStore", .product(name: "ObjectTransfer", package: "object-transfer")],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "FolderStoreTests",
            dependencies: ["FolderStore", .product(name: "TransferConformance", package: "object-transfer")],
            swiftSettings: swiftSettings),
    ]
)
