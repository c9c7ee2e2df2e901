/// Where downloaded bytes go.
public protocol PartSink: Sendable {
    /// Takes the bytes that belong at `offset`. Called in order for one request. A throw ends the request with that error.
    /// A conformance that is slow holds the connection back: the next bytes come when it returns.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws
}
