import ObjectStoreStub
import Testing

/// A way to move an object, of one client. What a report asks for must hold in every flow that it touches.
enum Flow: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case ossUpload, ossCopy, ossDownload
    case tosUpload, tosCopy, tosDownload
    case tosS3Upload, tosS3Copy, tosS3Download
    case s3Upload, s3Copy, s3Download
    case vodUpload

    static let uploads: [Flow] = [.ossUpload, .tosUpload, .tosS3Upload, .s3Upload, .vodUpload]
    static let copies: [Flow] = [.ossCopy, .tosCopy, .tosS3Copy, .s3Copy]
    static let downloads: [Flow] = [.ossDownload, .tosDownload, .tosS3Download, .s3Download]
    /// Those with an upload in parts at the service.
    static let inParts = uploads + copies
    /// Those whose service tells the CRC-64 of what it stores.
    static let withCRC64: [Flow] = [.ossUpload, .ossCopy, .tosUpload, .tosCopy, .vodUpload]

    var testDescription: String { rawValue }

    var isUpload: Bool { Self.uploads.contains(self) }
    var isCopy: Bool { Self.copies.contains(self) }
    var isDownload: Bool { Self.downloads.contains(self) }

    /// The request that moves a part.
    var part: StoreOperation { isDownload ? .getObject : isCopy ? .uploadPartCopy : .uploadPart }

    /// The smallest that the client takes.
    var partSize: Int {
        switch self {
        case .ossUpload, .ossCopy, .ossDownload, .vodUpload: 100 << 10
        default: 5 << 20
        }
    }
}
