internal import TransferPrimitives

extension String {
    /// The longest name of a file that the usual file systems take, in bytes.
    private static var longestName: Int { 255 }

    /// The path beside this one whose name has this ending more. Where that would be longer than names may be, a digest stands in
    /// for the name.
    func neighbour(ending: String) -> String {
        let name = self[(lastIndex(of: "/").map { index(after: $0) } ?? startIndex)...]
        guard name.utf8.count + ending.utf8.count > Self.longestName else { return self + ending }
        return dropLast(name.count) + Hex.encode(Digest.sha256(name.utf8)) + ending
    }
}
