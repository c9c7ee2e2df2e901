import Testing
import TransferXML

/// The answers of S3-compatible services (TOS, "Field names of the S3 endpoint"), as they come and as they are bent.
@Suite struct ServiceDocumentTests {
    @Test func initiateMultipartUpload() throws {
        let result = try parse(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <InitiateMultipartUploadResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
              <Bucket>dst-bucket</Bucket><Key>dir/a b&amp;c.mp4</Key><UploadId>1024b5f0d1</UploadId>
            </InitiateMultipartUploadResult>
            """)
        try result.expecting("InitiateMultipartUploadResult")
        #expect(result.text("Bucket") == "dst-bucket")
        #expect(result.text("Key") == "dir/a b&c.mp4")
        #expect(result.text("UploadId") == "1024b5f0d1")
        #expect(result.text("Location") == nil)
    }

    @Test(arguments: ["CopyPartResult", "CopyObjectResult"])
    func copyResult(root: String) throws {
        let result = try parse(
            """
            <\(root)><LastModified>2025-07-01T08:00:02.000Z</LastModified>
            <ETag>&quot;9b2cf535f27731c974343645a3985328&quot;</ETag></\(root)>
            """
        ).expecting(root)
        #expect(result.text("ETag") == "\"9b2cf535f27731c974343645a3985328\"")
        #expect(result.text("LastModified") == "2025-07-01T08:00:02.000Z")
    }

    @Test func completeMultipartUpload() throws {
        let result = try parse(
            """
            <CompleteMultipartUploadResult><Location>http://h/b/k</Location><Bucket>b</Bucket><Key>k</Key>\
            <ETag>"3858f62230ac3c915f300c664312c11f-9"</ETag></CompleteMultipartUploadResult>
            """)
        #expect(result.children.map(\.name) == ["Location", "Bucket", "Key", "ETag"])
        #expect(result.text("ETag") == "\"3858f62230ac3c915f300c664312c11f-9\"")
    }

    @Test func completeRequestReadByAServer() throws {
        let parts = try parse(
            """
            <CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>"a"</ETag></Part>\
            <Part><PartNumber>2</PartNumber><ETag>"b"</ETag></Part></CompleteMultipartUpload>
            """
        ).all("Part")
        #expect(parts.map { $0.text("PartNumber") } == ["1", "2"])
        #expect(parts.map { $0.text("ETag") } == ["\"a\"", "\"b\""])
    }

    @Test func listParts() throws {
        let result = try parse(Self.listParts).expecting("ListPartsResult")
        #expect(result.trimmedText("IsTruncated") == "true")
        #expect(result.trimmedText("NextPartNumberMarker") == "2")
        #expect(result.first("Owner")?.text("ID") == "1001")
        #expect(result.all("Part").map { $0.trimmedText("PartNumber") } == ["1", "2"])
        #expect(result.all("Part").map { $0.trimmedText("Size") } == ["5242880", "12"])
    }

    @Test func partsOfALongListAreHandedOutOneByOne() throws {
        var sizes: [String?] = []
        let rest = try XMLElement(parsing: Array(Self.listParts.utf8), takingEach: "Part") {
            sizes.append($0.trimmedText("Size"))
        }
        #expect(sizes == ["5242880", "12"])
        #expect(rest.all("Part").isEmpty)
        #expect(rest.text("UploadId") == "u")
    }

    // MARK: - Errors as services bend them

    @Test(arguments: [
        "<Error><Code>NoSuchKey</Code><Message>a &lt;b&gt; &amp; c</Message></Error>",
        "<Error><Message>a &lt;b&gt; &#38; c</Message><Code>NoSuchKey</Code></Error>",
        "<Error><Code><![CDATA[NoSuchKey]]></Code><Message><![CDATA[a <b> & c]]></Message></Error>",
        "<e:Error xmlns:e='urn:x'><e:Code>NoSuchKey</e:Code><e:Message>a &lt;b> &amp; c</e:Message></e:Error>",
        "<e:Error><e:Code>NoSuchKey</e:Code><e:Message>a &lt;b> &amp; c</e:Message></e:Error>",
        "<error><code>NoSuchKey</code><message>a &lt;b&gt; &amp; c</message></error>",
        "<Error><New><Code>Inner</Code></New><Code>NoSuchKey</Code><Message>a &lt;b&gt; &amp; c</Message><X/></Error>",
        "<Error><Code>NoSuchKey</Code><Code>Other</Code><Message>a <!-- x -->&lt;b&gt; &amp; c</Message></Error>",
        "<Error xmlns='doc'>\n <Code>\n NoSuchKey \t</Code>\n <Message>a &#x3c;b&#62; &amp; c</Message>\n</Error>\n",
        "<?xml version='1.0' standalone='yes'?><!-- x --><?pi y?><Error a='>'><Code>NoSuchKey</Code>"
            + "<Message b=\"'>'\">a &lt;b&gt; &amp; c</Message></Error>",
    ])
    func codeAndMessageAreReadWhereverTheyAre(document: String) throws {
        let error = try parse(document).expecting("Error")
        #expect(error.trimmedText("Code") == "NoSuchKey")
        #expect(error.text("Message") == "a <b> & c")
        #expect(error.text("RequestId") == nil)
    }

    @Test func sectionsOfCharacterData() throws {
        #expect(try parse("<R>a<![CDATA[&lt;<b>&#65;]]>c</R>").text == "a&lt;<b>&#65;c")
        #expect(try parse("<R><![CDATA[]]></R>").text == "")
        #expect(try parse("<R><![CDATA[a]]]]><![CDATA[>]]></R>").text == "a]]>")
        #expect(try parse("<R><![CDATA[a]]]]>&gt;</R>").text == "a]]>")
        #expect(try parse("<R><![CDATA[>]>]]]>]</R>").text == ">]>]]")
    }

    @Test func anErrorInPlaceOfAResult() throws {
        let answer = try parse("<Error><Code>InternalError</Code></Error>")
        #expect(throws: XMLError.self) { try answer.expecting("CopyPartResult") }
        #expect(answer.isNamed("Error"))
    }

    /// Blanks keep a slow answer alive; the document begins whenever it is ready.
    @Test(arguments: [" ", "\r\n", "\n\n\n \t", "\u{FEFF}", "\u{FEFF}\r\n ", " \r\n\u{FEFF}", " \u{FEFF} "])
    func blanksAndByteOrderMarkBeforeTheDocument(front: String) throws {
        for document in [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>X</Code></Error>",
            "<Error><Code>X</Code></Error>",
        ] {
            #expect(try parse(front + document).text("Code") == "X")
        }
    }

    @Test func keysKeepTheirBlanksAndLineEnds() throws {
        let result = try parse("<R><Key> a\u{301} &#13;&#10;\tß漢😀 </Key><Size> 12\n</Size></R>")
        #expect(result.text("Key").map { Array($0.utf8) } == Array(" a\u{301} \r\n\tß漢😀 ".utf8))
        #expect(result.trimmedText("Size") == "12")
        #expect(try parse("<R><Key> \n</Key></R>").trimmedText("Key") == "")
        #expect(try parse("<R><Key/></R>").text("Key") == "")
    }

    private static let listParts = """
        <ListPartsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Bucket>b</Bucket><Key>k</Key>
        <UploadId>u</UploadId><PartNumberMarker>0</PartNumberMarker><NextPartNumberMarker>2</NextPartNumberMarker>
        <MaxParts>2</MaxParts><IsTruncated> true </IsTruncated><StorageClass>STANDARD</StorageClass>
        <Owner><ID>1001</ID><DisplayName/></Owner>
        <Part><PartNumber>1</PartNumber><LastModified>2025-07-01T08:00:02.000Z</LastModified>
        <ETag>"a"</ETag><Size>5242880</Size></Part>
        <Part><PartNumber>2</PartNumber><ETag>"b"</ETag><Size>12</Size></Part></ListPartsResult>
        """

    private func parse(_ text: String) throws(XMLError) -> XMLElement { try XMLElement(parsing: Array(text.utf8)) }
}
