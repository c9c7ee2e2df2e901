import TransferPrimitives
import Testing

/// Requests with the signatures that official clients and the manual give for them: appendices A and B of the wire notes.
struct OSSVector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Method and target.
    let line: String
    var headers: [(String, String)] = []
    var authorization: String?
    var accessKey = "TESTAKID0001"
    var secretKey = "TestSecret/With+Chars=0001"
    var token: String?
    var bucket = "examplebucket"
    var region = "cn-shanghai"
    /// Seconds since 1970 of the request's date.
    var time: Double = 1_736_929_800
    /// Whether a parameter of the query is signed.
    var signsQuery = true

    /// The request as it goes over the wire, with further lines before its end.
    func request(adding lines: String = "") -> String {
        var text = "\(line) HTTP/1.1\r\n"
        if !headers.contains(where: { $0.0 == "Host" }) {
            text += "Host: \(bucket).oss-\(region).aliyuncs.com\r\n"
        }
        for field in headers { text += "\(field.0): \(field.1)\r\n" }
        if let authorization { text += "Authorization: \(authorization)\r\n" }
        return text + lines + "\r\n"
    }

    private static let difficultKey = "/dir/%E4%B8%AD%E6%96%87%20a%2Bb%25c~%281%29%21%2A%27.mp4"
    private static let date = ("Date", "Wed, 15 Jan 2025 08:30:00 GMT")
    private static let token = ("x-oss-security-token", "CAIS+tok/en==")
    private static let common = [
        ("x-oss-date", "20250115T083000Z"), date, ("x-oss-content-sha256", "UNSIGNED-PAYLOAD"),
    ]

    private static func v4(_ signature: String, additional: String = "") -> String {
        "OSS4-HMAC-SHA256 Credential=TESTAKID0001/20250115/cn-shanghai/oss/aliyun_v4_request,\(additional)"
            + "Signature=\(signature)"
    }

    static let all = v4Headers + v4URLs + published + v1

    static let v4Headers = [
        OSSVector(
            testDescription: "A.1", line: "PUT /video/a.mp4",
            headers: [("Content-Type", "video/mp4"), ("x-oss-meta-author", "alice")] + common,
            authorization: v4("7cfd806ae228fb29d604355c5c0c47a107e79ebe15421d527596ef748aa2488d"), signsQuery: false),
        OSSVector(
            testDescription: "A.2",
            line: "PUT /sv/1f5a/video.mp4?partNumber=1&uploadId=0004B9894A22E5B1888A1E29F823AAAA",
            headers: [("Content-Type", "application/octet-stream"), token] + common,
            authorization: v4("31245b87e844212aef59bd2dae1427a18247654c2d924693c935642b4b01807f"),
            token: token.1),
        OSSVector(
            testDescription: "A.3", line: "POST \(difficultKey)?uploads&encoding-type=url",
            headers: [("Content-Type", "video/mp4"), ("x-oss-forbid-overwrite", "true"), token] + common,
            authorization: v4("25ef29e2165c9c756b4cd52886d44825b1479b78dda87670b45e1cb894b9ab0f"),
            token: token.1),
        OSSVector(
            testDescription: "A.3 with = behind uploads", line: "POST \(difficultKey)?uploads=&encoding-type=url",
            headers: [("Content-Type", "video/mp4"), ("x-oss-forbid-overwrite", "true"), token] + common,
            authorization: v4("25ef29e2165c9c756b4cd52886d44825b1479b78dda87670b45e1cb894b9ab0f"),
            token: token.1),
        OSSVector(
            testDescription: "A.4", line: "GET \(difficultKey)?versionId=CAEQ%2Fa%2Bb%3D%3D",
            headers: [("Range", "bytes=0-99")] + common,
            authorization: v4(
                "16c28b770b1a881729b44904929e8835cadc72fbc5a2b2ea661e2061eb4f959d",
                additional: "AdditionalHeaders=host;range,")),
        OSSVector(
            testDescription: "A.4 in another order",
            line: "GET \(difficultKey)?versionId=CAEQ%2Fa%2Bb%3D%3D", headers: [("Range", "bytes=0-99")] + common,
            authorization:
                "OSS4-HMAC-SHA256 Credential=TESTAKID0001/20250115/cn-shanghai/oss/aliyun_v4_request, "
                + "Signature=16c28b770b1a881729b44904929e8835cadc72fbc5a2b2ea661e2061eb4f959d, "
                + "AdditionalHeaders=host;range"),
        OSSVector(
            testDescription: "A.5",
            line: "POST /sv/1f5a/video.mp4?uploadId=0004B9894A22E5B1888A1E29F823AAAA&encoding-type=url",
            headers: [("Content-Type", "application/xml"), ("Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg=="), token] + common,
            authorization: v4("369b4fdd73d1cacc710703b6e6a326d63d0a64323e24c92c6b13938b277df3f2"),
            token: token.1),
        OSSVector(
            testDescription: "A.6", line: "GET /?uploads&encoding-type=url&prefix=a%2Fb%20c&max-uploads=2",
            headers: common,
            authorization: v4("a087a30e9d6efd99eb6ebf24cccdae48c892e74fc2d45c1d3aae97fa2aad67f3")),
        OSSVector(
            testDescription: "A.10, custom domain", line: "PUT /video/a.mp4",
            headers: [("Content-Type", "video/mp4"), ("x-oss-meta-author", "alice"), ("Host", "media.example.com")]
                + common,
            authorization: v4("7cfd806ae228fb29d604355c5c0c47a107e79ebe15421d527596ef748aa2488d"), signsQuery: false),
        OSSVector(
            testDescription: "A.10, path style", line: "PUT /examplebucket/video/a.mp4",
            headers: [("Content-Type", "video/mp4"), ("x-oss-meta-author", "alice"), ("Host", "127.0.0.1")] + common,
            authorization: v4("7cfd806ae228fb29d604355c5c0c47a107e79ebe15421d527596ef748aa2488d"), signsQuery: false),
    ]

    static let v4URLs = [
        OSSVector(
            testDescription: "A.7",
            line: "GET \(difficultKey)?response-content-disposition=attachment%3B%20filename%3D%22a%20b.mp4%22"
                + "&x-oss-signature-version=OSS4-HMAC-SHA256&x-oss-date=20250115T083000Z&x-oss-expires=3600"
                + "&x-oss-credential=TESTAKID0001%2F20250115%2Fcn-shanghai%2Foss%2Faliyun_v4_request"
                + "&x-oss-security-token=CAIS%2Btok%2Fen%3D%3D"
                + "&x-oss-signature=d16219b4472f13f28eef40f9a4a4032f6c34bbca943719bdbe8577de7c3071bb",
            token: token.1),
        OSSVector(
            testDescription: "A.8",
            line: "PUT /video/a.mp4?x-oss-signature-version=OSS4-HMAC-SHA256&x-oss-date=20250115T083000Z"
                + "&x-oss-expires=900&x-oss-credential=TESTAKID0001%2F20250115%2Fcn-shanghai%2Foss%2Faliyun_v4_request"
                + "&x-oss-additional-headers=host"
                + "&x-oss-signature=75b431758f59039103cf8d4d9a1d82d13e88af9c76493cadaf64dded6ee0f47c",
            headers: [("Content-Type", "video/mp4")]),
    ]

    /// A.9, with the parameters in an order of their own on the wire.
    private static func public9(
        _ name: String, _ time: Double, _ date: String, _ signature: String, token: String? = nil,
        additional: String? = nil, inURL: Bool = false
    ) -> OSSVector {
        let scope = "\(date.prefix(8))/cn-hangzhou/oss/aliyun_v4_request"
        var line = "PUT /1234%2B-/123/1.txt?param1=value1&%2Bparam1=value3&%7Cparam1=value4&%2Bparam2&%7Cparam2&param2"
        var headers = [("x-oss-head1", "value"), ("abc", "value"), ("ZAbc", "value"), ("XYZ", "value")]
        var authorization: String?
        if inURL {
            line +=
                "&x-oss-signature-version=OSS4-HMAC-SHA256&x-oss-date=\(date)&x-oss-expires=599"
                + "&x-oss-credential=" + OSSTestSigner.encode("ak/" + scope)
            if let token { line += "&x-oss-security-token=\(token)" }
            line += "&x-oss-signature=\(signature)"
            headers.append(("Content-Type", "application/octet-stream"))
        } else {
            headers += [
                ("content-type", "text/plain"), ("x-oss-date", date), ("x-oss-content-sha256", "UNSIGNED-PAYLOAD"),
            ]
            if let token { headers.append(("x-oss-security-token", token)) }
            let list = additional.map { "AdditionalHeaders=\($0)," } ?? ""
            authorization = "OSS4-HMAC-SHA256 Credential=ak/\(scope),\(list)Signature=\(signature)"
        }
        return OSSVector(
            testDescription: "A.9 \(name)", line: line, headers: headers, authorization: authorization,
            accessKey: "ak", secretKey: "sk", token: token, bucket: "bucket", region: "cn-hangzhou", time: time)
    }

    static let published = [
        public9(
            "plain", 1_702_743_657, "20231216T162057Z",
            "e21d18daa82167720f9b1047ae7e7f1ce7cb77a31e8203a7d5f4624fa0284afe"),
        public9(
            "token", 1_702_784_856, "20231217T034736Z",
            "b94a3f999cf85bcdc00d332fbd3734ba03e48382c36fa4d5af5df817395bd9ea", token: "token"),
        public9(
            "additional", 1_702_747_512, "20231216T172512Z",
            "4a4183c187c07c8947db7620deb0a6b38d9fbdd34187b6dbaccb316fa251212f", additional: "abc;zabc"),
        public9(
            "URL", 1_702_781_677, "20231217T025437Z",
            "a39966c61718be0d5b14e668088b3fa07601033f6518ac7b523100014269c0fe", inURL: true),
        public9(
            "URL and token", 1_702_785_388, "20231217T035628Z",
            "3817ac9d206cd6dfc90f1c09c00be45005602e55898f26f5ddb06d7892e1f8b5", token: "token", inURL: true),
    ]

    private static let manualKey = "44CF9590006BF252F707"
    private static let manualSecret = "OtxrzxIsfpFjA7SwPzILwy8Bw21TLhquhboDYROV"

    static let v1 = [
        OSSVector(
            testDescription: "B.1", line: "PUT /video/a.mp4",
            headers: [("Content-Type", "video/mp4"), ("x-oss-meta-author", "alice"), date],
            authorization: "OSS TESTAKID0001:tcjx+DZtutwed9oQ8ppGvV9P6jg=", signsQuery: false),
        OSSVector(
            testDescription: "B.2",
            line: "PUT /sv/1f5a/video.mp4?uploadId=0004B9894A22E5B1888A1E29F823AAAA&partNumber=1",
            headers: [("Content-Type", "application/octet-stream"), date, token],
            authorization: "OSS TESTAKID0001:4KqIdslF9uYjt18CfjueTRFk1W0=", token: token.1),
        OSSVector(
            testDescription: "B.3", line: "POST \(difficultKey)?encoding-type=url&uploads=",
            headers: [("Content-Type", "video/mp4"), ("x-oss-forbid-overwrite", "true"), date, token],
            authorization: "OSS TESTAKID0001:hOzJbhhwaS4ZEby5tDMkkvPYuTs=", token: token.1),
        OSSVector(
            testDescription: "B.4",
            line: "GET /video/a.mp4?response-content-type=text%2Fplain%3B%20a%3Db&max-keys=1", headers: [date],
            authorization: "OSS TESTAKID0001:C/obMoLPkp0mpMp88OYeBz6aRFs="),
        OSSVector(
            testDescription: "B.5", line: "GET /?uploads&encoding-type=url&prefix=a&max-uploads=2", headers: [date],
            authorization: "OSS TESTAKID0001:0uVoi9v8rCdBNE4PuMKnKxz3ro0="),
        OSSVector(
            testDescription: "B.6",
            line: "GET \(difficultKey)?security-token=CAIS%2Btok%2Fen%3D%3D&OSSAccessKeyId=TESTAKID0001"
                + "&Expires=1736933400&Signature=mEFVSas82%2FnYZQlu1oqg8r1sdQU%3D",
            token: token.1),
        OSSVector(
            testDescription: "B.7", line: "PUT /nelson",
            headers: [
                ("Content-MD5", "ODBGOERFMDMzQTczRUY3NUE3NzA5QzdFNUYzMDQxNEM="), ("Content-Type", "text/html"),
                ("Date", "Thu, 17 Nov 2005 18:49:58 GMT"), ("X-OSS-Meta-Author", "foo@bar.com"),
                ("X-OSS-Magic", "abracadabra"),
            ],
            authorization: "OSS \(manualKey):26NBxoKdsyly4EDv6inkoDft/yA=", accessKey: manualKey,
            secretKey: manualSecret, bucket: "oss-example", time: 1_132_253_398, signsQuery: false),
        OSSVector(
            testDescription: "B.8",
            line: "GET /oss-api.pdf?OSSAccessKeyId=\(manualKey)&Expires=1141889120"
                + "&Signature=EwaNTn1erJGkimiJ9WmXgwnANLc%3D",
            accessKey: manualKey, secretKey: manualSecret, bucket: "oss-example", time: 1_141_889_060,
            signsQuery: false),
    ]
}
