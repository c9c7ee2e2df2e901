import ExampleSupport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file of 64 MiB for whoever names none.
struct SampleFile {
    static let size: UInt64 = 64 << 20

    let path: String
    private let directory: String

    init() throws {
        directory = FileManager.default.temporaryDirectory.path + "/vod-upload-\(UInt64.random(in: 0 ... .max))"
        path = directory + "/sample.mp4"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        var generator = SystemRandomNumberGenerator()
        var bytes = Data(count: Int(Self.size))
        bytes.withUnsafeMutableBytes { buffer in
            for offset in stride(from: 0, to: buffer.count, by: 8) {
                buffer.storeBytes(of: generator.next(), toByteOffset: offset, as: UInt64.self)
            }
        }
        try bytes.write(to: URL(filePath: path))
    }

    func remove() { try? FileManager.default.removeItem(atPath: directory) }
}
