import Testing

@testable import TransferHTTP

@Suite struct RedactionTests {
    @Test func secretsAreTakenOutWhereverTheyStand() {
        #expect("key=topsecret1, topsecret1".redacting(["topsecret1"]) == "key=[redacted], [redacted]")
        #expect("grüße topsecret1 😀".redacting(["topsecret1"]) == "grüße [redacted] 😀")
        #expect("nothing".redacting([]) == "nothing")
    }

    /// A secret that is a word of the replacement, or begins like another one.
    @Test func whatWasPutInIsNotSearchedAgain() {
        #expect("a [redacted] b topsecret1".redacting(["topsecret1", "redacted"]) == "a [[redacted]] b [redacted]")
        #expect("longsecret-and-more".redacting(["longsecret", "longsecret-and-more"]) == "[redacted]")
    }

    /// With keys such as `a` in a test, every word would be torn apart.
    @Test func shortSecretsEatNoText() {
        let credentials = Credentials(accessKey: "id", secretKey: "e", securityToken: "redacte")
        #expect(redacted("the request is refused, redacted", credentials) == "the request is refused, redacted")
    }
}
