import ObjectTransfer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Job {
    /// Uploads every file of a directory by one request each, several at a time.
    func sendAll(of directory: String) async throws -> Outcome {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
        let prefix = options.key.hasSuffix("/") ? options.key : options.key + "/"
        var options = transferOptions
        options.singleRequestLimit = .max
        var rest = names.makeIterator()
        let bytes = try await withThrowingTaskGroup(of: UInt64.self) { [options] group in
            func start() -> Bool {
                guard let name = rest.next() else { return false }
                group.addTask {
                    let source = try UploadSource.file("\(directory)/\(name)")
                    let target = ObjectLocation(bucket: self.options.bucket, key: prefix + name)
                    _ = try await engine.upload(source, to: target, using: backend, options: options).value
                    return source.source.length
                }
                return true
            }
            var running = 0
            while running < self.options.jobs, start() { running += 1 }
            var bytes: UInt64 = 0
            while let sent = try await group.next() {
                bytes += sent
                _ = start()
            }
            return bytes
        }
        return Outcome(bytes: bytes)
    }
}
