import ObjectStoreStub
import Testing

@Suite("Security: keys of the local server") struct SecurityOfAccountsTests {
    @Test func keysAreNeverPrinted() {
        let account = StubAccount(accessKey: "AK", secretKey: "the-secret-key", sessionToken: "the-session-token")
        var configuration = StubConfiguration()
        configuration.accounts = [account]
        for value in [account, [account], configuration] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [dumped, "\(value)", String(reflecting: value)] {
                #expect(!text.contains("the-secret-key") && !text.contains("the-session-token"), "\(text)")
            }
        }
    }
}
