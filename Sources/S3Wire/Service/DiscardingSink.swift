internal import TransferHTTP

/// Takes an answer whose bytes do not matter.
struct DiscardingSink: ResponseSink {
    func begin(status: Int, headers: HTTPHeaders, flow: any ResponseFlow) {}
    func receive(_ bytes: UnsafeRawBufferPointer) -> ResponseDemand { .more }
}
