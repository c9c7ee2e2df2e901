/// A multipart upload that a service has opened.
///
/// Carries the options it was opened with, because some of them must be repeated: customer-provided keys on every part,
/// a callback and the ban on overwriting when it is completed.
public struct MultipartUpload: Sendable, Hashable {
    /// The id that the service gave.
    public let id: String
    /// The object that will stand once the upload is completed.
    public let target: ObjectLocation
    /// What the object is to carry.
    public let options: ObjectOptions

    /// An upload that the service has opened.
    public init(id: String, target: ObjectLocation, options: ObjectOptions = ObjectOptions()) {
        self.id = id
        self.target = target
        self.options = options
    }
}
