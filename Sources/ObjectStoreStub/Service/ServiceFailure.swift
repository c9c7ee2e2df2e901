/// A refusal, before a dialect has put it into a document of its own.
struct ServiceFailure: Error, Sendable {
    var status: Int
    var code: String
    var message: String
    /// The fine-grained code of services that have one.
    var ec: String?
    /// Further members of the document, such as the string to sign.
    var details: [(name: String, value: String)] = []
    /// Whether code and message are to go out as they are, whatever words the dialect has of its own.
    var isVerbatim = false
    /// Further header lines, such as `Retry-After`.
    var fields: [WireAnswer.Field] = []
    /// What the log says about the cause, beyond what the client is told.
    var diagnosis: String?

    init(_ status: Int, _ code: String, _ message: String, ec: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.ec = ec
    }

    static func invalidArgument(_ message: String) -> ServiceFailure {
        ServiceFailure(400, "InvalidArgument", message, ec: "0014-00000044")
    }

    static let noSuchBucket = ServiceFailure(
        404, "NoSuchBucket", "The specified bucket does not exist.", ec: "0006-00000001")
    static let noSuchKey = ServiceFailure(404, "NoSuchKey", "The specified key does not exist.", ec: "0017-00000003")
    static let noSuchVersion = ServiceFailure(404, "NoSuchVersion", "The specified version does not exist.")
    static let noSuchUpload = ServiceFailure(404, "NoSuchUpload", "The specified multipart upload does not exist.")
    static let preconditionFailed = ServiceFailure(412, "PreconditionFailed", "A precondition did not hold.")
    static let notModified = ServiceFailure(304, "NotModified", "The object has not been modified.")
    static let invalidRange = ServiceFailure(416, "InvalidRange", "The range lies outside the object.")
    static let archived = ServiceFailure(
        403, "InvalidObjectState", "The object is archived and must be restored first.")
    static let objectExists = ServiceFailure(
        409, "ObjectAlreadyExists", "The object exists and may not be overwritten.", ec: "0017-00000004")
    static let wrongContentMD5 = ServiceFailure(
        400, "BadDigest", "The body does not have the Content-MD5 of the request.")
    static let wrongContentSHA256 = ServiceFailure(
        400, "ContentSHA256Mismatch", "The body does not have the SHA-256 of the request.")
    static let accessDenied = ServiceFailure(403, "AccessDenied", "Access denied.", ec: "0003-00000015")
    static let methodNotAllowed = ServiceFailure(405, "MethodNotAllowed", "The method is not allowed here.")
    static let notImplemented = ServiceFailure(501, "NotImplemented", "The test server does not know this request.")
    static let contentNotKept = ServiceFailure(501, "NotImplemented", "The test server kept only length and checksum.")
}
