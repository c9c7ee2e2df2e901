// swift-tools-version: 6.2
import PackageDescription

// `TRANSFER_STRICT=1` turns every warning into an error; continuous integration sets it together with a build path of its own.
let strict = Context.environment["TRANSFER_STRICT"] == "1"

let swiftSettings: [SwiftSetting] =
    [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (strict ? [.treatAllWarnings(as: .error)] : [])

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func program(_ name: String, path: String? = nil, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: swiftSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

let package = Package(
    name: "object-transfer",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "ObjectTransfer", targets: ["ObjectTransfer"]),
        .library(name: "TransferCore", targets: ["TransferCore"]),
        .library(name: "VolcanoTOS", targets: ["VolcanoTOS"]),
        .library(name: "AmazonS3", targets: ["AmazonS3"]),
        .library(name: "AliyunOSS", targets: ["AliyunOSS"]),
        .library(name: "AliyunVOD", targets: ["AliyunVOD"]),
        .library(name: "ObjectStoreStub", targets: ["ObjectStoreStub"]),
        .library(name: "TransferConformance", targets: ["TransferConformance"]),
        .executable(name: "object-store-stub", targets: ["object-store-stub"]),
        .executable(name: "Examples/ResumableCopy", targets: ["ResumableCopy"]),
        .executable(name: "ResumableCopy", targets: ["ResumableCopy"]),
        .executable(name: "Examples/MultipartCopy", targets: ["MultipartCopy"]),
        .executable(name: "MultipartCopy", targets: ["MultipartCopy"]),
        .executable(name: "Examples/VODUpload", targets: ["VODUpload"]),
        .executable(name: "VODUpload", targets: ["VODUpload"]),
        .executable(name: "Examples/S3Transfer", targets: ["S3Transfer"]),
        .executable(name: "S3Transfer", targets: ["S3Transfer"]),
        .executable(name: "simulate", targets: ["simulate"]),
        .executable(name: "bench-micro", targets: ["bench-micro"]),
    ],
    targets: [
        // L0: system libraries and checksums in C
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(
            name: "CLibXML2", pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
        .systemLibrary(name: "CFileSystem"),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .target(name: "CChecksum"),

        // L1: leaves
        library("TransferPrimitives", ["CChecksum", "CFileSystem", "COpenSSL"]),
        library("TransferXML", ["CLibXML2"]),

        // L2: the domain, and HTTP as values and layers; neither knows the other
        library("TransferCore", ["TransferPrimitives"]),
        library("TransferHTTP", ["TransferPrimitives"]),

        // L3: the transport
        library("TransferCurl", ["TransferHTTP", "TransferPrimitives", "CCurl"]),

        // L4: what clients of object services have in common, whatever the service
        library("TransferService", ["TransferCore", "TransferHTTP", "TransferCurl", "TransferPrimitives"]),

        // L5: the operations of services that speak like S3, as values of one dialect
        library(
            "S3Wire", ["TransferService", "TransferCore", "TransferHTTP", "TransferXML", "TransferPrimitives"]),

        // L6: one folder per provider
        library(
            "VolcanoTOS",
            ["S3Wire", "TransferService", "TransferCore", "TransferHTTP", "TransferCurl", "TransferPrimitives"]),
        library(
            "AmazonS3",
            ["S3Wire", "TransferService", "TransferCore", "TransferHTTP", "TransferCurl", "TransferPrimitives"]),
        library(
            "AliyunOSS",
            ["TransferService", "TransferCore", "TransferHTTP", "TransferCurl", "TransferXML", "TransferPrimitives"]),

        // L7: the uploader over one of them
        library(
            "AliyunVOD",
            ["AliyunOSS", "TransferService", "TransferCore", "TransferHTTP", "TransferCurl", "TransferPrimitives"]),

        // L8: umbrella
        library(
            "ObjectTransfer",
            [
                "TransferCore", "TransferHTTP", "TransferCurl", "VolcanoTOS", "AmazonS3", "AliyunOSS",
                "AliyunVOD", "TransferPrimitives",
            ]
        ),

        // The local object server: shares digests with the library and nothing else
        library("ObjectStoreStub", ["TransferPrimitives"]),
        program("object-store-stub", ["ObjectStoreStub"]),

        // What every backend must do, as checks that its author runs
        library("TransferConformance", ["TransferCore", "TransferPrimitives"]),

        // Examples
        .target(
            name: "ExampleSupport", dependencies: ["ObjectTransfer"], path: "Examples/Support",
            swiftSettings: swiftSettings),
        program(
            "ResumableCopy", path: "Examples/ResumableCopy", ["ObjectTransfer", "ObjectStoreStub", "ExampleSupport"]),
        program(
            "MultipartCopy", path: "Examples/MultipartCopy", ["ObjectTransfer", "ObjectStoreStub", "ExampleSupport"]),
        program("VODUpload", path: "Examples/VODUpload", ["ObjectTransfer", "ObjectStoreStub", "ExampleSupport"]),
        program("S3Transfer", path: "Examples/S3Transfer", ["ObjectTransfer", "ObjectStoreStub", "ExampleSupport"]),

        // Single steps of transfers, timed; the other benchmarks are a package of their own
        program(
            "bench-micro", path: "Benchmarks/Micro",
            [
                "AliyunOSS", "VolcanoTOS", "TransferCore", "TransferHTTP", "TransferPrimitives", "CChecksum",
            ]),

        // Tests
        .target(
            name: "TestSupport", dependencies: ["TransferPrimitives", "TransferCore"], path: "Tests/TestSupport",
            swiftSettings: swiftSettings),
        // A local server with a client of it, for the tests that need both
        .target(
            name: "StubFixtures",
            dependencies: ["ObjectTransfer", "ObjectStoreStub", "TransferPrimitives", "TestSupport"],
            path: "Tests/StubFixtures", swiftSettings: swiftSettings),
        // Histories of transfers by the real engine over a simulated service, disk, clock and process; the program takes the
        // runtime's jobs over, so nothing else can be in its process
        .target(name: "CSimulation", path: "Tests/CSimulation"),
        .target(
            name: "Simulation",
            dependencies: ["CSimulation", "TransferCore", "TransferHTTP", "TransferPrimitives", "TestSupport"],
            path: "Tests/Simulation", swiftSettings: swiftSettings),
        program("simulate", path: "Tests/SimulationProgram", ["Simulation"]),
        tests("SimulationTests", ["Simulation", "TestSupport", "simulate"]),
        tests("TransferCoreTests", ["TransferCore", "TransferPrimitives", "TestSupport"]),
        program(
            "FileTransferProgram", path: "Tests/FileTransferProgram",
            ["ObjectTransfer", "ExampleSupport", "TestSupport"]),
        // Throw-away certificates and TLS in front of the local server; OpenSSL's headers stay behind the C target's
        .target(
            name: "CTestTLS", dependencies: ["COpenSSL"], path: "Tests/CTestTLS",
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(
            name: "TLSSupport", dependencies: ["CTestTLS", "TransferPrimitives", "TestSupport"],
            path: "Tests/TLSSupport", swiftSettings: swiftSettings),
        // A client in a process of its own, whose memory, threads and descriptors are counted
        program("MeteredProgram", path: "Tests/MeteredProgram", ["ObjectTransfer"]),
        tests(
            "ProcessTests",
            [
                "ResumableCopy", "MultipartCopy", "VODUpload", "S3Transfer", "FileTransferProgram", "MeteredProgram",
                "object-store-stub", "ObjectStoreStub", "TransferPrimitives", "TestSupport",
            ]),
        tests("TransferPrimitivesTests", ["TransferPrimitives", "CChecksum", "TestSupport"]),
        tests("TransferHTTPTests", ["TransferHTTP", "TransferPrimitives", "TestSupport"]),
        tests(
            "TransferServiceTests",
            ["TransferService", "TransferCore", "TransferHTTP", "TransferPrimitives", "TestSupport"]),
        tests(
            "VolcanoTOSTests",
            [
                "VolcanoTOS", "S3Wire", "TransferService", "TransferCore", "TransferHTTP", "TransferPrimitives",
                "TestSupport",
            ]),
        tests("AmazonS3Tests", ["AmazonS3", "S3Wire", "TransferCore", "TransferHTTP"]),
        tests(
            "S3WireTests",
            ["S3Wire", "TransferService", "TransferCore", "TransferHTTP", "TransferXML", "TransferPrimitives"]),
        tests("TransferCurlTests", ["TransferCurl", "TransferHTTP", "TransferPrimitives", "CCurl", "TestSupport"]),
        tests(
            "ObjectStoreStubTests",
            ["ObjectStoreStub", "TransferPrimitives", "TestSupport", "object-store-stub"]),
        tests(
            "IntegrationTests",
            [
                "ObjectTransfer", "ObjectStoreStub", "TransferConformance", "TransferPrimitives", "StubFixtures",
                "TestSupport",
            ]),
        // What has failed users of such software in the field; docs/field-reports.md lists the tests
        tests(
            "FieldReportTests",
            [
                "ObjectTransfer", "ObjectStoreStub", "TransferCore", "TransferHTTP", "TransferCurl", "TransferService",
                "TransferPrimitives", "FileTransferProgram", "MeteredProgram", "object-store-stub", "StubFixtures",
                "TestSupport", "TLSSupport",
            ]),
        // Programs of others meet the library and the local server; only with what `make test-outside` installs
        tests(
            "OutsideTests",
            [
                "ObjectTransfer", "ObjectStoreStub", "TransferConformance", "TransferHTTP", "TransferCurl",
                "TransferPrimitives", "S3Transfer", "ResumableCopy", "StubFixtures", "TestSupport",
            ]),
        tests(
            "TransferConformanceTests", ["TransferConformance", "TransferCore", "TransferPrimitives", "TestSupport"]),
        tests("TransferXMLTests", ["TransferXML"]),
        tests(
            "AliyunOSSTests",
            [
                "AliyunOSS", "TransferService", "TransferCore", "TransferHTTP", "TransferCurl", "TransferPrimitives",
                "TestSupport",
            ]),
        tests(
            "AliyunVODTests",
            [
                "AliyunVOD", "AliyunOSS", "TransferCore", "TransferHTTP", "TransferCurl", "TransferPrimitives",
                "TestSupport",
            ]),
    ]
)

// `TRANSFER_FUZZ=1` adds the fuzz targets, which are linked with libFuzzer; `Fuzz/run` sets it together with a build path of its own.
if Context.environment["TRANSFER_FUZZ"] == "1" {
    package.targets += [
        .target(name: "CFuzzer", path: "Fuzz/CFuzzer"),
        program(
            "transfer-fuzz", path: "Fuzz/Targets",
            [
                "CFuzzer", "AliyunVOD", "AliyunOSS", "AmazonS3", "VolcanoTOS", "S3Wire", "TransferService",
                "TransferCurl", "TransferCore", "TransferHTTP", "TransferXML", "TransferPrimitives",
            ]),
    ]
}
