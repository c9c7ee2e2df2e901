import Testing

/// Requests as official SDKs put them on the wire, with the inputs that made them.
struct SignatureVector: Sendable, CustomTestStringConvertible {
    let name: String
    let request: String
    var accessKey = "AKTPEXAMPLE0000000000000001"
    var secretKey = "ExampleSecretKeyForTestVectorsOnly=="
    var region = "cn-beijing"
    /// Seconds since 1970 of the request's date.
    var time: Double = 1_751_356_800

    var testDescription: String { name }

    /// The bytes with the line ends of HTTP; a body follows its empty line as it is.
    var bytes: [UInt8] {
        let halves = request.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        let head = halves[0].split(separator: "\n").joined(separator: "\r\n")
        return Array((head + "\r\n\r\n" + (halves.count > 1 ? halves[1] : "")).utf8)
    }

    /// The session token among the request's headers or in its query.
    var token: String? { request.contains("STSexampleToken") ? "STSexampleToken+/=abc" : nil }

    static let all: [SignatureVector] = [
        SignatureVector(
            name: "V1",
            request: #"""
                GET /plain.txt HTTP/1.1
                x-tos-content-sha256: UNSIGNED-PAYLOAD
                Host: src-bucket.tos-cn-beijing.volces.com
                Date: 20250701T080000Z
                x-tos-date: 20250701T080000Z
                Authorization: TOS4-HMAC-SHA256 Credential=AKTPEXAMPLE0000000000000001/20250701/cn-beijing/tos/request, SignedHeaders=host;x-tos-content-sha256;x-tos-date, Signature=fa08b35b36eec5dfa5a9ab6972314085b973c7add9f6c88df008ba6a768ed008
                """#),
        SignatureVector(
            name: "V2",
            request: #"""
                HEAD /dir%20a/%E4%B8%AD%E6%96%87%2B%26%3D%27%28%29%2A%21~%2C%3B%40%24%23%3F%25.txt?versionId=v%2B1%2F2%3D HTTP/1.1
                x-tos-content-sha256: UNSIGNED-PAYLOAD
                Host: src-bucket.tos-cn-beijing.volces.com
                Date: 20250701T080000Z
                x-tos-date: 20250701T080000Z
                Authorization: TOS4-HMAC-SHA256 Credential=AKTPEXAMPLE0000000000000001/20250701/cn-beijing/tos/request, SignedHeaders=host;x-tos-content-sha256;x-tos-date, Signature=658d43e88aa14ca1f781d75bf421710001cc42ee6f39817749e4450063b0dd37
                """#),
        SignatureVector(
            name: "V3",
            request: #"""
                POST /copied/large%20file.bin?uploads= HTTP/1.1
                x-tos-meta-name: %E7%81%AB%E5%B1%B1
                x-tos-meta-k: a%20b
                x-tos-acl: private
                content-type: application/octet-stream
                x-tos-storage-class: IA
                x-tos-content-sha256: UNSIGNED-PAYLOAD
                Host: dst-bucket.tos-cn-beijing.volces.com
                x-tos-security-token: STSexampleToken+/=abc
                Date: 20250701T080000Z
                x-tos-date: 20250701T080000Z
                Authorization: TOS4-HMAC-SHA256 Credential=AKTPEXAMPLE0000000000000001/20250701/cn-beijing/tos/request, SignedHeaders=content-type;host;x-tos-acl;x-tos-content-sha256;x-tos-date;x-tos-meta-k;x-tos-meta-name;x-tos-security-token;x-tos-storage-class, Signature=5608e1ee2a5168d0b6119da9b0308db590cba234d70e188716af8ef3612bafeb
                Content-Length: 0
                """#),
        SignatureVector(
            name: "V4",
            request: #"""
                PUT /copied/large%20file.bin?uploadId=f93f6fc9da94371f321e1008&partNumber=2 HTTP/1.1
                x-tos-copy-source: src-bucket/dir%20a/%E4%B8%AD%E6%96%87%2B%26%3D%27%28%29%2A%21~%2C%3B%40%24%23%3F%25.txt?versionId=v+1/2=
                x-tos-copy-source-if-match: "0123456789abcdef0123456789abcdef"
                x-tos-copy-source-range: bytes=20971520-41943039
                x-tos-content-sha256: UNSIGNED-PAYLOAD
                Host: dst-bucket.tos-cn-beijing.volces.com
                x-tos-security-token: STSexampleToken+/=abc
                Date: 20250701T080000Z
                x-tos-date: 20250701T080000Z
                Authorization: TOS4-HMAC-SHA256 Credential=AKTPEXAMPLE0000000000000001/20250701/cn-beijing/tos/request, SignedHeaders=host;x-tos-content-sha256;x-tos-copy-source;x-tos-copy-source-if-match;x-tos-copy-source-range;x-tos-date;x-tos-security-token, Signature=2f2249f73026ae345a6008d229b64054bd13167bb34c6882fb14a15076792ab2
                Content-Length: 0
                """#),
        SignatureVector(
            name: "V5",
            request: #"""
                POST /copied/large%20file.bin?uploadId=f93f6fc9da94371f321e1008 HTTP/1.1
                x-tos-content-sha256: UNSIGNED-PAYLOAD
                Host: dst-bucket.tos-cn-beijing.volces.com
                Date: 20250701T080000Z
                x-tos-date: 20250701T080000Z
                Authorization: TOS4-HMAC-SHA256 Credential=AKTPEXAMPLE0000000000000001/20250701/cn-beijing/tos/request, SignedHeaders=host;x-tos-content-sha256;x-tos-date, Signature=489860c40d623fa93c07e0703c75d83b33a96ecddd362b7ef6d3f72403d30a00
                Content-Length: 83

                {"Parts": [{"PartNumber": 1, "ETag": "part1"}, {"PartNumber": 2, "ETag": "part2"}]}
                """#),
        SignatureVector(
            name: "V5b",
            request: #"""
                POST /copied/large%20file.bin?uploadId=f93f6fc9da94371f321e1008 HTTP/1.1
                x-tos-complete-all: yes
                x-tos-content-sha256: UNSIGNED-PAYLOAD
                Host: dst-bucket.tos-cn-beijing.volces.com
                Date: 20250701T080000Z
                x-tos-date: 20250701T080000Z
                Authorization: TOS4-HMAC-SHA256 Credential=AKTPEXAMPLE0000000000000001/20250701/cn-beijing/tos/request, SignedHeaders=host;x-tos-complete-all;x-tos-content-sha256;x-tos-date, Signature=61fe110364510108a466ab8acc1b67e7a3346b82ef67e61e8cab20ddc8c871ce
                Content-Length: 0
                """#),
        SignatureVector(
            name: "V6",
            request: #"""
                GET /copied/large%20file.bin?uploadId=f93f6fc9da94371f321e1008&max-parts=100&part-number-marker=2 HTTP/1.1
                x-tos-content-sha256: UNSIGNED-PAYLOAD
                Host: dst-bucket.tos-cn-beijing.volces.com
                Date: 20250701T080000Z
                x-tos-date: 20250701T080000Z
                Authorization: TOS4-HMAC-SHA256 Credential=AKTPEXAMPLE0000000000000001/20250701/cn-beijing/tos/request, SignedHeaders=host;x-tos-content-sha256;x-tos-date, Signature=124975ca243d31b185de3ed9e1c0916a6339b2cfcffbab2b57ea8bb1c3be2d35
                """#),
        SignatureVector(
            name: "V7",
            request: #"""
                DELETE /copied/large%20file.bin?uploadId=f93f6fc9da94371f321e1008 HTTP/1.1
                x-tos-content-sha256: UNSIGNED-PAYLOAD
                Host: dst-bucket.tos-cn-beijing.volces.com
                Date: 20250701T080000Z
                x-tos-date: 20250701T080000Z
                Authorization: TOS4-HMAC-SHA256 Credential=AKTPEXAMPLE0000000000000001/20250701/cn-beijing/tos/request, SignedHeaders=host;x-tos-content-sha256;x-tos-date, Signature=a8cb08500c53ec330e59cd491d71ff9278413adc3ced358399809312e6667af9
                Content-Length: 0
                """#),
        SignatureVector(
            name: "V8",
            request: #"""
                PUT /b.txt HTTP/1.1
                x-tos-meta-new-meta-key: new-meta-value
                x-tos-copy-source: src-bucket/a/b%20c.txt
                x-tos-metadata-directive: REPLACE
                content-type: text/plain
                x-tos-acl: private
                x-tos-content-sha256: UNSIGNED-PAYLOAD
                Host: dst-bucket.tos-cn-beijing.volces.com
                Date: 20250701T080000Z
                x-tos-date: 20250701T080000Z
                Authorization: TOS4-HMAC-SHA256 Credential=AKTPEXAMPLE0000000000000001/20250701/cn-beijing/tos/request, SignedHeaders=content-type;host;x-tos-acl;x-tos-content-sha256;x-tos-copy-source;x-tos-date;x-tos-meta-new-meta-key;x-tos-metadata-directive, Signature=3bed82633919437d8d6af9538be9745ecba7c397649e0ccd6cc4df72b97dbf57
                Content-Length: 0
                """#),
        SignatureVector(
            name: "V9",
            request: #"""
                PUT /b.txt HTTP/1.1
                content-type: text/plain
                Expect: 100-continue
                x-tos-content-sha256: UNSIGNED-PAYLOAD
                Host: dst-bucket.tos-cn-beijing.volces.com
                Date: 20250701T080000Z
                x-tos-date: 20250701T080000Z
                Authorization: TOS4-HMAC-SHA256 Credential=AKTPEXAMPLE0000000000000001/20250701/cn-beijing/tos/request, SignedHeaders=content-type;host;x-tos-content-sha256;x-tos-date, Signature=c0fc55566d9356ae802cf50068b6c87ad2a45dc33d13d5d6ff39fc235106d3f5
                Content-Length: 5

                hello
                """#),
        SignatureVector(
            name: "V10",
            request: #"""
                PUT /b.txt?uploadId=f93f6fc9da94371f321e1008&partNumber=1 HTTP/1.1
                Expect: 100-continue
                x-tos-content-sha256: UNSIGNED-PAYLOAD
                Host: dst-bucket.tos-cn-beijing.volces.com
                Date: 20250701T080000Z
                x-tos-date: 20250701T080000Z
                Authorization: TOS4-HMAC-SHA256 Credential=AKTPEXAMPLE0000000000000001/20250701/cn-beijing/tos/request, SignedHeaders=host;x-tos-content-sha256;x-tos-date, Signature=8626a2b2e117803ca443260ab0d2f9a97acd2c8f4f8726f82841d59bc846ba54
                Content-Length: 5

                hello
                """#),
        SignatureVector(
            name: "V11",
            request: #"""
                GET /?uploads=&delimiter=%2F&max-uploads=10&prefix=a%2F HTTP/1.1
                x-tos-content-sha256: UNSIGNED-PAYLOAD
                Host: dst-bucket.tos-cn-beijing.volces.com
                Date: 20250701T080000Z
                x-tos-date: 20250701T080000Z
                Authorization: TOS4-HMAC-SHA256 Credential=AKTPEXAMPLE0000000000000001/20250701/cn-beijing/tos/request, SignedHeaders=host;x-tos-content-sha256;x-tos-date, Signature=49fbe03e50085702ce501c84998d59146548f2cfceeacc41e591902bd5d0d5e9
                """#),
        SignatureVector(
            name: "V12",
            request: #"""
                DELETE /b.txt?versionId=v1 HTTP/1.1
                x-tos-content-sha256: UNSIGNED-PAYLOAD
                Host: dst-bucket.tos-cn-beijing.volces.com
                Date: 20250701T080000Z
                x-tos-date: 20250701T080000Z
                Authorization: TOS4-HMAC-SHA256 Credential=AKTPEXAMPLE0000000000000001/20250701/cn-beijing/tos/request, SignedHeaders=host;x-tos-content-sha256;x-tos-date, Signature=fec2459ab935a2bdee32a7028b4642cc63cdd12de4709bb0c5ada2076a1c07d0
                Content-Length: 0
                """#),
        SignatureVector(
            name: "P1",
            request: #"""
                GET /plain.txt?X-Tos-Algorithm=TOS4-HMAC-SHA256&X-Tos-Credential=AKTPEXAMPLE0000000000000001%2F20250701%2Fcn-beijing%2Ftos%2Frequest&X-Tos-Date=20250701T080000Z&X-Tos-Expires=3600&X-Tos-SignedHeaders=host&X-Tos-Signature=5dbdd301764e0b982bee5f4ccaed18940ce48793cdedb11aa82fc431b061089b HTTP/1.1
                Host: src-bucket.tos-cn-beijing.volces.com
                """#),
        SignatureVector(
            name: "P2",
            request: #"""
                PUT /dir%20a/%E4%B8%AD%E6%96%87%2B%26%3D%27%28%29%2A%21~%2C%3B%40%24%23%3F%25.txt?partNumber=2&uploadId=f93f6fc9da94371f321e1008&X-Tos-Algorithm=TOS4-HMAC-SHA256&X-Tos-Credential=AKTPEXAMPLE0000000000000001%2F20250701%2Fcn-beijing%2Ftos%2Frequest&X-Tos-Date=20250701T080000Z&X-Tos-Expires=600&X-Tos-Security-Token=STSexampleToken%2B%2F%3Dabc&X-Tos-SignedHeaders=host&X-Tos-Signature=a85d6b112a689bab77f472dff3e8a2f1cac9f6d42e65fdbb142c1fd6422eb9dc HTTP/1.1
                Host: dst-bucket.tos-cn-beijing.volces.com
                Content-Length: 0
                """#),
        SignatureVector(
            name: "N1",
            request: #"""
                PUT /copied/large%20file.bin?partNumber=2&uploadId=f93f6fc9da94371f321e1008 HTTP/1.1
                Host: dst-bucket.tos-cn-beijing.volces.com
                x-tos-copy-source: /src-bucket/a%2Fb%20c.txt
                x-tos-copy-source-if-match: "0123456789abcdef0123456789abcdef"
                x-tos-copy-source-range: bytes=20971520-41943039
                x-tos-date: 20250701T080000Z
                Authorization: TOS4-HMAC-SHA256 Credential=AKTPEXAMPLE0000000000000001/20250701/cn-beijing/tos/request,SignedHeaders=host;x-tos-copy-source;x-tos-copy-source-if-match;x-tos-copy-source-range;x-tos-date,Signature=1fcce74d09c06c3f6f5dc2d9f6f3c96459e9755fcb8b2a7b375d0295e2d3d15c
                Content-Length: 0
                """#),
        SignatureVector(
            name: "G1",
            request: #"""
                GET /test.txt HTTP/1.1
                Host: test.tos.com:8080
                x-tos-date: 20210721T104454Z
                Authorization: TOS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20210721/cn-north-1/tos/request,SignedHeaders=host;x-tos-date,Signature=3453b54ecfc50e6ed3fc15cbdb82f8a18d644063302080fb18ee10daa4f1a23f
                """#,
            accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            region: "cn-north-1", time: 1_626_864_294),
        SignatureVector(
            name: "G2",
            request: #"""
                GET /test.txt?X-Tos-Algorithm=TOS4-HMAC-SHA256&X-Tos-Credential=AKIAIOSFODNN7EXAMPLE%2F20210721%2Fcn-north-1%2Ftos%2Frequest&X-Tos-Date=20210721T104454Z&X-Tos-Expires=3600&X-Tos-SignedHeaders=host&X-Tos-Signature=decc75e2b2d453117f81e53954eb2cd3a2f56db2951e9b2257863db4c4921111 HTTP/1.1
                Host: test.tos.com:8080
                """#,
            accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            region: "cn-north-1", time: 1_626_864_294),
        SignatureVector(
            name: "O1",
            request: #"""
                GET /exampleobject HTTP/1.1
                Host: examplebucket.tos-cn-beijing.volces.com
                x-tos-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
                x-tos-date: 20220101T000000Z
                Authorization: TOS4-HMAC-SHA256 Credential=testAK/20220101/cn-beijing/tos/request, SignedHeaders=host;x-tos-content-sha256;x-tos-date, Signature=d40b66cf0054d1642843670d10fa095e1609c7896f25df217770b0abe717693b
                """#,
            accessKey: "testAK", secretKey: "testSK", region: "cn-beijing", time: 1_640_995_200),
        SignatureVector(
            name: "O2",
            request: #"""
                GET /?list-type=2&prefix=abc&delimiter=%2F&max-keys=5&continuation-token=whvFnl2rE5vm9cWvQSgxwpc7QXHY7dgUGQ7nxlsVxFymg2%2BK227j5IHQZ32h HTTP/1.1
                Host: bucket.tos-cn-beijing.volces.com
                x-tos-date: 20260203T122412Z
                Authorization: TOS4-HMAC-SHA256 Credential=testAK/20260203/cn-beijing/tos/request, SignedHeaders=host;x-tos-date, Signature=db01ee877fa24847ec042703353a76a0e11bd9b6ce68eabe5ccb2924420156b0
                """#,
            accessKey: "testAK", secretKey: "testSK", region: "cn-beijing", time: 1_770_121_452),
        SignatureVector(
            name: "S1",
            request: #"""
                PUT /copied/large%20file.bin?partNumber=2&uploadId=f93f6fc9da94371f321e1008 HTTP/1.1
                Host: dst-bucket.tos-s3-cn-beijing.volces.com
                x-amz-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
                x-amz-copy-source: /src-bucket/a%2Fb%20c.txt
                x-amz-copy-source-if-match: "0123456789abcdef0123456789abcdef"
                x-amz-copy-source-range: bytes=20971520-41943039
                x-amz-date: 20250701T080000Z
                x-amz-security-token: STSexampleToken+/=abc
                Authorization: AWS4-HMAC-SHA256 Credential=AKTPEXAMPLE0000000000000001/20250701/cn-beijing/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-copy-source;x-amz-copy-source-if-match;x-amz-copy-source-range;x-amz-date;x-amz-security-token, Signature=cd3f3b8cdc2840e03a2e6d76eebbfcc3f381a6cdc29220b76bb5c28c49034daa
                Content-Length: 0
                """#),
        SignatureVector(
            name: "S2",
            request: #"""
                POST /copied/large%20file.bin?uploadId=f93f6fc9da94371f321e1008 HTTP/1.1
                Host: dst-bucket.tos-s3-cn-beijing.volces.com
                Content-Type: application/xml
                x-amz-content-sha256: 6f8695712616230068d051360a61fcf96d420b4b8e19eec6a45b0557dfd55a97
                x-amz-date: 20250701T080000Z
                x-amz-security-token: STSexampleToken+/=abc
                Authorization: AWS4-HMAC-SHA256 Credential=AKTPEXAMPLE0000000000000001/20250701/cn-beijing/s3/aws4_request, SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature=c2a723ef17936dcd432a44c9a00ad2762dd9d49f11580c638b1062cdad7cd2a2
                Content-Length: 217

                <CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Part><PartNumber>1</PartNumber><ETag>"part1"</ETag></Part><Part><PartNumber>2</PartNumber><ETag>"part2"</ETag></Part></CompleteMultipartUpload>
                """#),
    ]
}
