import TestSupport
import TransferCore

/// A backend that neither copies nor reads, and tells no checksums.
struct UploadsOnly: TransferBackend {
    let base: LocalDirectoryBackend
    /// Whether the credentials are good for writing alone, as those that applications hand out often are.
    var deniesLooks = false

    var provider: String { base.provider }

    var capabilities: BackendCapabilities {
        var capabilities = base.capabilities
        capabilities.checksums = []
        capabilities.mayDenyHead = deniesLooks
        capabilities.mayDenyListParts = deniesLooks
        return capabilities
    }

    private func look() throws {
        if deniesLooks { throw TransferError(.accessDenied, "only writing is allowed") }
    }

    func headObject(_ object: ObjectLocation) async throws -> ObjectInfo {
        try look()
        var info = try await base.headObject(object)
        info.checksums = [:]
        return info
    }

    func putObject(
        _ body: PartBody, at target: ObjectLocation, options: ObjectOptions
    ) async throws -> TransferReceipt {
        try await base.putObject(body, at: target, options: options)
    }

    func createMultipartUpload(at target: ObjectLocation, options: ObjectOptions) async throws -> MultipartUpload {
        try await base.createMultipartUpload(at: target, options: options)
    }

    func uploadPart(_ number: Int, of upload: MultipartUpload, body: PartBody) async throws -> CompletedPart {
        try await base.uploadPart(number, of: upload, body: body)
    }

    func listParts(of upload: MultipartUpload) async throws -> [CompletedPart] {
        try look()
        return try await base.listParts(of: upload)
    }

    func completeMultipartUpload(
        _ upload: MultipartUpload, parts: [CompletedPart]
    ) async throws -> TransferReceipt {
        try await base.completeMultipartUpload(upload, parts: parts)
    }

    func abortMultipartUpload(_ upload: MultipartUpload) async throws { try await base.abortMultipartUpload(upload) }
}
