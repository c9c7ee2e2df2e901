import S3Wire
import TransferCore
import TransferHTTP
import Testing

@testable import AmazonS3

/// Where a bucket and a key are reached, and what is refused before anything is sent.
@Suite struct EndpointRulesTests {
    private func url(_ endpoint: S3Endpoint, _ addressing: S3Addressing = .auto, bucket: String = "films") throws
        -> String
    {
        let rules = try EndpointRules(endpoint, addressing: addressing)
        let (base, path) = try rules.address.location(bucket: bucket, key: "a b")
        return "\(base.scheme.rawValue)://\(base.authority)\(path)"
    }

    private func refused(_ change: (inout S3ClientConfiguration) -> Void) -> String? {
        var configuration = S3ClientConfiguration(
            endpoint: S3Endpoint(region: "eu-central-1"),
            credential: S3Credential(accessKey: "AK", secretKey: "SK"))
        change(&configuration)
        do {
            _ = try configuration.checked()
            return nil
        } catch {
            return error.field
        }
    }

    @Test func `the bucket stands in the host, at an address in the path`() throws {
        #expect(
            try url(S3Endpoint(region: "eu-central-1")) == "https://films.s3.eu-central-1.amazonaws.com/a%20b")
        #expect(
            try url(S3Endpoint(region: "cn-north-1")) == "https://films.s3.cn-north-1.amazonaws.com.cn/a%20b")
        #expect(try url(S3Endpoint(url: "http://127.0.0.1:7480")) == "http://127.0.0.1:7480/films/a%20b")
        #expect(try url(S3Endpoint(url: "http://localhost:9005")) == "http://localhost:9005/films/a%20b")
        #expect(try url(S3Endpoint(url: "http://localhost:9005"), .virtual) == "http://films.localhost:9005/a%20b")
        #expect(try url(S3Endpoint(url: "store.example.com"), .path) == "https://store.example.com/films/a%20b")
    }

    @Test func `a bucket with a dot stands in the path where a certificate would not cover its host`() throws {
        let amazon = S3Endpoint(region: "eu-central-1")
        #expect(try url(amazon, bucket: "my.films") == "https://s3.eu-central-1.amazonaws.com/my.films/a%20b")
        #expect(
            try url(amazon, .virtual, bucket: "my.films") == "https://my.films.s3.eu-central-1.amazonaws.com/a%20b")
        #expect(
            try url(S3Endpoint(url: "http://store.example.com"), bucket: "my.films")
                == "http://my.films.store.example.com/a%20b")
    }

    @Test(arguments: ["a..b", ".ab", "ab.", "a.-b", "a-.b", "192.168.5.4", "My.films", "a/b.c"])
    func `a bucket that S3 cannot have is refused before any request`(bucket: String) async throws {
        var configuration = S3ClientConfiguration(
            endpoint: S3Endpoint(url: "http://127.0.0.1:9"), credential: S3Credential(accessKey: "AK", secretKey: "SK"))
        configuration.retryPolicy.maxRetries = 0
        let client = try S3Client(configuration: configuration)
        await #expect { try await client.headObject(ObjectLocation(bucket: bucket, key: "k")) } throws: {
            ($0 as? TransferError)?.field == "bucket"
        }
    }

    @Test func `what cannot be is refused by its name`() {
        #expect(refused { $0.endpoint.url = "ftp://x" } == "endpoint.url")
        #expect(refused { $0.endpoint.region = "" } == "endpoint.region")
        #expect(refused { $0.endpoint.region = "a/b" } == "endpoint.region")
        #expect(
            refused {
                $0.endpoint.url = "http://127.0.0.1"
                $0.addressing = .virtual
            } == "addressing")
        #expect(refused { $0.copyIdleTimeout = .zero } == "copyIdleTimeout")
        #expect(refused { $0.controlTimeout = .zero } == "controlTimeout")
        #expect(refused { $0.retryPolicy.maxRetries = -1 } == "retryPolicy.maxRetries")
        #expect(refused { _ in } == nil)
    }

    @Test(arguments: [
        ("https://s3.eu-central-1.amazonaws.com", true), ("https://s3.cn-north-1.amazonaws.com.cn", true),
        ("http://127.0.0.1:7480", false), ("https://notamazonaws.com", false),
    ])
    func `Amazon alone is known to heed the conditions of part copies`(url: String, isAmazon: Bool) throws {
        #expect(try EndpointRules(S3Endpoint(url: url), addressing: .auto).isAmazon == isAmazon)
    }

    @Test func `a client without credentials of its own reads the environment`() async throws {
        let configuration = S3ClientConfiguration(endpoint: S3Endpoint(region: "eu-central-1"))
        let provider = try #require(configuration.credentialsProvider as? EnvironmentCredentialsProvider)
        #expect(provider.accessKey == "AWS_ACCESS_KEY_ID")
        #expect(provider.secretKey == "AWS_SECRET_ACCESS_KEY")
        #expect(provider.securityToken == "AWS_SESSION_TOKEN")
    }
}
