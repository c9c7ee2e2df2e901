import ObjectTransfer

/// Uploads a file to OSS, and makes a URL by which anybody can read it for an hour.
func shareFilm(_ path: String, endpoint: OSSEndpoint, credential: OSSCredential) async throws -> String {
    let client = try OSSClient(configuration: OSSClientConfiguration(endpoint: endpoint, credential: credential))
    var upload = OSSUploadFileInput(bucket: "archive", key: "films/b.mov", filePath: path)
    upload.contentType = "video/quicktime"
    upload.enableCheckpoint = true
    let output = try await client.uploadFile(upload)
    print(output.eTag, output.verification)
    var link = OSSPresignInput(.get, bucket: output.bucket, key: output.key)
    link.expires = 3600
    let url = try await client.presign(link).url
    await client.shutdown()
    return url
}
