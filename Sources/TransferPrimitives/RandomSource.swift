/// Where the library takes randomness from: jitter of back-off and names of temporary files. Not for secrets.
public protocol RandomSource: Sendable {
    /// 64 uniformly distributed bits.
    func next() -> UInt64
}

/// The system's own generator.
public struct SystemRandomSource: RandomSource {
    /// There is nothing to set.
    public init() {}

    public func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
