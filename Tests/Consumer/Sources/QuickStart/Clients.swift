import ObjectStoreStub
import ObjectTransfer

/// The clients of the library, talking to a local server.
func clients(
    of server: ObjectStoreStub
) throws -> (tos: TOSClient, oss: OSSClient, api: VODOpenAPIClient, app: VODAppServerClient) {
    let credential = Credentials(accessKey: server.accessKey, secretKey: server.secretKey)
    var api = VODOpenAPIConfiguration(credential: credential)
    api.endpoint = server.endpoint
    return (
        try TOSClient(
            configuration: TOSClientConfiguration(
                endpoint: TOSEndpoint(url: server.endpoint, region: server.region), credential: credential)),
        try OSSClient(
            configuration: OSSClientConfiguration(
                endpoint: OSSEndpoint(url: server.endpoint, region: server.ossRegion), credential: credential)),
        try VODOpenAPIClient(api),
        try VODAppServerClient(url: server.appServerURL)
    )
}
