internal import AliyunOSS
internal import TransferCore
internal import TransferHTTP

/// OSS as one upload sees it: with credentials of its own, over connections that it shares.
struct UploadService: Sendable {
    let session: UploadSession
    let access: AccessCache
    let backend: OSSBackend
}
