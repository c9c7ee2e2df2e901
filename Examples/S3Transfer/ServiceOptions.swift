import ExampleSupport
import ObjectTransfer

/// How a command line and the environment say which service is meant.
struct ServiceOptions {
    private var endpoint: String?
    private var region: String
    private var accessKey: String
    private var secretKey: String
    private var sessionToken: String?
    private var addressing = S3Addressing.auto
    private var caFile: String?
    private var maxRetry = 3

    init(environment: (String) -> String?) {
        endpoint = environment("AWS_ENDPOINT_URL_S3") ?? environment("AWS_ENDPOINT_URL")
        region = environment("AWS_REGION") ?? environment("AWS_DEFAULT_REGION") ?? "us-east-1"
        accessKey = environment("AWS_ACCESS_KEY_ID") ?? ""
        secretKey = environment("AWS_SECRET_ACCESS_KEY") ?? ""
        sessionToken = environment("AWS_SESSION_TOKEN")
    }

    /// Takes an option and its value; false for an option that is none of the service's.
    mutating func take(_ option: String, _ reader: inout ArgumentReader) throws(UsageError) -> Bool {
        switch option {
        case "--endpoint": endpoint = try reader.value()
        case "--region": region = try reader.value()
        case "--access-key": accessKey = try reader.value()
        case "--secret-key": secretKey = try reader.value()
        case "--session-token": sessionToken = try reader.value()
        case "--addressing": addressing = try reader.choice()
        case "--ca-file": caFile = try reader.value()
        case "--max-retry": maxRetry = try reader.number(0...100)
        default: return false
        }
        return true
    }

    func check() throws(UsageError) {
        for (option, value) in [
            ("--access-key or AWS_ACCESS_KEY_ID", accessKey), ("--secret-key or AWS_SECRET_ACCESS_KEY", secretKey),
        ] where value.isEmpty {
            throw UsageError("\(option) is needed")
        }
    }

    /// Everything that is not said is at the library's defaults.
    var configuration: S3ClientConfiguration {
        var configuration = S3ClientConfiguration(
            endpoint: endpoint.map { S3Endpoint(url: $0, region: region) } ?? S3Endpoint(region: region),
            credential: S3Credential(accessKey: accessKey, secretKey: secretKey, securityToken: sessionToken))
        configuration.addressing = addressing
        configuration.retryPolicy.maxRetries = maxRetry
        if let caFile { configuration.transport.certificateAuthority = .file(caFile) }
        return configuration
    }

    /// For the usage page.
    static let help = """
        service (each also from the environment variable)
          --endpoint URL             AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL; default: Amazon's of the region
          --region ID                AWS_REGION or AWS_DEFAULT_REGION; default: us-east-1
          --access-key KEY           AWS_ACCESS_KEY_ID
          --secret-key KEY           AWS_SECRET_ACCESS_KEY
          --session-token TOKEN      AWS_SESSION_TOKEN, with temporary keys
          --addressing STYLE         auto (default), virtual or path
          --ca-file FILE             certificate authorities in PEM
          --max-retry N              repeats of a failed request; default 3
        """
}
