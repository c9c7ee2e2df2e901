import Testing
import TransferHTTP
import TransferService

/// A body is judged by itself; its type decides only between XML and HTML.
@Suite struct BodyFormatTests {
    @Test(arguments: [
        ("{}", "text/html", BodyFormat.json), ("<a/>", "application/json", .xml), ("<html>", "text/html", .other),
        ("<html>", "Text/HTML; charset=utf-8", .other), (" \r\n\t<a/>", "", .xml), ("\u{FEFF}\n{", "", .json),
        ("", "application/xml", .other), ("  \n", "application/json", .other), ("busy", "application/json", .other),
        ("[]", "application/json", .other),
    ])
    func `a body tells its language`(body: String, type: String, format: BodyFormat) throws {
        var headers = HTTPHeaders()
        try headers.append("Content-Type", type)
        #expect(BodyFormat(of: HTTPResponse(status: 200, headers: headers, body: Array(body.utf8))) == format)
    }

    @Test func `blanks and one byte order mark are trimmed`() {
        #expect(Array(BodyFormat.trimmed(Array(" \n\u{FEFF} {} ".utf8))) == Array("{} ".utf8))
        #expect(BodyFormat.trimmed([]).isEmpty)
    }
}
