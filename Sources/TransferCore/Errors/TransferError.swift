public import TransferPrimitives

/// What went wrong, where, and what to do about it.
///
/// `code` says what happened, `retry` whether repeating can help: two separate facts. Switch on `code`; it is an open
/// set, so keep a default branch. `description` is one line without secrets; `debugDescription` shows everything;
/// `shortDescription` has bounded variety and suits metric labels.
///
/// An error is as small as a reference: whatever may fail keeps room for one, in each of a thousand tasks.
public struct TransferError: Error, Sendable {
    /// What happened.
    public var code: Code {
        get { facts.value.code }
        set { facts.value.code = newValue }
    }
    /// One sentence for people.
    public var message: String {
        get { facts.value.message }
        set { facts.value.message = newValue }
    }
    /// Whether, and how, repeating can help.
    public var retry: RetryAdvice {
        get { facts.value.retry }
        set { facts.value.retry = newValue }
    }
    /// The argument at fault, by its public name, for `invalidArgument`.
    public var field: String? {
        get { facts.value.field }
        set { facts.value.field = newValue }
    }
    /// The step that failed, such as `UploadPartCopy`.
    public var operation: String? {
        get { facts.value.operation }
        set { facts.value.operation = newValue }
    }
    /// The backend's `provider`.
    public var provider: String? {
        get { facts.value.provider }
        set { facts.value.provider = newValue }
    }
    /// The object the step was about.
    public var object: ObjectLocation? {
        get { facts.value.object }
        set { facts.value.object = newValue }
    }
    /// What the service answered.
    public var service: ServiceInfo? {
        get { facts.value.service }
        set { facts.value.service = newValue }
    }
    /// The part number, from 1.
    public var part: Int? {
        get { facts.value.part }
        set { facts.value.part = newValue }
    }
    /// The multipart upload that is still open at the service, or was when this happened.
    public var uploadID: String? {
        get { facts.value.uploadID }
        set { facts.value.uploadID = newValue }
    }
    /// How often the request was sent; 0 when it never was.
    public var attempts: Int {
        get { facts.value.attempts }
        set { facts.value.attempts = newValue }
    }
    /// What the object looks like, where it stands in spite of the error (`storedCallbackFailed`, `checksumMismatch`).
    public var receipt: TransferReceipt? {
        get { facts.value.receipt }
        set { facts.value.receipt = newValue }
    }
    /// What was thrown below, if anything. It may hold more than `description` shows.
    public var underlying: (any Error)? {
        get { facts.value.underlying }
        set { facts.value.underlying = newValue }
    }
    /// Whether it is certain that the service did nothing of what was asked, in any attempt.
    package var isWithoutEffect: Bool {
        get { facts.value.isWithoutEffect }
        set { facts.value.isWithoutEffect = newValue }
    }

    private var facts: Boxed<Facts>

    private struct Facts: Sendable {
        var code: Code
        var message: String
        var retry: RetryAdvice
        var field: String?
        var operation: String?
        var provider: String?
        var object: ObjectLocation?
        var service: ServiceInfo?
        var part: Int?
        var uploadID: String?
        var attempts: Int
        var receipt: TransferReceipt?
        var underlying: (any Error)?
        var isWithoutEffect: Bool
    }

    /// Everything that is not given is absent.
    public init(
        _ code: Code, _ message: String, retry: RetryAdvice = .never, field: String? = nil, operation: String? = nil,
        provider: String? = nil, object: ObjectLocation? = nil, service: ServiceInfo? = nil, part: Int? = nil,
        uploadID: String? = nil, attempts: Int = 0, receipt: TransferReceipt? = nil, underlying: (any Error)? = nil
    ) {
        facts = Boxed(
            Facts(
                code: code, message: message, retry: retry, field: field, operation: operation, provider: provider,
                object: object, service: service, part: part, uploadID: uploadID, attempts: attempts, receipt: receipt,
                underlying: underlying, isWithoutEffect: false))
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
