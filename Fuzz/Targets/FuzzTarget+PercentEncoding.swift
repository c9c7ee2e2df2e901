@testable import AliyunOSS
@testable import S3Wire
import TransferCore
import TransferHTTP
@testable import TransferXML

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TransferPrimitives

extension FuzzTarget {
    /// What is written in an encoded form reads back as it was, and holds nothing that a URL or header must not.
    static let percentEncoding = FuzzTarget(name: "percent") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let component = PercentEncoding.component(text)
        let path = PercentEncoding.path(text)
        require(component.utf8.allSatisfy(isComponentByte), "a component holds other bytes")
        require(path.utf8.allSatisfy { isComponentByte($0) || $0 == UInt8(ascii: "/") }, "a path holds other bytes")
        require(isSame(PercentEncoding.decode(component), text), "a component reads as another text")
        require(isSame(PercentEncoding.decode(path), text), "a path reads as another text")
        // Other writers encode more, or use lower-case digits.
        if let decoded = PercentEncoding.decode(text) {
            require(
                isSame(PercentEncoding.decode(PercentEncoding.component(decoded)), decoded), "read again, another text")
        }
        checkTarget(text)
        checkCopySource(text)
        checkJSON(text)
        checkXML(text)
    }

    /// The request target has no bytes but those that were meant to part it.
    private static func checkTarget(_ text: String) {
        guard let endpoint = try? HTTPEndpoint(scheme: .https, host: "host") else { return }
        let request = HTTPRequest(
            .get, at: endpoint, path: "/" + PercentEncoding.path(text),
            query: [.init(text, text), .init("bare"), .init("next", "1")])
        var bytes: [UInt8] = []
        request.appendTarget(to: &bytes)
        require(bytes.count { $0 == UInt8(ascii: "?") } == 1, "more than one query")
        require(bytes.count { $0 == UInt8(ascii: "&") } == 2, "more parameters than given")
        require(bytes.count { $0 == UInt8(ascii: "=") } == 2, "more values than given")
        require(bytes.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }, "bytes that part a request")
    }

    private static func checkCopySource(_ text: String) {
        let source = ObjectLocation(bucket: "bucket", key: text, versionID: text)
        let values = [
            S3Wire.CopySource.header(source), S3Wire.CopySource.header(source, encodesTwice: true),
            AliyunOSS.CopySource.header(source),
        ]
        for value in values {
            require(value.utf8.count { $0 == UInt8(ascii: "?") } == 1, "a copy source with another query")
            require((try? HTTPHeaders(["x-source": value])) != nil, "a copy source that cannot be sent")
        }
    }

    private static func checkJSON(_ text: String) {
        var json = [UInt8(ascii: "[")]
        JSONText.append(text, to: &json)
        json.append(UInt8(ascii: "]"))
        let read = try? JSONDecoder().decode([String].self, from: Data(json))
        require(read?.count == 1 && isSame(read?.first, text), "JSON reads as another text")
    }

    private static func checkXML(_ text: String) {
        var writer = XMLWriter()
        do {
            try writer.element("Key", attributes: ["at": text], text: text)
        } catch {
            return
        }
        // A whole tag may be too long to be read, and a text too.
        guard text.utf8.count < 1_000 else { return }
        do {
            let element = try XMLElement(parsing: writer.bytes)
            require(isSame(element.text, text), "XML reads as another text")
        } catch {
            require(false, "what was written cannot be read: \(error)")
        }
    }

    /// By bytes: two texts that Swift calls equal may be two keys.
    static func isSame(_ a: String?, _ b: String) -> Bool { a.map { $0.utf8.elementsEqual(b.utf8) } ?? false }

    static func isComponentByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "%"):
            true
        default: false
        }
    }
}
