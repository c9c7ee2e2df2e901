// swift-tools-version: 6.2
import PackageDescription

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
            swiftSettings: [
                .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
            ])
    ]
)
