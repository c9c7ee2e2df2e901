import ObjectTransfer

/// One event as a line of JSON.
struct JSONLine {
    let text: String

    init?(_ event: TransferEvent) {
        switch event {
        case .checkpointClaimed(let location, _): self.init("checkpointClaimed", [("location", .text(location))])
        case .partSizeRaised(let from, let to):
            self.init("partSizeRaised", [("from", .number(from)), ("to", .number(to))])
        case .resumed(let uploadID, let parts, let bytes):
            self.init(
                "resumed",
                [("uploadId", .text(uploadID)), ("parts", .number(UInt64(parts))), ("bytes", .number(bytes))])
        case .restarted(let reason): self.init("restarted", [("reason", .text("\(reason)"))])
        case .uploadCreated(let uploadID): self.init("uploadCreated", [("uploadId", .text(uploadID))])
        case .uploadCreationFailed(let error): self.init("uploadCreationFailed", [("error", .text("\(error)"))])
        case .partCompleted(let part, let range):
            self.init("partCompleted", Self.part(part.number, range) + [("etag", .text(part.etag.bare))])
        case .partFailed(let number, let range, let error):
            self.init("partFailed", Self.part(number, range) + [("error", .text("\(error)"))])
        case .partCut(let number, let range): self.init("partCut", Self.part(number, range))
        case .tagsNotCarried(let count): self.init("tagsNotCarried", [("count", .number(count.map { UInt64($0) }))])
        case .uploadLeftBehind(let uploadID, _): self.init("uploadLeftBehind", [("uploadId", .text(uploadID))])
        case .unrecorded(let error): self.init("unrecorded", [("error", .text("\(error)"))])
        case .stopping(let error): self.init("stopping", [("error", .text("\(error)"))])
        case .completionFailed(let error): self.init("completionFailed", [("error", .text("\(error)"))])
        case .progress(let progress):
            self.init(
                "progress",
                [("completedBytes", .number(progress.completedBytes)), ("totalBytes", .number(progress.totalBytes))])
        case .completed(let receipt):
            self.init(
                "completed",
                [
                    ("etag", .text(receipt.etag.bare)), ("crc64", .text(receipt.checksums.crc64.map(String.init))),
                    ("verification", .text("\(receipt.verification)")), ("requestId", .text(receipt.requestID)),
                ])
        @unknown default: return nil
        }
    }

    private enum Value {
        case text(String?)
        case number(UInt64?)
    }

    private init(_ event: String, _ fields: [(String, Value)]) {
        var members = [#""event":"# + Self.quoted(event)]
        for (name, value) in fields {
            switch value {
            case .text(let text?): members.append("\(Self.quoted(name)):\(Self.quoted(text))")
            case .number(let number?): members.append("\(Self.quoted(name)):\(number)")
            case .text(nil), .number(nil): break
            }
        }
        text = "{" + members.joined(separator: ",") + "}"
    }

    private static func part(_ number: Int, _ range: ByteRange) -> [(String, Value)] {
        [("part", .number(UInt64(number))), ("offset", .number(range.offset)), ("length", .number(range.length))]
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
