import Foundation
import Testing
import TransferPrimitives

@testable import TransferHTTP

@Suite struct V4SignerTests {
    private let signer = V4Signer(.tos4, region: "cn-beijing")

    private func request(_ headers: KeyValuePairs<String, String> = [:]) throws -> HTTPRequest {
        try HTTPRequest(
            .put, at: HTTPEndpoint(parsing: "http://b.example.com"), path: "/k", headers: HTTPHeaders(headers))
    }

    @Test func signingTwiceReplacesWhatTheFirstAdded() throws {
        var once = try request()
        try signer.sign(&once, with: TOS4Tests.temporary, at: TOS4Tests.date)
        var twice = try request()
        try signer.sign(&twice, with: TOS4Tests.temporary, at: TOS4Tests.date.addingTimeInterval(-900))
        try signer.sign(&twice, with: TOS4Tests.temporary, at: TOS4Tests.date)
        #expect(twice.headers.values("x-tos-security-token").count == 1)
        #expect(twice.headers["Authorization"] == once.headers["Authorization"])
    }

    @Test func blanksInsideValuesCountOnce() throws {
        var spaced = try request(["x-tos-meta-a": "  one   two\tthree "])
        try signer.sign(&spaced, with: TOS4Tests.permanent, at: TOS4Tests.date)
        let canonical = String(decoding: signer.canonicalRequest(for: spaced).bytes, as: UTF8.self)
        #expect(canonical.contains("\nx-tos-meta-a:one two three\n"))
    }

    @Test func valuesOfOneNameAreJoinedInOrder() throws {
        var doubled = try request(["x-tos-meta-a": "z", "X-Tos-Meta-A": "b"])
        try signer.sign(&doubled, with: TOS4Tests.permanent, at: TOS4Tests.date)
        let canonical = String(decoding: signer.canonicalRequest(for: doubled).bytes, as: UTF8.self)
        #expect(canonical.contains("\nx-tos-meta-a:z,b\n"))
    }

    @Test func queryIsSortedByNameThenValue() throws {
        var sorted = try request()
        sorted.query = [.init("a-b", "1"), .init("a", "2"), .init("a", "10"), .init("Z", ""), .init("a=", "x")]
        let canonical = String(decoding: signer.canonicalRequest(for: sorted).bytes, as: UTF8.self)
        #expect(canonical.split(separator: "\n")[2] == "Z=&a=10&a=2&a%3D=x&a-b=1")
    }

    @Test func keysOfSeveralDaysAndSecretsAreKeptApart() throws {
        let later = TOS4Tests.date.addingTimeInterval(86_400)
        let other = Credentials(accessKey: "other", secretKey: "other")
        var expected: [String?] = []
        var kept: [String?] = []
        for date in [TOS4Tests.date, later, TOS4Tests.date, later.addingTimeInterval(86_400 * 9)] {
            for credentials in [TOS4Tests.permanent, other] {
                var fresh = try request()
                try V4Signer(.tos4, region: "cn-beijing").sign(&fresh, with: credentials, at: date)
                expected.append(signature(fresh))
                var cached = try request()
                try signer.sign(&cached, with: credentials, at: date)
                kept.append(signature(cached))
            }
        }
        #expect(kept == expected)
        #expect(Set(kept).count == 6)
    }

    @Test(arguments: [0, -1, 604_801, Int.max]) func refusesLifetimesThatTheServiceRefuses(_ lifetime: Int) throws {
        let request = try request()
        #expect(throws: PresignError.lifetime(lifetime)) {
            try signer.presign(request, with: TOS4Tests.permanent, at: TOS4Tests.date, lifetime: lifetime)
        }
    }

    @Test func aTokenThatCannotStandInAHeaderIsRefusedByName() throws {
        var request = try request()
        let credentials = Credentials(accessKey: "a", secretKey: "s", securityToken: "to\r\nken")
        #expect(throws: HTTPHeaderError(name: "x-tos-security-token", reason: .value)) {
            try signer.sign(&request, with: credentials, at: TOS4Tests.date)
        }
    }

    @Test(arguments: [-1e30, 0, 1e30, .infinity, .nan]) func survivesAnyClock(_ seconds: Double) throws {
        var request = try request()
        let date = Date(timeIntervalSince1970: seconds)
        try signer.sign(&request, with: TOS4Tests.permanent, at: date)
        #expect(request.headers["x-tos-date"]?.utf8.count == 16)
    }
}
