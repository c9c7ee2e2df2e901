extension TransferBackend {
    /// Whether the service still knows an upload that was aborted. Where it does not say, it is taken to be gone.
    func isStillOpen(_ upload: MultipartUpload) async throws -> Bool {
        do {
            _ = try await listParts(of: upload)
            return true
        } catch let error as TransferError where error.code == .uploadNotFound || error.code == .accessDenied {
            return false
        }
    }
}
