import Testing
import TransferHTTP
import TransferService

/// What is quoted of a page that speaks in place of a service.
@Suite struct PageExcerptTests {
    private func excerpt(_ body: String, type: String? = "text/html") throws -> String? {
        var headers = HTTPHeaders()
        if let type { try headers.append("Content-Type", type) }
        return HTTPResponse(status: 502, headers: headers, body: Array(body.utf8)).excerpt(ofPageInPlaceOf: "X")
    }

    @Test func `a page is named, and its beginning is on one line`() throws {
        #expect(
            try excerpt("<h1>\n Bad\tday</h1>\n")
                == "an answer of text/html that is no document of X: <h1> Bad day</h1>")
        #expect(try excerpt("busy", type: nil) == "an answer of no content type that is no document of X: busy")
        #expect(try excerpt(String(repeating: "x", count: 5_000)).map { $0.count < 300 } == true)
        #expect(try excerpt("") == nil)
    }

    @Test(arguments: [
        "X-Security-Token", "AUTHORIZATION", "Signature=", "set-cookie", "credential", "customer-key", "\"UploadAuth\"",
        "AccessKeyId",
    ])
    func `a page that may echo secrets is named alone`(mark: String) throws {
        #expect(try excerpt("<p>\(mark): 0123</p>") == "an answer of text/html that is no document of X")
    }
}
