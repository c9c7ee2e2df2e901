import TransferHTTP

/// What a sink resumes its answer with.
struct LoopFlow: ResponseFlow {
    let thread: LoopThread
    let exchange: Int

    func resume() { thread.post(.resume(exchange: exchange)) }
}
