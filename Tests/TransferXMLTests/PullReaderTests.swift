import Testing
import TransferXML

@Suite struct PullReaderTests {
    @Test func events() throws {
        let events = try read("<a:R xmlns:a='urn:x'><b>c<!-- d --><![CDATA[<]]></b><e/></a:R>")
        #expect(
            events == [
                .start(localName: "R", namespace: "urn:x"), .start(localName: "b", namespace: nil), .text("c"),
                .text("<"),
                .end, .start(localName: "e", namespace: nil), .end, .end,
            ])
    }

    @Test func defaultNamespaceReachesTheChildren() throws {
        let events = try read("<R xmlns='urn:x'><b xmlns=''/></R>")
        #expect(
            events == [
                .start(localName: "R", namespace: "urn:x"), .start(localName: "b", namespace: nil), .end, .end,
            ])
    }

    @Test func theEndIsFinal() throws {
        let reader = try XMLPullReader(Array("<a/>".utf8))
        #expect(try reader.next() == .start(localName: "a", namespace: nil))
        #expect(try reader.next() == .end)
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
    }

    /// The reader's bytes are its own: what the caller does with the array afterwards is no matter.
    @Test func outlivesTheCallersBytes() throws {
        var document = Array("<a><b>text</b></a>".utf8)
        let reader = try XMLPullReader(document)
        for index in document.indices { document[index] = 0 }
        document = []
        var texts: [String] = []
        while let event = try reader.next() {
            if case .text(let text) = event { texts.append(text) }
        }
        #expect(texts == ["text"])
    }

    @Test func anAbandonedReaderIsFreed() throws {
        for _ in 0..<1000 {
            let reader = try XMLPullReader(Array("<a><b>text</b></a>".utf8))
            _ = try reader.next()
        }
    }

    private func read(_ document: String) throws -> [XMLEvent] {
        let reader = try XMLPullReader(Array(document.utf8))
        var events: [XMLEvent] = []
        while let event = try reader.next() { events.append(event) }
        return events
    }
}
