import Foundation
import Testing
import TransferHTTP

@Suite struct CredentialsTests {
    private let credentials = Credentials(
        accessKey: "AKLTaccesskeyid", secretKey: "the-secret", securityToken: "the-token", expiration: .distantFuture)

    @Test func nothingPrintsSecrets() {
        struct Holder { let inside: Credentials }
        var dumped = ""
        dump(Holder(inside: credentials), to: &dumped)
        let texts = [
            "\(credentials)", String(reflecting: credentials), "\(Holder(inside: credentials))", dumped,
            "\(Optional(credentials) as Any)", "\([credentials])",
            "\(StaticCredentialsProvider(credentials))",
        ]
        for text in texts {
            #expect(!text.contains("the-secret") && !text.contains("the-token"), "\(text)")
            #expect(!text.contains("AKLTaccesskeyid"), "\(text)")
        }
    }

    @Test func staticProviderAnswersWhatItWasGiven() async throws {
        #expect(try await StaticCredentialsProvider(credentials).credentials() == credentials)
    }
}
