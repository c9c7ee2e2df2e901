internal import TransferCore
internal import TransferService

extension OSSResumableCopyObjectInput {
    /// A copy that can begin: everything that can be refused without asking the service has been looked at.
    struct Checked {
        let source: ObjectLocation
        let target: ObjectLocation
        let objectOptions: ObjectOptions
        var options: TransferOptions
    }

    /// Bytes of a part where the caller names no size: OSS copies without moving bytes to and fro, so larger ones than for
    /// uploads.
    static let defaultPartSize: UInt64 = 64 << 20

    /// Throws `.invalidArgument` naming the field at fault, `.crossRegion` for a source that is known to be elsewhere.
    func checked(at rules: EndpointRules) throws -> Checked {
        let source = try ObjectLocation(checkedSourceBucket: srcBucket, key: srcKey, versionID: srcVersionID)
        let target = try ObjectLocation(checkedBucket: bucket, key: key)
        if let srcRegion, srcRegion != rules.region {
            throw TransferError(
                .crossRegion,
                "OSS copies inside one region: the source is in \(srcRegion), the endpoint in \(rules.region)",
                field: "srcRegion", provider: OSSProvider.name)
        }
        if rules.address.isCustomDomain, srcBucket != bucket {
            throw TransferError.invalidArgument(
                "srcBucket", "a custom domain stands for one bucket: copy from another one by the region's endpoint")
        }
        let objectOptions = try attributes.copyOptions()
        guard source != target || !carriesMetadata || objectOptions != ObjectOptions() else {
            throw TransferError.invalidArgument(
                "key",
                "copying an object onto itself changes nothing unless an attribute is given or carriesMetadata is off")
        }
        // Writes the headers of a part once: what cannot be sent later is refused now.
        var fields = HeaderFields()
        try fields.addCopySource(source, conditions: conditions)
        try fields.addTrafficLimit(trafficLimit)

        let settings = TransferSettings(
            partSize: partSize, parallel: parallel, maxRetryCount: maxRetryCount, pauseGrace: pauseGrace,
            enableCheckpoint: enableCheckpoint, checkpointFile: checkpointFile, checkpointStore: checkpointStore,
            cancelHook: cancelHook, onEvent: onEvent, onProgress: onProgress)
        var limits = OSSProvider.partLimits
        limits.defaultSize = Self.defaultPartSize
        var options = try settings.options(limits)
        options.carries = CarriedAttributes(metadata: carriesMetadata)
        return Checked(source: source, target: target, objectOptions: objectOptions, options: options)
    }
}
