extension TransferError {
    /// What happened. An open set: later versions may add codes.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, such as `notFound`. Stable: it may be logged and compared.
        public let rawValue: String
        /// A code of your own, for errors of your own backend.
        public init(rawValue: String) { self.rawValue = rawValue }
        private init(_ rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        // The caller

        /// An argument is out of range or contradicts another; `field` names it. Nothing was sent.
        public static let invalidArgument = Code("invalidArgument")
        /// The backend cannot do what was asked.
        public static let unsupported = Code("unsupported")

        // Life cycle

        /// Paused by a hook or a handle; the checkpoint, if any, resumes it.
        public static let paused = Code("paused")
        /// Aborted by a hook or a handle; nothing is left.
        public static let aborted = Code("aborted")
        /// The client was shut down.
        public static let disposed = Code("disposed")
        /// A cancel hook was used again after its task had ended.
        public static let cancelHookUsed = Code("cancelHookUsed")
        /// One request was cut because its transfer stopped.
        public static let cut = Code("cut")

        // Credentials

        /// The service denies access for good.
        public static let accessDenied = Code("accessDenied")
        /// The credentials have expired and could not be renewed.
        public static let credentialsExpired = Code("credentialsExpired")
        /// The access key or token is unknown to the service.
        public static let credentialsInvalid = Code("credentialsInvalid")
        /// The credentials provider failed; see `underlying`.
        public static let credentialsUnavailable = Code("credentialsUnavailable")
        /// The service computed another signature: wrong secret, or a proxy that changes requests.
        public static let signatureMismatch = Code("signatureMismatch")
        /// The clocks differ by more than the service accepts, also after adjusting.
        public static let clockSkew = Code("clockSkew")

        // State at the service

        /// There is no such object, bucket or version.
        public static let notFound = Code("notFound")
        /// There is no such multipart upload (any more).
        public static let uploadNotFound = Code("uploadNotFound")
        /// Renewed credentials name another target than the one that was begun.
        public static let targetMoved = Code("targetMoved")
        /// The source is no longer what it was when the transfer began.
        public static let sourceChanged = Code("sourceChanged")
        /// Another precondition failed, such as the ban on overwriting.
        public static let preconditionFailed = Code("preconditionFailed")
        /// The service does not allow this on this object.
        public static let methodNotAllowed = Code("methodNotAllowed")
        /// The source is archived and must be restored first.
        public static let sourceArchived = Code("sourceArchived")
        /// Source and target are in different regions.
        public static let crossRegion = Code("crossRegion")
        /// The request contradicts the state of the object.
        public static let conflict = Code("conflict")
        /// A part named in Complete is missing or another one.
        public static let invalidPart = Code("invalidPart")
        /// The object or a part is larger than the service takes.
        public static let tooLarge = Code("tooLarge")
        /// The request may have succeeded; it could not be found out.
        public static let outcomeUnknown = Code("outcomeUnknown")
        /// The object stands, but the callback that the service was to make failed; see `receipt`.
        public static let storedCallbackFailed = Code("storedCallbackFailed")
        /// The service refused for a reason that has no code here; see `service`.
        public static let refused = Code("refused")

        // Pressure

        /// The service asks to slow down.
        public static let throttled = Code("throttled")
        /// The service failed on its side.
        public static let serviceUnavailable = Code("serviceUnavailable")

        // Transport

        /// The host name could not be resolved.
        public static let hostNotFound = Code("hostNotFound")
        /// The connection could not be made, or broke.
        public static let connectionFailed = Code("connectionFailed")
        /// Nothing moved for too long.
        public static let timedOut = Code("timedOut")
        /// TLS failed: certificate, host name or protocol.
        public static let tlsFailed = Code("tlsFailed")
        /// The proxy refused.
        public static let proxyFailed = Code("proxyFailed")

        // Data

        /// The bytes at the service are not the bytes sent.
        public static let checksumMismatch = Code("checksumMismatch")
        /// The answer could not be understood.
        public static let malformedResponse = Code("malformedResponse")
        /// More or fewer bytes than promised.
        public static let lengthMismatch = Code("lengthMismatch")

        // The local machine

        /// A file could not be read.
        public static let fileUnreadable = Code("fileUnreadable")
        /// A file could not be written.
        public static let fileUnwritable = Code("fileUnwritable")
        /// The disk is full.
        public static let diskFull = Code("diskFull")
        /// Another task or process holds the checkpoint.
        public static let checkpointInUse = Code("checkpointInUse")
        /// The checkpoint was written by a newer version; it was left as it is.
        public static let checkpointUnsupported = Code("checkpointUnsupported")
        /// The checkpoint cannot be kept where the caller asked.
        public static let checkpointUnusable = Code("checkpointUnusable")
        /// Another worker took the checkpoint over; this one stopped.
        public static let checkpointLost = Code("checkpointLost")
    }
}
