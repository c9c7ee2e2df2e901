import ObjectTransfer

/// Pauses a copy after its first part, and goes on with it.
func pauseAndResume(_ client: TOSClient, _ input: TOSResumableCopyObjectInput) async throws -> String {
    let hook = TOSCancelHook()
    var first = input
    first.cancelHook = hook
    first.copyEventListener = { event in
        if event.type == .uploadPartCopySucceed { hook.cancel(abort: false) }
    }
    do {
        return try await client.resumableCopyObject(first).eTag
    } catch let error as TransferError where error.code == .paused {
        // The same source, target, part size and checkpoint; without a hook, or with a new one.
        return try await client.resumableCopyObject(input).eTag
    }
}
