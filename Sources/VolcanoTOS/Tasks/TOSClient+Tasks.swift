public import TransferCore

// The operations as tasks, for code that is not `async`. Each starts at once, never throws and never waits: what is wrong
// with its input is the error of the task. `completion` is called first of all that is called at the end of the task. It may
// be nil, but not be left out: that is the `async` operation, which code at the top level of a program would else not get.

extension TOSClient {
    /// `resumableCopyObject(_:)` as a task.
    @discardableResult
    public func resumableCopyObject(
        _ input: TOSResumableCopyObjectInput, completion: TOSCompletion<TOSResumableCopyObjectOutput>?
    ) -> TOSTask<TOSResumableCopyObjectOutput> {
        TOSTask(completion, starting: { try self.startResumableCopyObject(input) })
    }

    /// `uploadFile(_:)` as a task.
    @discardableResult
    public func uploadFile(
        _ input: TOSUploadFileInput, completion: TOSCompletion<TOSUploadFileOutput>?
    ) -> TOSTask<TOSUploadFileOutput> {
        TOSTask(completion, starting: { try self.startUploadFile(input) })
    }

    /// `downloadFile(_:)` as a task.
    @discardableResult
    public func downloadFile(
        _ input: TOSDownloadFileInput, completion: TOSCompletion<TOSDownloadFileOutput>?
    ) -> TOSTask<TOSDownloadFileOutput> {
        TOSTask(completion, starting: { try self.startDownloadFile(input) })
    }

    /// `copyObject(_:)` as a task.
    @discardableResult
    public func copyObject(
        _ input: TOSCopyObjectInput, completion: TOSCompletion<TOSCopyObjectOutput>?
    ) -> TOSTask<TOSCopyObjectOutput> {
        TOSTask(completion) { try await self.copyObject(input) }
    }

    /// `headObject(_:)` as a task.
    @discardableResult
    public func headObject(
        _ input: TOSHeadObjectInput, completion: TOSCompletion<TOSHeadObjectOutput>?
    ) -> TOSTask<TOSHeadObjectOutput> {
        TOSTask(completion) { try await self.headObject(input) }
    }

    /// `putObject(_:)` as a task.
    @discardableResult
    public func putObject(
        _ input: TOSPutObjectInput, completion: TOSCompletion<TOSPutObjectOutput>?
    ) -> TOSTask<TOSPutObjectOutput> {
        TOSTask(completion) { try await self.putObject(input) }
    }

    /// `deleteObject(_:)` as a task.
    @discardableResult
    public func deleteObject(
        _ input: TOSDeleteObjectInput, completion: TOSCompletion<TOSDeleteObjectOutput>?
    ) -> TOSTask<TOSDeleteObjectOutput> {
        TOSTask(completion) { try await self.deleteObject(input) }
    }

    /// `createMultipartUpload(_:)` as a task.
    @discardableResult
    public func createMultipartUpload(
        _ input: TOSCreateMultipartUploadInput, completion: TOSCompletion<TOSCreateMultipartUploadOutput>?
    ) -> TOSTask<TOSCreateMultipartUploadOutput> {
        TOSTask(completion) { try await self.createMultipartUpload(input) }
    }

    /// `uploadPart(_:)` as a task.
    @discardableResult
    public func uploadPart(
        _ input: TOSUploadPartInput, completion: TOSCompletion<TOSUploadPartOutput>?
    ) -> TOSTask<TOSUploadPartOutput> {
        TOSTask(completion) { try await self.uploadPart(input) }
    }

    /// `uploadPartCopy(_:)` as a task.
    @discardableResult
    public func uploadPartCopy(
        _ input: TOSUploadPartCopyInput, completion: TOSCompletion<TOSUploadPartCopyOutput>?
    ) -> TOSTask<TOSUploadPartCopyOutput> {
        TOSTask(completion) { try await self.uploadPartCopy(input) }
    }

    /// `completeMultipartUpload(_:)` as a task.
    @discardableResult
    public func completeMultipartUpload(
        _ input: TOSCompleteMultipartUploadInput, completion: TOSCompletion<TOSCompleteMultipartUploadOutput>?
    ) -> TOSTask<TOSCompleteMultipartUploadOutput> {
        TOSTask(completion) { try await self.completeMultipartUpload(input) }
    }

    /// `abortMultipartUpload(_:)` as a task.
    @discardableResult
    public func abortMultipartUpload(
        _ input: TOSAbortMultipartUploadInput, completion: TOSCompletion<TOSAbortMultipartUploadOutput>?
    ) -> TOSTask<TOSAbortMultipartUploadOutput> {
        TOSTask(completion) { try await self.abortMultipartUpload(input) }
    }

    /// `listParts(_:)` as a task.
    @discardableResult
    public func listParts(
        _ input: TOSListPartsInput, completion: TOSCompletion<TOSListPartsOutput>?
    ) -> TOSTask<TOSListPartsOutput> {
        TOSTask(completion) { try await self.listParts(input) }
    }

    /// `listMultipartUploads(_:)` as a task.
    @discardableResult
    public func listMultipartUploads(
        _ input: TOSListMultipartUploadsInput, completion: TOSCompletion<TOSListMultipartUploadsOutput>?
    ) -> TOSTask<TOSListMultipartUploadsOutput> {
        TOSTask(completion) { try await self.listMultipartUploads(input) }
    }

    /// `preSignedURL(_:)` as a task.
    @discardableResult
    public func preSignedURL(
        _ input: TOSPreSignedURLInput, completion: TOSCompletion<TOSPreSignedURLOutput>?
    ) -> TOSTask<TOSPreSignedURLOutput> {
        TOSTask(completion) { try await self.preSignedURL(input) }
    }

    /// `getObject(_:into:)` as a task.
    @discardableResult
    public func getObject(
        _ input: TOSGetObjectInput, into sink: some PartSink, completion: TOSCompletion<TOSGetObjectOutput>?
    ) -> TOSTask<TOSGetObjectOutput> {
        TOSTask(completion) { try await self.getObject(input, into: sink) }
    }

    /// `pendingTransfers(in:)` as a task.
    @discardableResult
    public func pendingTransfers(
        in store: (any CheckpointStore)? = nil, completion: TOSCompletion<[CheckpointSummary]>?
    ) -> TOSTask<[CheckpointSummary]> {
        TOSTask(completion) { try await self.pendingTransfers(in: store) }
    }

    /// `discard(_:in:)` as a task.
    @discardableResult
    public func discard(
        _ transfer: CheckpointSummary, in store: (any CheckpointStore)? = nil, completion: TOSCompletion<Void>?
    ) -> TOSTask<Void> {
        TOSTask(completion) { try await self.discard(transfer, in: store) }
    }

    /// `shutdown()` as a task, which nothing cancels.
    @discardableResult
    public func shutdown(completion: TOSCompletion<Void>?) -> TOSTask<Void> {
        TOSTask(completion) { await self.shutdown() }
    }
}
