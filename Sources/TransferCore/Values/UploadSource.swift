public import TransferPrimitives

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What is to be uploaded, and how to recognise it when the upload is resumed.
public struct UploadSource: Sendable {
    /// The bytes.
    public let source: any ByteSource
    /// The last path component of a file, or any name that tells this source from others.
    public let name: String
    /// When the bytes last changed; nil where that is not known.
    public let lastModified: Date?
    /// The full path of a file; advice only.
    public let path: String?
    /// Throws when the source is no longer what it was when it was opened.
    let recheck: @Sendable () throws -> Void

    /// A source of the caller's own.
    ///
    /// - Parameters:
    ///   - source: The bytes.
    ///   - name: Tells it from others; with its length and `lastModified` it is what a resume compares.
    ///   - lastModified: When its content last changed, where that is known.
    public init(_ source: any ByteSource, name: String, lastModified: Date? = nil) {
        self.source = source
        self.name = name
        self.lastModified = lastModified
        path = nil
        recheck = {}
    }

    /// The file at `path`, opened now; what is opened is what is sent, whatever happens to the path.
    ///
    /// - Throws: `TransferError` with `.fileUnreadable` and the field `path`, when there is no such file, it cannot be read, or
    ///   it is a directory, a pipe, a socket or a device.
    public static func file(_ path: String) throws -> UploadSource { UploadSource(file: try FileSource(path: path)) }

    /// Bytes in memory.
    public static func bytes(_ bytes: [UInt8], name: String) -> UploadSource {
        UploadSource(MemorySource(bytes), name: name)
    }

    package init(file: FileSource) {
        source = file
        name = file.name
        lastModified = file.lastModified
        path = file.path
        recheck = { try file.recheck() }
    }

    package var identity: SourceIdentity {
        SourceIdentity(size: source.length, lastModified: lastModified, fileName: name, path: path)
    }
}
