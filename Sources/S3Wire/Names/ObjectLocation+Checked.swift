package import TransferCore
package import TransferService

extension ObjectLocation {
    /// The same object; throws `.invalidArgument` naming the part of its name that cannot be.
    package init(
        checked object: ObjectLocation, _ buckets: NameRules.BucketNames = .label
    ) throws(TransferError) {
        try self.init(checkedBucket: object.bucket, key: object.key, versionID: object.versionID, buckets)
    }

    /// The object that these name; throws `.invalidArgument` naming the one that cannot be.
    package init(
        checkedBucket bucket: String, key: String, versionID: String? = nil, _ buckets: NameRules.BucketNames = .label
    ) throws(TransferError) {
        try NameRules.checkBucket(bucket, field: "bucket", buckets)
        try NameRules.checkKey(key, field: "key")
        try NameRules.checkVersion(versionID, field: "versionID")
        self.init(bucket: bucket, key: key, versionID: versionID)
    }

    /// The same of a copy's source.
    package init(
        checkedSourceBucket bucket: String, key: String, versionID: String? = nil,
        _ buckets: NameRules.BucketNames = .label
    ) throws(TransferError) {
        try NameRules.checkBucket(bucket, field: "srcBucket", buckets)
        try NameRules.checkKey(key, field: "srcKey")
        try NameRules.checkVersion(versionID, field: "srcVersionID")
        self.init(bucket: bucket, key: key, versionID: versionID)
    }
}
