package import TransferPrimitives

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension TransferEngine {
    /// Downloads an object to a file, in parts, several at a time.
    ///
    /// The bytes go to `path` with `.part` at its end, which gets its whole size at once. When all are there, their CRC-64 has been
    /// compared with the service's, and they are durable, that file takes the name `path`, in place of any file that has it:
    /// nobody ever sees half an object there. Every part is asked for on condition that the object still is what it was.
    ///
    /// - Parameters:
    ///   - source: What to download.
    ///   - path: Where to, absolute or from the current directory. The directory must exist.
    ///   - backend: The service.
    ///   - options: Part size, concurrency, checkpoint, cancel hook, listener. A resumed download reads the parts that are
    ///     there again unless `checksLocalParts` is false; then a power cut may have damaged them unnoticed where the service
    ///     tells no CRC-64.
    /// - Returns: The running transfer. The receipt has the object's tag, size and CRC-64.
    /// - Throws: `TransferError` with `.invalidArgument`, `.fileUnwritable` or `.cancelHookUsed`, before any request.
    public func download(
        _ source: ObjectLocation, to path: String, using backend: some ReadableBackend,
        options: TransferOptions = TransferOptions()
    ) throws -> TransferHandle {
        try download(source, to: path, using: backend, options: options, fileSystem: LocalFileSystem())
    }

    package func download(
        _ source: ObjectLocation, to path: String, using backend: some ReadableBackend,
        options: TransferOptions = TransferOptions(), fileSystem: any FileSystem
    ) throws -> TransferHandle {
        try Self.check(options, limits: backend.capabilities.parts)
        try Self.check(source, named: "source")
        let path = try Self.checkedTarget(path, fileSystem)
        let work = DownloadWork(
            backend: backend, source: source, path: path, partSize: options.partSize, clock: clock,
            fileSystem: fileSystem)
        let settings = TransferMachine.Settings(
            concurrency: options.concurrency, keepsCheckpoint: options.checkpoint.isKept,
            abortsOnDenial: options.abortsOnDenial, checksLocalParts: options.checksLocalParts)
        let id = CheckpointID(downloadOf: source, to: path, at: backend.provider)
        return try start(work, id: id, settings: settings, options: options)
    }

    /// The absolute path. Throws `.fileUnwritable` where no file can come to stand, naming `path`.
    private static func checkedTarget(_ path: String, _ fileSystem: any FileSystem) throws(TransferError) -> String {
        guard !path.isEmpty, !path.utf8.contains(0), !path.hasSuffix("/") else {
            throw TransferError(.fileUnwritable, "the path is empty, holds a NUL or ends in a slash", field: "path")
        }
        let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        do {
            let directory = DownloadFile.directory(of: absolute)
            guard try fileSystem.status(at: directory)?.kind == .directory else {
                throw TransferError(.fileUnwritable, "there is no directory '\(directory)'", field: "path")
            }
            guard try [nil, .file].contains(fileSystem.status(at: absolute)?.kind) else {
                throw TransferError(.fileUnwritable, "'\(absolute)' is there and is no file", field: "path")
            }
            try fileSystem.checkWritable(directory: directory)
        } catch let error as TransferError {
            throw error
        } catch {
            throw TransferError(.fileUnwritable, "\(error)", field: "path", underlying: error)
        }
        return absolute
    }
}
