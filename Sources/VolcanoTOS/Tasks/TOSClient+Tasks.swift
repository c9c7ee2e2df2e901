public import TransferCore

// The operations as tasks, for code that is not `async`. Each starts at once, never throws and never waits: what is wrong
// with its input is the error of the task. `completion` is called first of all that is called at the end of the task.

extension TOSClient {
    /// `resumableCopyObject(_:)` as a task.
    @discardableResult
    public func resumableCopyObject(
        _ input: TOSResumableCopyObjectInput, completion: TOSCompletion<TOSResumableCopyObjectOutput>? = nil
    ) -> TOSTask<TOSResumableCopyObjectOutput> {
        TOSTask(completion, starting: { try self.startResumableCopyObject(input) })
    }

    /// `uploadFile(_:)` as a task.
    @discardableResult
    public func uploadFile(
        _ input: TOSUploadFileInput, completion: TOSCompletion<TOSUploadFileOutput>? = nil
    ) -> TOSTask<TOSUploadFileOutput> {
        TOSTask(completion, starting: { try self.startUploadFile(input) })
    }

    /// `downloadFile(_:)` as a task.
    @discardableResult
    public func downloadFile(
        _ input: TOSDownloadFileInput, completion: TOSCompletion<TOSDownloadFileOutput>? = nil
    ) -> TOSTask<TOSDownloadFileOutput> {
        TOSTask(completion, starting: { try self.startDownloadFile(input) })
    }

    /// `copyObject(_:)` as a task.
    @discardableResult
    public func copyObject(
        _ input: TOSCopyObjectInput, completion: TOSCompletion<TOSCopyObjectOutput>? = nil
    ) -> TOSTask<TOSCopyObjectOutput> {
        TOSTask(completion) { try await self.copyObject(input) }
    }

    /// `headObject(_:)` as a task.
    @discardableResult
    public func headObject(
        _ input: TOSHeadObjectInput, completion: TOSCompletion<TOSHeadObjectOutput>? = nil
    ) -> TOSTask<TOSHeadObjectOutput> {
        TOSTask(completion) { try await self.headObject(input) }
    }

    /// `putObject(_:)` as a task.
    @discardableResult
    public func putObject(
        _ input: TOSPutObjectInput, completion: TOSCompletion<TOSPutObjectOutput>? = nil
    ) -> TOSTask<TOSPutObjectOutput> {
        TOSTask(completion) { try await self.putObject(input) }
    }

    /// `deleteObject(_:)` as a task.
    @discardableResult
    public func deleteObject(
        _ input: TOSDeleteObjectInput, completion: TOSCompletion<TOSDeleteObjectOutput>? = nil
    ) -> TOSTask<TOSDeleteObjectOutput> {
        TOSTask(completion) { try await self.deleteObject(input) }
    }

    /// `createMultipartUpload(_:)` as a task.
    @discardableResult
    public func createMultipartUpload(
        _ input: TOSCreateMultipartUploadInput, completion: TOSCompletion<TOSCreateMultipartUploadOutput>? = nil
    ) -> TOSTask<TOSCreateMultipartUploadOutput> {
        TOSTask(completion) { try await self.createMultipartUpload(input) }
    }

    /// `uploadPart(_:)` as a task.
    @discardableResult
    public func uploadPart(
        _ input: TOSUploadPartInput, completion: TOSCompletion<TOSUploadPartOutput>? = nil
    ) -> TOSTask<TOSUploadPartOutput> {
        TOSTask(completion) { try await self.uploadPart(input) }
    }

    /// `uploadPartCopy(_:)` as a task.
    @discardableResult
    public func uploadPartCopy(
        _ input: TOSUploadPartCopyInput, completion: TOSCompletion<TOSUploadPartCopyOutput>? = nil
    ) -> TOSTask<TOSUploadPartCopyOutput> {
        TOSTask(completion) { try await self.uploadPartCopy(input) }
    }

    /// `completeMultipartUpload(_:)` as a task.
    @discardableResult
    public func completeMultipartUpload(
        _ input: TOSCompleteMultipartUploadInput, completion: TOSCompletion<TOSCompleteMultipartUploadOutput>? = nil
    ) -> TOSTask<TOSCompleteMultipartUploadOutput> {
        TOSTask(completion) { try await self.completeMultipartUpload(input) }
    }

    /// `abortMultipartUpload(_:)` as a task.
    @discardableResult
    public func abortMultipartUpload(
        _ input: TOSAbortMultipartUploadInput, completion: TOSCompletion<TOSAbortMultipartUploadOutput>? = nil
    ) -> TOSTask<TOSAbortMultipartUploadOutput> {
        TOSTask(completion) { try await self.abortMultipartUpload(input) }
    }

    /// `listParts(_:)` as a task.
    @discardableResult
    public func listParts(
        _ input: TOSListPartsInput, completion: TOSCompletion<TOSListPartsOutput>? = nil
    ) -> TOSTask<TOSListPartsOutput> {
        TOSTask(completion) { try await self.listParts(input) }
    }

    /// `listMultipartUploads(_:)` as a task.
    @discardableResult
    public func listMultipartUploads(
        _ input: TOSListMultipartUploadsInput, completion: TOSCompletion<TOSListMultipartUploadsOutput>? = nil
    ) -> TOSTask<TOSListMultipartUploadsOutput> {
        TOSTask(completion) { try await self.listMultipartUploads(input) }
    }

    /// `preSignedURL(_:)` as a task.
    @discardableResult
    public func preSignedURL(
        _ input: TOSPreSignedURLInput, completion: TOSCompletion<TOSPreSignedURLOutput>? = nil
    ) -> TOSTask<TOSPreSignedURLOutput> {
        TOSTask(completion) { try await self.preSignedURL(input) }
    }

    /// `getObject(_:into:)` as a task.
    @discardableResult
    public func getObject(
        _ input: TOSGetObjectInput, into sink: some PartSink, completion: TOSCompletion<TOSGetObjectOutput>? = nil
    ) -> TOSTask<TOSGetObjectOutput> {
        TOSTask(completion) { try await self.getObject(input, into: sink) }
    }

    /// `pendingTransfers(in:)` as a task.
    @discardableResult
    public func pendingTransfers(
        in store: (any CheckpointStore)? = nil, completion: TOSCompletion<[CheckpointSummary]>? = nil
    ) -> TOSTask<[CheckpointSummary]> {
        TOSTask(completion) { try await self.pendingTransfers(in: store) }
    }

    /// `discard(_:in:)` as a task.
    @discardableResult
    public func discard(
        _ transfer: CheckpointSummary, in store: (any CheckpointStore)? = nil, completion: TOSCompletion<Void>? = nil
    ) -> TOSTask<Void> {
        TOSTask(completion) { try await self.discard(transfer, in: store) }
    }

    /// `shutdown()` as a task, which nothing cancels.
    @discardableResult
    public func shutdown(completion: TOSCompletion<Void>? = nil) -> TOSTask<Void> {
        TOSTask(completion) { await self.shutdown() }
    }
}
