import TransferCore

/// One request on its way to the simulated service.
enum ServiceRequest: Sendable {
    case head(ObjectLocation)
    case put(ObjectLocation, [UInt8])
    case copy(ObjectLocation, to: ObjectLocation, ifMatch: ETag?)
    case create(ObjectLocation)
    case part(Int, upload: String, [UInt8])
    case copyPart(Int, upload: String, from: ObjectLocation, ByteRange, ifMatch: ETag?)
    case list(upload: String)
    case complete(upload: String, [CompletedPart])
    case abort(upload: String)
    case get(ObjectLocation, ByteRange, ifMatch: ETag?)

    /// Whether it may be sent again after an attempt that may have acted.
    var isIdempotent: Bool { if case .create = self { false } else { true } }

    var uploadID: String? {
        switch self {
        case .part(_, let id, _), .copyPart(_, let id, _, _, _), .list(let id), .complete(let id, _), .abort(let id): id
        default: nil
        }
    }

    var partNumber: Int? {
        switch self {
        case .part(let number, _, _), .copyPart(let number, _, _, _, _): number
        default: nil
        }
    }

    var label: String {
        let name =
            switch self {
            case .head: "head"
            case .put: "put"
            case .copy: "copy"
            case .create: "create"
            case .part: "part"
            case .copyPart: "copyPart"
            case .list: "list"
            case .complete: "complete"
            case .abort: "abort"
            case .get(_, let range, _): "get \(range.offset)"
            }
        return ([name] + (partNumber.map { ["\($0)"] } ?? []) + (uploadID.map { ["of \($0)"] } ?? []))
            .joined(separator: " ")
    }
}

/// What the service says to a request that it performed.
enum ServiceAnswer: Sendable {
    case info(ObjectInfo)
    case receipt(TransferReceipt)
    case upload(String)
    case part(CompletedPart)
    case parts([CompletedPart])
    case done
    case bytes([UInt8], ObjectInfo)
}
