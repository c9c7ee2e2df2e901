package import ObjectTransfer

/// How a command line and the environment say which TOS is meant.
package struct TOSServiceOptions: Sendable {
    /// A language of TOS, by the name that command lines have for it.
    private enum Wire: String, CaseIterable {
        case native
        case s3
    }

    private var endpoint: String
    private var region: String?
    private var accessKey: String
    private var secretKey: String
    private var securityToken: String?
    private var wire: Wire?
    private var addressing = TOSAddressing.auto
    private var caFile: String?

    package init(environment: (String) -> String?) {
        endpoint = environment("TOS_ENDPOINT") ?? ""
        region = environment("TOS_REGION")
        accessKey = environment("TOS_ACCESS_KEY") ?? ""
        secretKey = environment("TOS_SECRET_KEY") ?? ""
        securityToken = environment("TOS_SECURITY_TOKEN")
    }

    /// Takes an option and its value; false for an option that is none of the service's.
    package mutating func take(_ option: String, _ reader: inout ArgumentReader) throws(UsageError) -> Bool {
        switch option {
        case "--endpoint": endpoint = try reader.value()
        case "--region": region = try reader.value()
        case "--access-key": accessKey = try reader.value()
        case "--secret-key": secretKey = try reader.value()
        case "--security-token": securityToken = try reader.value()
        case "--wire": wire = try reader.choice()
        case "--addressing": addressing = try reader.choice()
        case "--ca-file": caFile = try reader.value()
        default: return false
        }
        return true
    }

    package func check() throws(UsageError) {
        for (option, value) in [
            ("--endpoint or TOS_ENDPOINT", endpoint), ("--access-key or TOS_ACCESS_KEY", accessKey),
            ("--secret-key or TOS_SECRET_KEY", secretKey),
        ] where value.isEmpty {
            throw UsageError("\(option) is needed")
        }
    }

    /// Everything that is not said is at the library's defaults.
    package var configuration: TOSClientConfiguration {
        var configuration = TOSClientConfiguration(
            endpoint: TOSEndpoint(url: endpoint, region: region),
            credential: TOSCredential(accessKey: accessKey, secretKey: secretKey, securityToken: securityToken))
        configuration.wireFormat = wire.map { $0 == .s3 ? .s3Compatible : .native }
        configuration.addressing = addressing
        if let caFile { configuration.transport.certificateAuthority = .file(caFile) }
        return configuration
    }

    /// For usage pages.
    package static let help = """
        service (each also from the environment variable)
          --endpoint URL             TOS_ENDPOINT, such as https://tos-cn-beijing.volces.com
          --wire native|s3           the language of the endpoint; taken from its name, where tos-s3-… means s3
          --region ID                TOS_REGION; taken from the endpoint when its name tells
          --access-key KEY           TOS_ACCESS_KEY
          --secret-key KEY           TOS_SECRET_KEY
          --security-token TOKEN     TOS_SECURITY_TOKEN, with temporary keys
          --addressing STYLE         auto (default), virtual or path
          --ca-file FILE             certificate authorities in PEM
        """
}
