/// How much a document may ask of its reader.
package struct XMLLimits: Sendable, Hashable {
    /// Bytes of the document; 16 MiB unless set, at most 256 MiB.
    package let documentBytes: Int
    /// Bytes of one text or CDATA section as they stand in the document; 1 MiB unless set, at most 9,900,000, since libxml2
    /// stops at ten million.
    package let tokenBytes: Int
    /// Elements within elements; 64 unless set, at most 250, since libxml2 stops at 256.
    package let depth: Int
    /// Elements of the document; 1,000,000 unless set.
    package let elements: Int

    /// Bytes of one tag, comment or processing instruction: 8 KiB. With many `>` in one, libxml2 2.9 takes quadratic time.
    static let markupBytes = 8 << 10

    /// Attributes of one element, namespaces included: 16, where services send four at most. libxml2 compares each
    /// attribute with its neighbours and each prefix with all that are declared; thousands keep it busy for minutes.
    static let attributes = 16

    package init(
        documentBytes: Int = 16 << 20, tokenBytes: Int = 1 << 20, depth: Int = 64, elements: Int = 1_000_000
    ) {
        self.documentBytes = min(max(documentBytes, 0), 256 << 20)
        self.tokenBytes = min(max(tokenBytes, 0), 9_900_000)
        self.depth = min(max(depth, 0), 250)
        self.elements = max(elements, 0)
    }
}
