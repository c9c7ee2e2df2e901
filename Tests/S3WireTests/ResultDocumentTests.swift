import Foundation
import Testing
import TransferCore
import TransferXML

@testable import S3Wire

/// TOS specification, sections 1.2 and 1.3: every result, in both languages, says the same.
@Suite struct ResultDocumentTests {
    private func read<Document: ResultDocument>(_: Document.Type, xml: String) throws -> Document {
        try Document(xml: Array(xml.utf8))
    }

    private func read<Document: ResultDocument>(_: Document.Type, json: String) throws -> Document {
        try JSONDecoder().decode(Document.self, from: Data(json.utf8))
    }

    @Test(arguments: ["CopyObjectResult", "CopyPartResult"])
    func `a copy`(root: String) throws {
        let xml = try read(
            CopyResultDocument.self,
            xml: """
                <?xml version="1.0" encoding="UTF-8"?>
                <\(root) xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
                 <LastModified>2025-07-01T08:00:02.000Z</LastModified><ETag> "e1b4" </ETag></\(root)>
                """)
        let json = try read(
            CopyResultDocument.self, json: #"{"ETag":"\"e1b4\"","LastModified":"2025-07-01T08:00:02.000Z","More":1}"#)
        for document in [xml, json] {
            #expect(document.eTag == "\"e1b4\"")
            #expect(document.lastModified == "2025-07-01T08:00:02.000Z")
        }
    }

    @Test func `an upload that was opened`() throws {
        let xml = "<InitiateMultipartUploadResult><UploadId>u-1</UploadId></InitiateMultipartUploadResult>"
        #expect(try read(CreateResultDocument.self, xml: xml).uploadID == "u-1")
        #expect(try read(CreateResultDocument.self, json: #"{"UploadId":"u-1"}"#).uploadID == "u-1")
        let empty = "<InitiateMultipartUploadResult><UploadId/></InitiateMultipartUploadResult>"
        #expect(try read(CreateResultDocument.self, xml: empty).uploadID == nil)
    }

    @Test func `an object that was made`() throws {
        let document = try read(
            CompleteResultDocument.self,
            xml: """
                <s:CompleteMultipartUploadResult xmlns:s="http://s3.amazonaws.com/doc/2006-03-01/">
                <s:Location>http://h/b/k</s:Location><s:Bucket>b</s:Bucket><s:Key>k</s:Key><s:ETag>&quot;a-2&quot;</s:ETag>
                </s:CompleteMultipartUploadResult>
                """)
        #expect(document.eTag == "\"a-2\"")
        #expect(document.location == "http://h/b/k")
        let all = try read(
            CompleteResultDocument.self, json: #"{"ETag":"\"a-1\"","CompletedParts":[{"PartNumber":1,"ETag":"p"}]}"#)
        #expect(all.completedParts?.map(\.number) == [1])
    }

    @Test func `a document of another name is none`() {
        let error = "<Error><Code>InternalError</Code></Error>"
        #expect(throws: XMLError.self) { try read(CopyResultDocument.self, xml: error) }
        #expect(throws: XMLError.self) { try read(CreateResultDocument.self, xml: error) }
        #expect(throws: XMLError.self) { try read(CompleteResultDocument.self, xml: error) }
        #expect(throws: XMLError.self) { try read(ListPartsDocument.self, xml: error) }
        #expect(throws: XMLError.self) { try read(ListUploadsDocument.self, xml: error) }
        #expect(throws: XMLError.self) { try read(TaggingDocument.self, xml: error) }
    }

    @Test func `a document that is cut is none`() {
        let cut = "<CompleteMultipartUploadResult><ETag>\"a\"</ETag>"
        #expect(throws: XMLError.self) { try read(CompleteResultDocument.self, xml: cut) }
    }

    @Test func `a page of parts`() throws {
        let xml = try read(
            ListPartsDocument.self,
            xml: """
                <ListPartsResult><Bucket>b</Bucket><Key>k</Key><UploadId>u</UploadId><PartNumberMarker>0</PartNumberMarker>
                <NextPartNumberMarker>2</NextPartNumberMarker><MaxParts>2</MaxParts><IsTruncated>true</IsTruncated>
                <Part><PartNumber>1</PartNumber><LastModified>2025-07-01T08:00:02.000Z</LastModified><ETag>"a"</ETag><Size>20971520</Size></Part>
                <Part><PartNumber>2</PartNumber><ETag>b</ETag></Part>
                <Part><PartNumber>0</PartNumber><ETag>c</ETag></Part><Part><PartNumber>3</PartNumber><ETag>""</ETag></Part>
                </ListPartsResult>
                """)
        let page = PartsPage(xml, S3Dialect.test.capabilities.parts)
        #expect(page.parts.map(\.part.number) == [1, 2])
        #expect(page.parts.first?.part.size == 20_971_520)
        #expect(page.parts.first?.lastModified?.timeIntervalSince1970 == 1_751_356_802)
        #expect(page.parts.last?.part.etag == ETag("\"b\""))
        #expect(page.isTruncated)
        #expect(page.nextMarker == 2)
    }

    @Test func `a page without a marker goes on behind its last part`() throws {
        let xml = """
            <ListPartsResult><IsTruncated>true</IsTruncated><Part><PartNumber>7</PartNumber><ETag>a</ETag></Part>
            </ListPartsResult>
            """
        let page = PartsPage(try read(ListPartsDocument.self, xml: xml), S3Dialect.test.capabilities.parts)
        #expect(page.nextMarker == 7)
    }

    @Test func `a page of uploads, its keys encoded or not`() throws {
        let page = UploadsPage(
            try read(
                ListUploadsDocument.self,
                xml: """
                    <ListMultipartUploadsResult><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>
                    <NextKeyMarker>%E7%89%87%20b</NextKeyMarker><NextUploadIdMarker>u%2F2</NextUploadIdMarker>
                    <Upload><Key>a+b%2B</Key><UploadId>u/1</UploadId><StorageClass>IA</StorageClass>
                    <Initiated>2025-07-01T08:00:02.000Z</Initiated></Upload><Upload><Key>x</Key></Upload>
                    <CommonPrefixes><Prefix>dir%2F</Prefix></CommonPrefixes></ListMultipartUploadsResult>
                    """))
        #expect(page.uploads.map(\.key) == ["a b+"])
        #expect(page.uploads.first?.uploadID == "u/1")
        #expect(page.uploads.first?.initiated?.timeIntervalSince1970 == 1_751_356_802)
        #expect(page.commonPrefixes == ["dir/"])
        #expect(page.next == UploadsMarker(key: "片 b", uploadID: "u%2F2"))
        let plain = UploadsPage(
            try read(
                ListUploadsDocument.self, json: #"{"IsTruncated":true,"Uploads":[{"Key":"a%20","UploadId":"u"}]}"#))
        #expect(plain.next == UploadsMarker(key: "a%20", uploadID: "u"))
        #expect(UploadsPage(try read(ListUploadsDocument.self, json: "{}")).next == nil)
        let silent = UploadsPage(try read(ListUploadsDocument.self, json: #"{"IsTruncated":true}"#))
        #expect(silent.isTruncated)
        #expect(silent.next == nil)
    }

    @Test func `tags`() throws {
        let xml = """
            <Tagging><TagSet><Tag><Key>a</Key><Value>x y</Value></Tag><Tag><Key> b</Key><Value/></Tag></TagSet></Tagging>
            """
        #expect(try read(TaggingDocument.self, xml: xml).tags == ["a": "x y", " b": ""])
        let json = #"{"TagSet":{"Tags":[{"Key":"a","Value":"x y"}]}}"#
        #expect(try read(TaggingDocument.self, json: json).tags == ["a": "x y"])
    }
}
