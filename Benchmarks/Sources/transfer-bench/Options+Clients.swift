import ObjectTransfer

extension Options {
    func ossClient() throws -> OSSClient {
        var configuration = OSSClientConfiguration(
            endpoint: OSSEndpoint(url: endpoint, region: region ?? "cn-hangzhou"),
            credential: OSSCredential(accessKey: accessKey, secretKey: secretKey))
        configuration.transport = transport
        return try OSSClient(configuration: configuration)
    }

    func tosClient() throws -> TOSClient {
        var configuration = TOSClientConfiguration(
            endpoint: TOSEndpoint(url: endpoint, region: region ?? "cn-beijing"),
            credential: TOSCredential(accessKey: accessKey, secretKey: secretKey))
        configuration.transport = transport
        return try TOSClient(configuration: configuration)
    }

    func s3Client() throws -> S3Client {
        var configuration = S3ClientConfiguration(
            endpoint: S3Endpoint(url: endpoint, region: region ?? "us-east-1"),
            credential: S3Credential(accessKey: accessKey, secretKey: secretKey))
        configuration.transport = transport
        return try S3Client(configuration: configuration)
    }

    /// Everything that is not said is at the library's defaults.
    private var transport: TransportConfiguration {
        var transport = TransportConfiguration()
        if let loops { transport.eventLoops = loops }
        if let uploadBuffer { transport.uploadBufferSize = uploadBuffer << 10 }
        if let caFile { transport.certificateAuthority = .file(caFile) }
        // The default takes what the soft limit on open files leaves, which may be less than was asked for.
        if jobs > 256 { transport.maxConnections = jobs }
        return transport
    }
}
