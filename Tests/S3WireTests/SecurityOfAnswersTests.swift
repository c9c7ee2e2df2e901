import Testing
import TransferCore
import TransferHTTP

@testable import S3Wire

/// XML has its own tests, in `HostileDocumentTests`.
@Suite("Security: answers in JSON") struct SecurityOfAnswersTests {
    /// As deep as an answer may be long.
    @Test(arguments: [#"{"Parts":["#, #"{"a":"#, #"{"Error":["#, "{\"Parts\":[{\"ETag\":"])
    func depthIsRefused(_ start: String) {
        let step = start.hasSuffix("[") ? "[" : #"{"a":"#
        let body = Array((start + String(repeating: step, count: 1_000_000)).utf8)
        #expect(body.count < 16 << 20)
        let answer = AnswerDocument<ListPartsDocument>(HTTPResponse(status: 200, body: body))
        #expect(answer?.document == nil && answer?.error == nil)
        let closed = body + Array(repeating: step == "[" ? UInt8(ascii: "]") : UInt8(ascii: "}"), count: 1_000_000)
        #expect(AnswerDocument<ListPartsDocument>(HTTPResponse(status: 200, body: closed))?.document == nil)
        #expect(S3FailureReader.document(in: HTTPResponse(status: 500, body: Array(body.prefix(64 << 10)))) == nil)
    }

    /// A number that no field holds makes the document unreadable and ends nothing.
    @Test(arguments: ["1e400", "-1", "99999999999999999999999", "1.5", "null", "\"1\"", "{}"])
    func numbersThatAreNoneEndNothing(_ number: String) {
        let body = #"{"Parts":[{"PartNumber":\#(number),"ETag":"a","Size":\#(number)}]}"#
        let document = AnswerDocument<ListPartsDocument>(HTTPResponse(status: 200, body: Array(body.utf8)))?.document
        #expect(document == nil || number == "null")
        #expect(document.map { PartsPage($0, S3Dialect.test.capabilities.parts).parts.isEmpty } ?? true)
    }
}
