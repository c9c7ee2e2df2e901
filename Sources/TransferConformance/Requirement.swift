internal import TransferCore

/// What is expected of a backend, and what it must claim for that to be expected.
struct Requirement: Sendable {
    let name: String
    let needs: [Claim]
    let body: @Sendable (Bench) async throws -> Void

    init(_ name: String, needs: Claim..., body: @escaping @Sendable (Bench) async throws -> Void) {
        self.name = name
        self.needs = needs
        self.body = body
    }

    static var all: [Requirement] {
        capabilities + put + multipart + complete + listing + abort + reading + copying + partCopying + missing
            + cancellation + engineUpload + engineCopy + engineDownload
    }
}

/// Something that a backend, or whoever puts it to the test, may claim or not.
enum Claim: Sendable {
    case copies
    case isReadable
    case tellsCRC64
    case honoursCopyPreconditions
    case missingBucket
    case partsBeyondPage

    /// Nil when the claim is made.
    func reasonToSkip(_ backend: any TransferBackend, _ subject: ConformanceSubject) -> String? {
        switch self {
        case .copies: backend is any CopyBackend ? nil : "the backend is no CopyBackend"
        case .isReadable: backend is any ReadableBackend ? nil : "the backend is no ReadableBackend"
        case .tellsCRC64:
            backend.capabilities.checksums.contains(.crc64) ? nil : "capabilities.checksums does not name CRC-64"
        case .honoursCopyPreconditions:
            backend.capabilities.honoursCopyPreconditions
                ? nil : "capabilities.honoursCopyPreconditions says that they are not"
        case .missingBucket: subject.missingBucket == nil ? "the subject names no missingBucket" : nil
        case .partsBeyondPage: subject.partsBeyondPage == nil ? "the subject names no partsBeyondPage" : nil
        }
    }
}
