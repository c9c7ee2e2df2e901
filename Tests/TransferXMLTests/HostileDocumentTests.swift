import Foundation
import Testing
import TransferXML

/// What must never get further than a typed error.
@Suite struct HostileDocumentTests {
    @Test(arguments: [
        """
        <?xml version="1.0"?>
        <!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;">
        <!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">]>
        <l>&d;</l>
        """,
        "<!DOCTYPE r SYSTEM 'http://127.0.0.1:9/x.dtd'><r/>",
        "<!DOCTYPE r [<!ENTITY % p SYSTEM 'http://127.0.0.1:9/x.dtd'> %p;]><r/>",
        "<!DOCTYPE r><r/>",
        "<!doctype html><html></html>",
        "<!-- a --> <?pi?> <!DOCTYPE r><r/>",
        "<r><!ENTITY x 'y'></r>",
        "<!",
        " \n\u{FEFF}<!DOCTYPE r><r/>",
    ])
    func documentTypesAreRefused(document: String) {
        #expect(reason(document) == .documentType)
    }

    @Test func aLocalFileIsNotRead() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).txt")
        try Data("top secret".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let document = "<!DOCTYPE r [<!ENTITY x SYSTEM \"\(file.absoluteString)\">]>\n<r>&x;</r>"
        let error = #expect(throws: XMLError.self) { try XMLElement(parsing: Array(document.utf8)) }
        #expect(error?.reason == .documentType)
        #expect(error.map { "\($0) \(String(reflecting: $0))".contains("secret") } == false)

        let inclusion =
            "<r xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='\(file.path)' parse='text'/></r>"
        #expect(try XMLElement(parsing: Array(inclusion.utf8)).first("include")?.text == "")
    }

    /// Nothing after such a declaration may be read by other rules than those that looked for document types.
    @Test(arguments: ["UTF-7", "UTF-16", "UTF-16LE", "UCS-4", "IBM037", "ISO-8859-1", "GBK", "nonsense", "UTF-8", ""])
    func aDeclaredEncodingChangesNothing(encoding: String) {
        let declaration = "<?xml version='1.0' encoding='\(encoding)'?>"
        #expect(throws: Never.self) {
            let root = try XMLElement(parsing: Array("\(declaration)<R>+ADw-é</R>".utf8))
            #expect(root.text == "+ADw-é")
        }
        #expect(reason("\(declaration)\(declaration)<R/>") == .malformed(code: 0))
        let hidden = "\(declaration)+ADwAIQ-DOCTYPE r +AFsAPA-!ENTITY x 'y'+AD4AXQA+-<r>&x;</r>"
        #expect(throws: XMLError.self) { try XMLElement(parsing: Array(hidden.utf8)) }
    }

    @Test func otherEncodingsAreRefused() {
        for bytes in [
            [0xFF, 0xFE] + utf16("<R/>"), utf16("<R/>"), Array(utf16("<R/>").reversed()),
            Array("<R>".utf8) + [0xE9] + Array("</R>".utf8), Array("<R>".utf8) + [0xC0, 0xBC] + Array("</R>".utf8),
            Array("<R>".utf8) + [0xED, 0xA0, 0x80] + Array("</R>".utf8), Array("<R>".utf8) + [0xE4, 0xB8],
            Array("<R>".utf8) + [0xF5, 0x80, 0x80, 0x80] + Array("</R>".utf8),
            Array("<".utf8) + [0xE9] + Array("/>".utf8),
        ] {
            #expect(throws: XMLError.self, "\(bytes)") { try XMLElement(parsing: bytes) }
        }
    }

    // MARK: - Sizes

    @Test func depthIsLimited() {
        let nested = String(repeating: "<a>", count: 100_000) + String(repeating: "</a>", count: 100_000)
        #expect(reason(nested) == .tooDeep(limit: 64))
        #expect(reason(String(repeating: "<a>", count: 100_000)) == .tooDeep(limit: 64))
        for limit in [1, 64, 250] {
            let limits = XMLLimits(depth: limit)
            #expect(reason(tower(limit), limits) == nil, "depth \(limit)")
            #expect(reason(tower(limit + 1), limits) == .tooDeep(limit: limit))
        }
        #expect(XMLLimits(depth: .max).depth == 250)
    }

    @Test func elementsAreCounted() {
        let limits = XMLLimits(elements: 1000)
        let open = "<a>"
        let close = "</a>"
        #expect(reason(open + String(repeating: "<b/>", count: 999) + close, limits) == nil)
        #expect(reason(open + String(repeating: "<b/>", count: 1000) + close, limits) == .tooManyElements(limit: 1000))
    }

    @Test func attributesAreCounted() {
        func tag(_ count: Int) -> String { "<a \((0..<count).map { "b\($0)='\"' " }.joined())/>" }
        #expect(reason(tag(16)) == nil)
        #expect(reason(tag(17)) == .tooManyAttributes(limit: 16))
        #expect(reason("<r>\(String(repeating: tag(16), count: 100))</r>") == nil)
        // Left to libxml2, these keep a processor busy for long.
        #expect(reason("<r>\(String(repeating: tag(500), count: 1000))</r>") == .tooManyAttributes(limit: 16))
        let namespaces = "<a \((0..<400).map { "xmlns:n\($0)='u' " }.joined())>"
        #expect(reason(String(repeating: namespaces, count: 60)) == .tooManyAttributes(limit: 16))
    }

    @Test func documentsAreLimited() {
        let body = [UInt8](repeating: UInt8(ascii: " "), count: 64 << 20)
        let error = #expect(throws: XMLError.self) { try XMLElement(parsing: body) }
        #expect(error?.reason == .documentTooLarge(limit: 16 << 20))
        let limits = XMLLimits(documentBytes: 8)
        #expect(reason("<a>b</a>", limits) == nil)
        #expect(reason("<a>b</a> ", limits) == .documentTooLarge(limit: 8))
    }

    @Test func textsAreLimited() {
        let text = String(repeating: "x", count: 10 << 20)
        #expect(reason("<a>\(text)</a>") == .tokenTooLong(limit: 1 << 20))
        #expect(reason("<a><![CDATA[\(text)]]></a>") == .tokenTooLong(limit: 1 << 20))
        #expect(reason("<a><!--\(text)--></a>") == .tokenTooLong(limit: 8 << 10))
        #expect(reason("<a b='\(text)'/>") == .tokenTooLong(limit: 8 << 10))
        #expect(reason("<a><?\(text)?></a>") == .tokenTooLong(limit: 8 << 10))
        #expect(reason("<a>\(text)") == .tokenTooLong(limit: 1 << 20))

        let limits = XMLLimits(tokenBytes: 10)
        #expect(reason("<a>0123456789</a>", limits) == nil)
        #expect(reason("<a>0123456789x</a>", limits) == .tokenTooLong(limit: 10))
    }

    @Test func theLongestAllowedTextIsRead() throws {
        let text = String(repeating: "x", count: 1 << 20)
        #expect(try XMLElement(parsing: Array("<a>\(text)</a>".utf8)).text == text)
        let longest = String(repeating: "y", count: 9_900_000)
        let limits = XMLLimits(tokenBytes: .max)
        #expect(try XMLElement(parsing: Array("<a>\(longest)</a>".utf8), limits: limits).text == longest)
    }

    @Test func limitsOfNothing() {
        let none = XMLLimits(documentBytes: -1, tokenBytes: -1, depth: -1, elements: -1)
        #expect(reason("<a/>", none) == .documentTooLarge(limit: 0))
        #expect(reason("", none) == .empty)
    }

    // MARK: - Truncation and rubbish

    @Test(arguments: [
        "", " ", "\r\n\r\n", "\u{FEFF}", " \u{FEFF}\n", "<?xml version='1.0'?>", "<?xml version='1.0'?>\n",
    ])
    func nothingIsEmpty(document: String) { #expect(reason(document) == .empty) }

    @Test(arguments: [
        "hello", "{\"Code\":\"x\"}", "<html><body><br></body></html>", "<R/>x", "<R/><R/>", "<R></r>", "<R", "<", "<>",
        "</R>",
        "<!-- x", "<!-- x -->", "<?xml", "<?pi", "<R>&nbsp;</R>", "<R a='1' a='2'/>", "<R>]]></R>", "<R/>\u{0}",
        "<R>&</R>",
        "x<R/>", "<R><?xml version='1.0'?></R>", "<R a=1/>", "<R a='<'/>", "<R><![CDATA[</R>", "<1/>", "<R a='/>",
        "<a:b:c",
    ])
    func rubbishIsMalformed(document: String) {
        guard case .malformed = reason(document) else {
            Issue.record("\(document) gave \(String(describing: reason(document)))")
            return
        }
    }

    /// Nothing of an answer counts before its last byte.
    @Test func everyPrefixIsRefused() {
        let whole = Array(
            """
            \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
            <ListPartsResult xmlns="urn:x"><Key>a&amp;b&#7;é</Key><!-- c --><Part><![CDATA[<x>]]></Part><X/></ListPartsResult>
            """.utf8)
        #expect(throws: Never.self) { try XMLElement(parsing: whole) }
        for length in 0..<whole.count {
            #expect(throws: XMLError.self, "\(length) bytes") { try XMLElement(parsing: Array(whole[..<length])) }
        }
    }

    /// Damaged documents, the same ones in every run: each is read or refused, none takes the process down.
    @Test func damagedDocuments() {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func next(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }
        let whole = Array(
            "<?xml version='1.0'?><a:R xmlns:a='u' b=\"c\"><K>x&amp;&#7;é</K><![CDATA[<]]><!--d--><?e?></a:R>".utf8)
        let splinters = [
            "<", ">", "&", "&#", ";", "<!", "<![CDATA[", "]]>", "<!--", "-->", "<?xml ", "?>", "'", "\"", "\0", "é",
        ]
        var read = 0
        for _ in 0..<5000 {
            var document = whole
            for _ in 0..<1 + next(4) {
                let position = next(document.count)
                switch next(4) {
                case 0: document[position] = UInt8(next(256))
                case 1: document.remove(at: position)
                case 2: document.insert(contentsOf: splinters[next(splinters.count)].utf8, at: position)
                default: document.removeSubrange(position..<min(document.count, position + 1 + next(8)))
                }
                if document.isEmpty { document = whole }
            }
            if (try? XMLElement(parsing: document)) != nil { read += 1 }
        }
        #expect(read > 0 && read < 5000)
    }

    // MARK: - Where and how

    @Test func errorsNameTheLine() {
        #expect(line("\n\n<?xml version='1.0'?>\n<a>\n<b>\n</a>") == 6)
        #expect(line("<a>\n<!DOCTYPE b>\n</a>") == 2)
        #expect(line("\r\n\r\n<a>&x;</a>") == 3)
    }

    @Test func errorsNeverEchoTheDocument() {
        let secret = "SECRETTOKEN"
        for document in [
            "<\(secret)>", "<a \(secret)='1'", "<a>&\(secret);</a>", "<a></\(secret)>", "<!DOCTYPE \(secret)>", secret,
        ] {
            let error = #expect(throws: XMLError.self) { try XMLElement(parsing: Array(document.utf8)) }
            #expect(error.map { "\($0) \(String(reflecting: $0))".contains(secret) } == false)
        }
    }

    @Test func anErrorIsFinal() throws {
        // libxml2 parses ahead of what it hands out, by less than this.
        let reader = try XMLPullReader(Array("<a>\(String(repeating: "<b/>", count: 1000))</wrong>".utf8))
        var outcomes: [XMLError?] = []
        for _ in 0..<3000 {
            do {
                _ = try reader.next()
                outcomes.append(nil)
            } catch {
                outcomes.append(error)
            }
        }
        let events = outcomes.prefix { $0 == nil }.count
        #expect(events > 1 && events < 2001)
        #expect(Set(outcomes[events...]).count == 1)
        #expect(outcomes.last != .some(nil))
    }

    @Test func manyThreadsAtOnce() async {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<32 {
                group.addTask {
                    let good = Array("<R><Key>k\(number)&#7;</Key></R>".utf8)
                    for _ in 0..<50 {
                        guard (try? XMLElement(parsing: good))?.text("Key") == "k\(number)\u{7}" else { return false }
                        guard (try? XMLElement(parsing: Array("<R><Key></R>".utf8))) == nil else { return false }
                    }
                    return true
                }
            }
            for await passed in group { #expect(passed) }
        }
    }

    private func reason(_ document: String, _ limits: XMLLimits = XMLLimits()) -> XMLError.Reason? {
        do {
            _ = try XMLElement(parsing: Array(document.utf8), limits: limits)
            return nil
        } catch {
            return error.reason
        }
    }

    private func line(_ document: String) -> Int? {
        do {
            _ = try XMLElement(parsing: Array(document.utf8))
            return nil
        } catch {
            return error.line
        }
    }

    private func tower(_ height: Int) -> String {
        String(repeating: "<a>", count: height) + String(repeating: "</a>", count: height)
    }

    private func utf16(_ text: String) -> [UInt8] { text.utf8.flatMap { [$0, 0] } }
}
