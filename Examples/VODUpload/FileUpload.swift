import ExampleSupport
import ObjectTransfer

/// One file on its way.
struct FileUpload: Sendable {
    private let file: String
    private let options: VODUploadOptions
    private let hook = TransferCancelHook()

    init(_ file: String, options: Options) {
        self.file = file
        self.options = VODUploadOptions(
            videoMeta: options.isImage ? nil : options.meta, imageMeta: options.imageMeta, cancelHook: hook)
    }

    /// Stops the upload so that it can go on later; one that has not begun does not begin.
    func pause() { hook.cancel() }

    func run(_ uploader: VODUploader, _ display: Display) async -> ExitStatus {
        let task = uploader.uploadTask(file, options: options)
        for await event in task.events { await display.show(event, of: file) }
        do {
            await display.finish(file, try await task.value)
            return .done
        } catch {
            // Nobody cancels the task that waits here, so it is no `CancellationError`.
            let error = error as? VODUploadError
            await display.finish(file, error)
            return error?.isCancellation == true ? .paused : .failed
        }
    }
}
