import CCurl
import TransferHTTP

// Called by libcurl on the loop's thread, from inside `curl_multi_perform`. They are functions of the file and not closures,
// which would take over the isolation of where they are written and trap.

/// CURLOPT_READFUNCTION: the next bytes of the request's body.
func supplyBody(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let buffer, let exchange = exchange(context) else { return transfer_curl_readfunc_abort }
    let target = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
    return exchange.supply(target) ?? transfer_curl_readfunc_abort
}

/// CURLOPT_SEEKFUNCTION: only ever to the start.
func rewindBody(_ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32) -> Int32 {
    guard offset == 0, origin == SEEK_SET, let exchange = exchange(context), exchange.rewind() else {
        return CURL_SEEKFUNC_FAIL
    }
    return CURL_SEEKFUNC_OK
}

/// CURLOPT_HEADERFUNCTION: one line of the answer's head.
func receiveHeader(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let length = size * count
    guard let buffer, let exchange = exchange(context) else { return 0 }
    return exchange.receiveLine(UnsafeRawBufferPointer(start: buffer, count: length)) ? length : 0
}

/// CURLOPT_WRITEFUNCTION: bytes of the answer's body.
func receiveBody(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    let length = size * count
    guard let buffer, let context else { return 0 }
    let handle = Unmanaged<CurlHandle>.fromOpaque(context).takeUnretainedValue()
    switch handle.exchange?.receive(UnsafeRawBufferPointer(start: buffer, count: length)) {
    case .more: return length
    case .pause: return handle.pause() ? length : 0
    case nil: return 0
    }
}

private func exchange(_ context: UnsafeMutableRawPointer?) -> Exchange? {
    context.flatMap { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue().exchange }
}
