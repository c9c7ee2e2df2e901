/// What services hold differently about operations that they share. Each dialect brings its own.
struct ServiceRules: Sendable {
    /// The region that a bucket without one of its own lies in.
    var region: String
    /// The smallest size of every part but the last, in bytes.
    var minimumPartLength: UInt64
    /// The largest source of a single copy, in bytes.
    var maximumCopyLength: UInt64
    /// The largest part, in bytes.
    var maximumPartLength: UInt64
    /// Whether an object may be copied onto itself with nothing changed.
    var copiesOntoItself = false
    /// Whether an upload that may not overwrite is refused when it is created, and Complete must ask for it again; else
    /// what was said at the start holds at the end.
    var refusesOverwriteAtCreate = false
    /// Whether a bucket that keeps versions takes no notice of requests not to overwrite.
    var versionsAllowOverwrite = false
    /// Whether a range that does not lie within the object brings the whole of it; else it is cut or refused.
    var ignoresImpossibleRanges = false
}
