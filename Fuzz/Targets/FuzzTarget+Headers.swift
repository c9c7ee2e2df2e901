@testable import AliyunOSS
@testable import AmazonS3
@testable import S3Wire
import TransferCore
@testable import TransferCurl
@testable import TransferHTTP
@testable import TransferPrimitives
import TransferService
@testable import VolcanoTOS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension FuzzTarget {
    /// The head of an answer, line by line; each of the first lines is also taken for every kind of value that a header may have.
    static let headerValues = FuzzTarget(name: "header") { bytes in
        var head = ResponseHead()
        for (index, line) in FuzzInput(bytes).everyLine.enumerated() {
            let isShort = line.withUnsafeBytes { head.add($0) }
            require(isShort, "a head of a few lines is too long")
            // Thousands of lines would show nothing more, and take their time.
            guard index < 8 else { continue }
            let text = String(decoding: line, as: UTF8.self)
            checkDate(text)
            checkRange(text)
            checkTag(text)
            checkCoding(text)
            checkField(text)
        }
        require((0...999).contains(head.status), "a status of more than three digits")
        for (name, value) in head.headers {
            require(head.headers.contains(name), "a header that is not found: \(name)")
            require(value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }, "a header of several lines")
        }
        for dialect in dialects { _ = ObjectInfo(head.headers, dialect) }
        _ = ObjectInfo(head.headers)
    }

    /// A date that was understood reads the same once it is written in any form.
    private static func checkDate(_ text: String) {
        let second: (Date) -> Date = { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.down)) }
        let dates = [HTTPDate.parse(text), HTTPDate.parseCompact(text), HTTPDate.parseISO8601(text)]
        for date in dates.compactMap(\.self) {
            // An offset may move the first and the last hours out of the years that can be written.
            guard (-62_135_596_800...253_402_300_799).contains(date.timeIntervalSince1970) else { continue }
            require(HTTPDate.parse(HTTPDate.format(date)) == second(date), "another date in a header")
            require(HTTPDate.parseCompact(HTTPDate.formatCompact(date)) == second(date), "another date in a signature")
            require(HTTPDate.parseISO8601(HTTPDate.formatISO8601(date)) == second(date), "another date in a document")
        }
        if let pause = RetryAfter.parse(text, now: Date(timeIntervalSince1970: 0)) {
            require(pause >= .zero && pause <= .seconds(31_536_000), "a pause of \(pause)")
        }
    }

    private static func checkRange(_ text: String) {
        guard let range = ContentRange(text) else { return }
        require(range.first <= range.last, "a range that ends before it begins")
        for asked in [ByteRange(offset: range.first, length: .max), ByteRange(offset: 0, length: 1)] {
            if range.reaches(asked) { require(range.last < asked.end, "more than was asked for") }
        }
    }

    private static func checkTag(_ text: String) {
        let tag = ETag(text)
        require(ETag(tag.quoted) == tag && ETag(tag.quoted).bare == tag.bare, "quotes change the tag")
        require(tag.isEmpty == tag.bare.isEmpty, "an empty tag with something in it")
        if let number = UInt64(text) { require(Checksums(crc64: number).crc64 == number, "another checksum") }
        _ = tag.hashValue
    }

    private static func checkCoding(_ text: String) {
        if let bytes = Hex.decode(text) { require(Hex.encode(bytes) == text.lowercased(), "other hexadecimal digits") }
        if let bytes = Base64.decode(text) { require(Base64.encode(bytes) == text, "other base64") }
        if let bytes = Base64.decode(text, tolerant: true) {
            require(Base64.decode(Base64.encode(bytes)) == bytes, "base64 that reads otherwise")
        }
    }

    /// What may be sent is one field, whose value is found; metadata reads back in every coding.
    private static func checkField(_ text: String) {
        var headers = HTTPHeaders()
        if (try? headers.append("x-name", text)) != nil {
            require(headers["X-NAME"].map { text.utf8.count >= $0.utf8.count } ?? false, "a field that is not found")
            require(!headers.bytes.contains { $0 == 0x0A || $0 == 0x0D }, "a field of two lines")
            require(headers.bytes.count { $0 == 0 } == 1, "a field that ends inside")
        }
        if (try? headers.append(text, "value")) != nil {
            require(headers.values(text).last == "value", "a name is lost")
        }
        for coding in [S3Wire.MetadataCoding.always, .whenNeeded] {
            let written = HTTPHeaders(metadata: coding.headerValue(text))
            let read = written.map { coding.read($0, prefix: "x-meta-") }
            require(isSame(read?["name"], text), "metadata that reads otherwise")
        }
        let value = AliyunOSS.MetadataCoding.headerValue(text)
        require(value.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "metadata that is no ASCII")
        // Printable text goes as it is, so that of one that looks encoded only the bytes on the wire are promised.
        let read = AliyunOSS.MetadataCoding.readValue(value)
        require(AliyunOSS.MetadataCoding.headerValue(read) == value, "metadata that is carried over as something else")
        require(isSame(read, text) || isSame(value, text), "metadata of OSS that reads otherwise")
    }
}

extension HTTPHeaders {
    fileprivate init?(metadata value: String) {
        do { try self.init(["x-meta-name": value]) } catch { return nil }
    }
}

extension FuzzInput {
    fileprivate var everyLine: [ArraySlice<UInt8>] {
        var input = self
        return input.lines()
    }
}
