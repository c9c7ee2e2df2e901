@testable import AliyunOSS
@testable import S3Wire
import TransferCore
@testable import TransferXML
@testable import VolcanoTOS

extension FuzzTarget {
    /// A document, and what each operation of each dialect reads in it.
    static let xmlDocuments = FuzzTarget(name: "xml") { bytes in
        checkLimits(bytes)
        guard let root = try? XMLElement(parsing: bytes) else { return }
        checkRewriting(root)
        checkTaking(bytes, root)
        // Each of them reads the whole document: only where it is one of theirs.
        if let name = roots.first(where: root.isNamed) {
            checkS3(bytes, name)
            checkOSS(bytes, name)
        } else {
            require(AliyunOSS.ErrorDocument(xml: bytes) == nil, "a refusal of another name")
        }
    }

    private static let roots = [
        "Error", "ListPartsResult", "ListMultipartUploadsResult", "CopyObjectResult", "CopyPartResult",
        "InitiateMultipartUploadResult", "CompleteMultipartUploadResult", "Tagging",
    ]

    private static func checkLimits(_ bytes: [UInt8]) {
        let limits = XMLLimits(documentBytes: 2048, tokenBytes: 64, depth: 4, elements: 16)
        guard let root = try? XMLElement(parsing: bytes, limits: limits) else { return }
        require(depth(root) <= 4 && count(root) <= 16, "a document beyond its limits")
        require((try? XMLElement(parsing: bytes)) == root, "limits change what is read")
    }

    private static func depth(_ element: XMLElement) -> Int { 1 + (element.children.map(depth).max() ?? 0) }

    private static func count(_ element: XMLElement) -> Int { element.children.reduce(1) { $0 + count($1) } }

    /// Written again, it reads the same; what cannot be written is refused.
    private static func checkRewriting(_ root: XMLElement) {
        var writer = XMLWriter()
        guard (try? write(root, to: &writer)) != nil else { return }
        guard let again = try? XMLElement(parsing: writer.bytes) else {
            // Escapes may make of a long text one that is too long.
            require(writer.bytes.count > 1 << 20, "what was written cannot be read")
            return
        }
        require(again == root, "what was written reads as something else")
    }

    private static func write(_ element: XMLElement, to writer: inout XMLWriter) throws {
        guard !element.children.isEmpty else { return try writer.element(element.name, text: element.text) }
        // A text beside elements has nowhere to be written alone.
        guard element.text.isEmpty else { throw XMLError(.invalidCharacter) }
        try writer.element(element.name) { writer in
            for child in element.children { try write(child, to: &writer) }
        }
    }

    /// A list that is handed out piece by piece is the list in the whole document.
    private static func checkTaking(_ bytes: [UInt8], _ root: XMLElement) {
        var taken: [XMLElement] = []
        let rest = try? XMLElement(parsing: bytes, takingEach: "Part") { taken.append($0) }
        require(taken == root.all("Part"), "another list")
        require(rest?.children == root.children.filter { !$0.isNamed("Part") }, "the rest is another one")
    }

    private static func checkS3(_ bytes: [UInt8], _ root: String) {
        switch root {
        case "Error":
            let error = S3Wire.ErrorDocument(xml: bytes[...])
            require(error != nil, "a refusal that is none")
            require(error?.code?.isEmpty != true && error?.message?.isEmpty != true, "an empty member of a refusal")
        case "ListPartsResult":
            if let document = document(ListPartsDocument.self, bytes) { check(S3Wire.PartsPage(document, tosLimits)) }
        case "ListMultipartUploadsResult":
            if let document = document(ListUploadsDocument.self, bytes) { check(S3Wire.UploadsPage(document)) }
        case "InitiateMultipartUploadResult": _ = document(CreateResultDocument.self, bytes)
        case "CompleteMultipartUploadResult": _ = document(CompleteResultDocument.self, bytes)
        case "Tagging": _ = document(TaggingDocument.self, bytes)?.tags
        default: _ = document(CopyResultDocument.self, bytes)
        }
    }

    /// Of a well-formed document with the right root, whatever is in it.
    private static func document<Document: ResultDocument>(_: Document.Type, _ bytes: [UInt8]) -> Document? {
        do { return try Document(xml: bytes) } catch {
            require(false, "a document that is not read: \(error)")
            return nil
        }
    }

    static let tosLimits = S3Dialect(.native).capabilities.parts

    static func check(_ page: S3Wire.PartsPage) {
        require(page.nextMarker >= 0, "a marker below nothing")
        for listed in page.parts {
            require((1...tosLimits.maximumCount).contains(listed.part.number), "a part that no upload can have")
            require(!listed.part.etag.isEmpty, "a part without an ETag")
        }
    }

    static func check(_ page: S3Wire.UploadsPage) {
        require(page.uploads.allSatisfy { !$0.key.isEmpty && !$0.uploadID.isEmpty }, "an upload without a name")
        require(page.isTruncated || page.next == nil, "a page behind the last")
    }

    private static func checkOSS(_ bytes: [UInt8], _ root: String) {
        switch root {
        case "Error":
            require(AliyunOSS.ErrorDocument(xml: bytes)?.code.isEmpty != true, "a refusal without a code")
        case "ListPartsResult":
            guard let page = try? AliyunOSS.PartsPage(xml: bytes) else {
                return require(false, "a page that is not read")
            }
            require(page.nextMarker >= 0, "a marker below nothing")
            for part in page.parts {
                require((1...OSSProvider.partLimits.maximumCount).contains(part.partNumber), "a part that cannot be")
                require(!ETag(part.eTag).isEmpty, "a part without an ETag")
            }
        case "ListMultipartUploadsResult":
            guard let page = try? AliyunOSS.UploadsPage(xml: bytes) else {
                return require(false, "a page that is not read")
            }
            require(page.uploads.allSatisfy { !$0.key.isEmpty && !$0.uploadID.isEmpty }, "an upload without a name")
        default: break
        }
    }
}
