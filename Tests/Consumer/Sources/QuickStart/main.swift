import ObjectTransfer

// Runs the snippets of the README against each other.
let server = try await startServer()
let result = try await copyFilm(
    endpoint: TOSEndpoint(url: server.endpoint, region: server.region),
    credential: TOSCredential(accessKey: server.accessKey, secretKey: server.secretKey))
print(result)
server.stop()
