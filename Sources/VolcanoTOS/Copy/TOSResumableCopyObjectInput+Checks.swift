internal import S3Wire
internal import TransferCore
internal import TransferHTTP

extension TOSResumableCopyObjectInput {
    /// A copy that can begin: everything that can be refused without asking the service has been looked at.
    struct Checked {
        let source: ObjectLocation
        let target: ObjectLocation
        let options: ObjectOptions
        /// Bytes; nil for the default.
        let partSize: UInt64?
        let concurrency: Int
    }

    /// Throws `.invalidArgument` naming the field at fault, `.unsupported` for one that
    /// `dialect` does not know, `.crossRegion` for a source that is known to be elsewhere.
    func checked(at rules: EndpointRules, _ dialect: S3Dialect) throws(TransferError) -> Checked {
        let source = try ObjectLocation(checkedSourceBucket: srcBucket, key: srcKey, versionID: srcVersionID)
        let target = try ObjectLocation(checkedBucket: bucket, key: key)
        if let srcRegion, srcRegion != rules.region {
            throw TransferError(
                .crossRegion,
                "TOS copies inside one region: the source is in \(srcRegion), the endpoint in \(rules.region)",
                field: "srcRegion", provider: TOSProvider.name)
        }
        if rules.address.style == .customDomain, srcBucket != bucket {
            throw .invalidArgument(
                "srcBucket", "a custom domain stands for one bucket: copy from another one by the region's endpoint")
        }
        let options = try attributes.options(dialect)
        guard source != target || carriesMetadata == false || options != ObjectOptions() else {
            throw .invalidArgument(
                "key",
                "copying an object onto itself changes nothing unless an attribute is given or carriesMetadata is off")
        }
        guard maxRetryCount >= 0 else { throw .invalidArgument("maxRetryCount", "\(maxRetryCount) is negative") }
        guard pauseGrace >= .zero else { throw .invalidArgument("pauseGrace", "\(pauseGrace) is negative") }
        try dialect.check(copySource: source, conditions: conditions.wire, key: copySourceSSECKey)
        try dialect.check(trafficLimit: trafficLimit)
        return Checked(
            source: source, target: target, options: options, partSize: try checkedPartSize(),
            concurrency: min(max(taskNum, 1), 1000))
    }

    private func checkedPartSize() throws(TransferError) -> UInt64? {
        if partSize == 0 { return nil }
        let limits = TOSProvider.partLimits
        guard let size = UInt64(exactly: partSize), (limits.minimumSize...limits.maximumSize).contains(size) else {
            throw .invalidArgument(
                "partSize",
                """
                \(partSize) is outside \(limits.minimumSize)…\(limits.maximumSize) bytes (5 MiB to 5 GiB); 0 means \
                \(limits.defaultSize) (20 MiB)
                """)
        }
        return size
    }
}
