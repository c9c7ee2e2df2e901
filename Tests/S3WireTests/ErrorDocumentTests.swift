import Foundation
import Testing
import TransferHTTP

@testable import S3Wire

/// What a refusal says, in both languages.
@Suite struct ErrorDocumentTests {
    @Test func `the service's time is read`() throws {
        let xml = """
            <Error><Code>RequestTimeTooSkewed</Code><RequestTime>20250701T080000Z</RequestTime>
            <ServerTime>2025-07-02T08:00:00Z</ServerTime></Error>
            """
        let json = #"{"Code":"RequestTimeTooSkewed","ServerTime":"2025-07-02T08:00:00.000Z"}"#
        let time = Date(timeIntervalSince1970: 1_751_443_200)
        #expect(ErrorDocument(xml: Array(xml.utf8)[...])?.serverTime == time)
        #expect(try JSONDecoder().decode(ErrorDocument.self, from: Data(json.utf8)).serverTime == time)
    }

    @Test func `a time that is none is none`() throws {
        let xml = "<Error><Code>X</Code><ServerTime>soon</ServerTime></Error>"
        #expect(ErrorDocument(xml: Array(xml.utf8)[...])?.serverTime == nil)
        let json = #"{"Code":"X","ServerTime":7}"#
        #expect(try JSONDecoder().decode(ErrorDocument.self, from: Data(json.utf8)).serverTime == nil)
    }
}
