import Testing

@testable import TransferHTTP

@Suite struct HTTPHeadersTests {
    @Test func keepsOrderAndIgnoresCaseInLookUp() throws {
        var headers = try HTTPHeaders(["Content-Type": "text/plain", "x-tos-meta-b": "1"])
        try headers.append("X-Tos-Meta-A", "2")
        try headers.append("x-tos-meta-b", "3")
        #expect(headers.map(\.name) == ["Content-Type", "x-tos-meta-b", "X-Tos-Meta-A", "x-tos-meta-b"])
        #expect(headers["content-type"] == "text/plain")
        #expect(headers["X-TOS-META-B"] == "1")
        #expect(headers.values("x-tos-meta-b") == ["1", "3"])
        #expect(headers["missing"] == nil)
        #expect(headers["x-tos-meta-"] == nil)
        #expect(headers.contains("x-tos-meta-a"))
    }

    @Test func setReplacesAllOfThatName() throws {
        var headers = try HTTPHeaders(["a": "1", "b": "2", "A": "3"])
        try headers.set("a", "4")
        #expect(headers.map(\.name) == ["b", "a"])
        #expect(headers.map(\.value) == ["2", "4"])
        try headers.set("c", "5")
        #expect(headers.count == 3)
    }

    @Test(arguments: ["", " ", "a b", "a:b", "ä", "a\r\nb", "a\u{0}", "(a)"]) func refusesNames(_ name: String) {
        var headers = HTTPHeaders()
        #expect(throws: HTTPHeaderError(name: name, reason: .name)) { try headers.append(name, "v") }
        #expect(headers.isEmpty && headers.bytes.isEmpty)
    }

    @Test(arguments: ["a\r\nInjected: 1", "a\nb", "a\rb", "a\u{0}b", "\u{1F}", "\u{7F}"])
    func refusesValuesAndNamesTheHeaderOnly(_ value: String) throws {
        var headers = try HTTPHeaders(["first": "1"])
        #expect(throws: HTTPHeaderError(name: "x-secret", reason: .value)) { try headers.append("x-secret", value) }
        #expect(headers.map(\.name) == ["first"])
        #expect(String(decoding: headers.bytes, as: UTF8.self) == "first: 1\u{0}")
    }

    @Test func keepsWhatValuesMayHold() throws {
        let headers = try HTTPHeaders(["a": "  \t x\ty  ", "b": "", "c": "中文 é", "d": "   "])
        #expect(headers.map(\.value) == ["x\ty", "", "中文 é", ""])
    }

    @Test func readsLinesOffTheWire() {
        var headers = HTTPHeaders()
        func add(_ line: String) -> Bool { Array(line.utf8).withUnsafeBytes { headers.appendLine($0) } }
        #expect(add("ETag:\"x\""))
        #expect(add("Empty:"))
        #expect(add("Spaced:   a b  "))
        #expect(!add(" folded"))
        #expect(!add(": no name"))
        #expect(!add("no colon"))
        #expect(!add("bad name: 1"))
        #expect(!add(""))
        #expect(headers.map(\.name) == ["ETag", "Empty", "Spaced"])
        #expect(headers.map(\.value) == ["\"x\"", "", "a b"])
    }

    @Test func everyFieldIsALineWithANul() throws {
        let headers = try HTTPHeaders(["a": "1", "bc": ""])
        let lines = headers.fields.map { String(decoding: headers.bytes[$0.line], as: UTF8.self) }
        #expect(lines == ["a: 1\u{0}", "bc: \u{0}"])
    }
}
