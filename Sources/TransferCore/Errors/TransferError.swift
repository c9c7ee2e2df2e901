public import TransferPrimitives

/// What went wrong, where, and what to do about it.
///
/// `code` says what happened, `retry` whether repeating can help: two separate facts. Switch on `code`; it is an open
/// set, so keep a default branch. `description` is one line without secrets; `debugDescription` shows everything;
/// `shortDescription` has bounded variety and suits metric labels.
public struct TransferError: Error, Sendable {
    /// What happened.
    public var code: Code
    /// One sentence for people.
    public var message: String
    /// Whether, and how, repeating can help.
    public var retry: RetryAdvice
    /// The argument at fault, by its public name, for `invalidArgument`.
    public var field: String?
    /// The step that failed, such as `UploadPartCopy`.
    public var operation: String?
    /// The backend's `provider`.
    public var provider: String?
    /// The object the step was about.
    public var object: ObjectLocation?
    /// What the service answered.
    public var service: ServiceInfo?
    /// The part number, from 1.
    public var part: Int?
    /// The multipart upload that is still open at the service, or was when this happened.
    public var uploadID: String?
    /// How often the request was sent; 0 when it never was.
    public var attempts: Int
    /// What the object looks like, where it stands in spite of the error (`storedCallbackFailed`, `checksumMismatch`).
    public var receipt: TransferReceipt?
    /// What was thrown below, if anything. It may hold more than `description` shows.
    public var underlying: (any Error)?
    /// Whether it is certain that the service did nothing of what was asked, in any attempt.
    package var isWithoutEffect = false

    /// Everything that is not given is absent.
    public init(
        _ code: Code, _ message: String, retry: RetryAdvice = .never, field: String? = nil, operation: String? = nil,
        provider: String? = nil, object: ObjectLocation? = nil, service: ServiceInfo? = nil, part: Int? = nil,
        uploadID: String? = nil, attempts: Int = 0, receipt: TransferReceipt? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.retry = retry
        self.field = field
        self.operation = operation
        self.provider = provider
        self.object = object
        self.service = service
        self.part = part
        self.uploadID = uploadID
        self.attempts = attempts
        self.receipt = receipt
        self.underlying = underlying
    }

    /// An argument that was refused before any request.
    public static func invalidArgument(_ field: String, _ message: String) -> TransferError {
        TransferError(.invalidArgument, message, field: field)
    }
}

/// What a service said of a failure.
public struct ServiceInfo: Sendable, Hashable {
    /// The HTTP status; 0 where the refusal came by another way, and is then not printed.
    public var status: Int
    /// The service's own code, such as `NoSuchUpload`; nil when the answer had none.
    public var code: String?
    /// The service's message, with secrets taken out.
    public var message: String?
    /// The request's id, for the service's support.
    public var requestID: String?
    /// The second id for the service's support (`x-tos-id-2`, `HostId`).
    public var hostID: String?
    /// The service's fine-grained error code (EC), for messages only.
    public var ec: String?

    /// Everything that is not given is absent.
    public init(
        status: Int, code: String? = nil, message: String? = nil, requestID: String? = nil, hostID: String? = nil,
        ec: String? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.requestID = requestID
        self.hostID = hostID
        self.ec = ec
    }
}
