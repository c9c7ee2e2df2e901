internal import AliyunOSS
internal import TransferCore
internal import TransferCurl

extension VODUploadConfig {
    /// Throws `.invalidArgument` naming the first field that cannot be.
    func check() throws(TransferError) {
        for (field, timeout) in [("timeout", timeout), ("authTimeout", authTimeout)] where timeout <= .zero {
            throw .invalidArgument(field, "\(timeout) is no time to wait")
        }
        guard maxRetryCount >= 0 else {
            throw .invalidArgument("maxRetryCount", "\(maxRetryCount) is negative")
        }
        guard VODRegion.isPlausible(region) else {
            throw .invalidArgument(
                "region", "\(region.debugDescription) is no region id; expected letters a–z, digits and hyphens")
        }
        try PartRules.check(partSize: partSize)
        try PartRules.check(parallel: parallel)
        if let checkpointDirectory, checkpointDirectory.isEmpty || checkpointDirectory.utf8.contains(0) {
            throw .invalidArgument(
                "checkpointDirectory", "the path is empty or holds a NUL; leave it nil for the default directory")
        }
    }

    /// Where records are kept; nil for none. Throws `.checkpointUnusable` when the user has no cache directory.
    func store() throws -> (any CheckpointStore)? {
        guard checkpoint else { return nil }
        if let checkpointStore { return checkpointStore }
        let field = "checkpointDirectory"
        guard let checkpointDirectory else { return try FileCheckpointStore.default(for: field) }
        // A path that ends in a slash is a directory, whether it exists yet or not.
        return FileCheckpointStore(
            path: checkpointDirectory.hasSuffix("/") ? checkpointDirectory : checkpointDirectory + "/", field: field)
    }

    var transport: TransportConfiguration {
        var transport = TransportConfiguration()
        transport.connectTimeout = timeout
        transport.idleTimeout = timeout
        transport.certificateAuthority = certificateAuthority
        transport.proxy = proxy
        transport.maxConnections = maxConnections
        return transport
    }
}

/// What part size and parallelism may be.
enum PartRules {
    /// Those of OSS, with the part size that VOD uploads have unless asked.
    static let limits: BackendCapabilities.PartLimits = {
        var limits = OSSProvider.partLimits
        limits.defaultSize = 1 << 20
        return limits
    }()

    /// Throws `.invalidArgument` naming `partSize`.
    static func check(partSize: Int?) throws(TransferError) {
        guard let partSize, partSize != 0 else { return }
        guard let size = UInt64(exactly: partSize), (limits.minimumSize...limits.maximumSize).contains(size) else {
            throw .invalidArgument(
                "partSize",
                """
                \(partSize) is outside \(limits.minimumSize)…\(limits.maximumSize) bytes (100 KiB to 5 GiB); 0 or nil \
                means 1 MiB
                """)
        }
    }

    /// Throws `.invalidArgument` naming `parallel`.
    static func check(parallel: Int) throws(TransferError) {
        guard (1...1000).contains(parallel) else {
            throw .invalidArgument("parallel", "\(parallel) is outside 1…1000")
        }
    }
}
