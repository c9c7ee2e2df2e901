import Foundation
import Testing
import TransferPrimitives

@testable import TransferCore

@Suite struct TransferErrorTests {
    static let full = TransferError(
        .refused, "the service\r\nsaid\u{2028}no", field: "partSize", operation: "UploadPartCopy", provider: "tos",
        object: ObjectLocation(bucket: "b", key: "line\nbreak", versionID: "v"),
        service: ServiceInfo(
            status: 403, code: "AccessDenied", message: "m", requestID: "r1\nx", hostID: "h1", ec: "0003-00000001"),
        part: 7, uploadID: "u1", attempts: 3, receipt: TransferReceipt(etag: ETag("\"e\"")),
        underlying: TransferError(.timedOut, "beneath"))

    @Test func theDescriptionIsOneLineWithEveryFact() {
        let text = Self.full.description
        #expect(!text.contains { $0.isNewline })
        for fact in [
            "refused", "said", "field=partSize", "operation=UploadPartCopy", "provider=tos", "part=7", "uploadId=u1",
            "status=403", "serviceCode=AccessDenied", "requestId=r1", "hostId=h1", "ec=0003-00000001", "attempts=3",
        ] {
            #expect(text.contains(fact), "\(fact) in \(text)")
        }
        #expect("\(TransferError(.paused, "stopped"))" == "paused: stopped")
        #expect(!TransferError(.refused, "once", attempts: 1).description.contains("attempts"))
    }

    /// What a service says may be what somebody else sent, and a terminal that shows a log obeys it.
    @Test(
        arguments: ["\u{1B}", "\u{7}", "\u{0}", "\u{8}", "\u{7F}", "\u{9B}", "\u{202E}", "\u{2066}"] as [Unicode.Scalar]
    )
    func noControlCharacterIsTold(_ control: Unicode.Scalar) {
        let text = "a\(control)[2Jb"
        let error = TransferError(
            .refused, text, object: ObjectLocation(bucket: "b", key: text),
            service: ServiceInfo(status: 403, code: text, message: text, requestID: text),
            underlying: TransferError(.timedOut, text))
        for told in [error.description, error.debugDescription, error.localizedDescription] {
            #expect(!told.unicodeScalars.contains(control), "\(told.debugDescription)")
            #expect(told.contains("a\u{FFFD}[2Jb"))
        }
    }

    @Test func theShortFormHasBoundedVariety() {
        #expect(Self.full.shortDescription == "refused UploadPartCopy 403")
        #expect(TransferError(.timedOut, "anything").shortDescription == "timedOut")
        var other = Self.full
        other.message = "else"
        other.uploadID = "u2"
        other.part = 9
        other.service?.requestID = "r2"
        other.object = nil
        #expect(other.shortDescription == Self.full.shortDescription)
    }

    @Test func theLongFormTellsTheCauses() {
        let text = Self.full.debugDescription
        #expect(text.contains("caused by:"))
        #expect(text.contains("timedOut: beneath"))
        #expect(text.contains("etag e"))
        #expect(text.contains("retry"))
        #expect("\(String(reflecting: Self.full))" == text)
    }

    /// A key never shows, whatever it is wrapped in.
    @Test func keysAreNeverPrinted() {
        let secret = Array("this-is-a-secret-key-of-32-bytes".utf8)
        let key = EncryptionKey(secret)
        let options = ObjectOptions(attributes: ObjectAttributes(encryption: .customerKey(key)))
        let upload = MultipartUpload(id: "u", target: ObjectLocation(bucket: "b", key: "k"), options: options)
        var dumped = ""
        dump(upload, to: &dumped)
        struct Wrapped: Error { let options: ObjectOptions }
        let error = TransferError(wrapping: Wrapped(options: options), as: .refused)
        let texts = [
            "\(key)", String(reflecting: key), "\(options)", String(reflecting: options), "\(upload)",
            String(reflecting: upload), dumped, "\(error)", String(reflecting: error), error.shortDescription,
        ]
        // As text, as a list of numbers, and as hex.
        let spellings = [
            "this-is-a-secret", secret.map(String.init).joined(separator: ", "),
            "\(secret[0]), \(secret[1]), \(secret[2])",
            Hex.encode(secret), Base64.encode(secret),
        ]
        for text in texts { for spelling in spellings { #expect(!text.contains(spelling), "\(text)") } }
        #expect("\(key)" == "EncryptionKey(32 bytes)")
    }

    @Test func wrappingKeepsWhatIsKnown() {
        let mine = TransferError(.timedOut, "mine")
        #expect(TransferError(wrapping: mine, as: .refused).code == .timedOut)
        #expect(TransferError(wrapping: CancellationError(), as: .refused).code == .cut)
        let full = SystemCallError(call: "write", path: "/x", number: 28)
        #expect(TransferError(wrapping: full, as: .checkpointUnusable).code == .diskFull)
        let denied = SystemCallError(call: "open", path: "/x", number: 13)
        let wrapped = TransferError(wrapping: denied, as: .checkpointUnusable)
        #expect(wrapped.code == .checkpointUnusable)
        #expect(wrapped.underlying as? SystemCallError == denied)
        #expect(wrapped.message.contains("/x"))
        struct Own: Error {}
        #expect(TransferError(wrapping: Own(), as: .outcomeUnknown).code == .outcomeUnknown)
    }

    @Test func badArgumentsNameTheField() {
        let error = TransferError.invalidArgument("partSize", "too small")
        #expect(error.code == .invalidArgument)
        #expect(error.field == "partSize")
        #expect(error.retry == .never)
        #expect(error.attempts == 0)
    }

    /// What Foundation shows of an error that says nothing is that it could not be completed.
    @Test func theLocalizedDescriptionIsTheDescription() {
        let error: any Error = Self.full
        #expect(error.localizedDescription == Self.full.description)
    }

    /// A refusal that came by an application's closure has no status.
    @Test func aStatusThatIsNoneIsLeftOut() {
        let error = TransferError(
            .credentialsUnavailable, "m", operation: "getAuth", service: ServiceInfo(status: 0, code: "Forbidden"))
        #expect("\(error)" == "credentialsUnavailable: m [operation=getAuth serviceCode=Forbidden]")
        #expect(error.shortDescription == "credentialsUnavailable getAuth")
        #expect(!error.debugDescription.contains("status"))
    }

    @Test func underAHeadingNoCodeIsSaidTwice() {
        let error = TransferError(
            .accessDenied, "AccessDenied: no right to do so", service: ServiceInfo(status: 403, code: "AccessDenied"))
        #expect(error.line(under: "AccessDenied") == "no right to do so [status=403]")
        #expect(
            error.line(under: "PermissionDenied")
                == "accessDenied: AccessDenied: no right to do so [status=403 serviceCode=AccessDenied]")
        #expect(error.line(under: nil) == error.description)
    }
}
