import ObjectTransfer

/// The guide's resumable copy, in code that is not `async`.
func copyInTasks(_ client: TOSClient, progress: @escaping @Sendable (TOSCopyEvent) -> Void) -> String {
    var input = TOSResumableCopyObjectInput(
        srcBucket: "films", srcKey: "a.mov", bucket: "archive", key: "copies/a.mov")
    input.partSize = 20 << 20
    input.taskNum = 3
    input.enableCheckpoint = true
    input.checkpointFile = "copy-a.checkpoint"
    input.copyEventListener = progress

    let task = client.resumableCopyObject(input) { outcome in print(outcome) }
    task.continueWith { task in
        if let output = task.result { print(output.eTag) } else if let error = task.error { print(error) }
    }
    task.waitUntilFinished()
    return task.result?.eTag ?? ""
}
