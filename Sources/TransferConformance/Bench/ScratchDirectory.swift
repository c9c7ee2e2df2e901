internal import TransferCore
internal import TransferPrimitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A directory for downloads, gone with the last reference.
final class ScratchDirectory: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/transfer-conformance-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { path + "/" + name }

    /// The names of the files in it.
    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }

    /// Expects exactly `content` in a file.
    func expectFile(_ name: String, is content: GeneratedSource) throws {
        let file = try FileSource(path: path(name))
        let sink = ComparingSink(content, range: ByteRange(offset: 0, length: content.length))
        var offset: UInt64 = 0
        while offset < file.length {
            let count = try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
                let count = try file.read(at: offset, into: buffer)
                try sink.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset)
                return count
            }
            offset += UInt64(count)
        }
        try sink.finish()
    }
}
