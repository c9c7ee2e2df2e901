import TransferHTTP

/// A signature vector of the TOS specification, section 5.3: the request's own parts, and what must come of them.
struct TOSVector: Sendable {
    let method: HTTPMethod
    let host: String
    let path: String
    var query: [HTTPRequest.QueryItem] = []
    var headers: KeyValuePairs<String, String> = [:]
    var hasToken = false
    let canonicalRequest: String
    let canonicalHash: String
    let signature: String
}

extension TOSVector {
    /// GET object, plain key, no token
    static let v1 = TOSVector(
        method: .get, host: "src-bucket.tos-cn-beijing.volces.com",
        path: "/plain.txt",
        headers: [
            "Date": "20250701T080000Z"
        ],
        canonicalRequest: #"""
            GET
            /plain.txt

            host:src-bucket.tos-cn-beijing.volces.com
            x-tos-content-sha256:UNSIGNED-PAYLOAD
            x-tos-date:20250701T080000Z

            host;x-tos-content-sha256;x-tos-date
            UNSIGNED-PAYLOAD
            """#,
        canonicalHash: "638f4a6b7ba5189d3d759d4bd242df60680b68dee60b32d8b6adbe4c4df46962",
        signature: "fa08b35b36eec5dfa5a9ab6972314085b973c7add9f6c88df008ba6a768ed008")

    /// HEAD, key `dir a/中文+&='()*!~,;@$#?%.txt`, `versionId` = `v+1/2=`
    static let v2 = TOSVector(
        method: .head, host: "src-bucket.tos-cn-beijing.volces.com",
        path: "/dir%20a/%E4%B8%AD%E6%96%87%2B%26%3D%27%28%29%2A%21~%2C%3B%40%24%23%3F%25.txt",
        query: [.init("versionId", "v+1/2=")],
        headers: [
            "Date": "20250701T080000Z"
        ],
        canonicalRequest: #"""
            HEAD
            /dir%20a/%E4%B8%AD%E6%96%87%2B%26%3D%27%28%29%2A%21~%2C%3B%40%24%23%3F%25.txt
            versionId=v%2B1%2F2%3D
            host:src-bucket.tos-cn-beijing.volces.com
            x-tos-content-sha256:UNSIGNED-PAYLOAD
            x-tos-date:20250701T080000Z

            host;x-tos-content-sha256;x-tos-date
            UNSIGNED-PAYLOAD
            """#,
        canonicalHash: "8783ceb69db76e8e64e6f03cc0374f82b499505f5b6d1af7790681bfd45190fa",
        signature: "658d43e88aa14ca1f781d75bf421710001cc42ee6f39817749e4450063b0dd37")

    /// CreateMultipartUpload with session token, metadata, ACL, storage class
    static let v3 = TOSVector(
        method: .post, host: "dst-bucket.tos-cn-beijing.volces.com",
        path: "/copied/large%20file.bin",
        query: [.init("uploads", "")],
        headers: [
            "x-tos-meta-name": "%E7%81%AB%E5%B1%B1",
            "x-tos-meta-k": "a%20b",
            "x-tos-acl": "private",
            "content-type": "application/octet-stream",
            "x-tos-storage-class": "IA",
            "Date": "20250701T080000Z",
        ],
        hasToken: true,
        canonicalRequest: #"""
            POST
            /copied/large%20file.bin
            uploads=
            content-type:application/octet-stream
            host:dst-bucket.tos-cn-beijing.volces.com
            x-tos-acl:private
            x-tos-content-sha256:UNSIGNED-PAYLOAD
            x-tos-date:20250701T080000Z
            x-tos-meta-k:a%20b
            x-tos-meta-name:%E7%81%AB%E5%B1%B1
            x-tos-security-token:STSexampleToken+/=abc
            x-tos-storage-class:IA

            content-type;host;x-tos-acl;x-tos-content-sha256;x-tos-date;x-tos-meta-k;x-tos-meta-name;x-tos-security-token;x-tos-storage-class
            UNSIGNED-PAYLOAD
            """#,
        canonicalHash: "feec9fe72d04f7bf9615c7c8ca2efa1c714751bb4d3a72b3c902a57ce12b9c69",
        signature: "5608e1ee2a5168d0b6119da9b0308db590cba234d70e188716af8ef3612bafeb")

    /// UploadPartCopy with session token (the Python form of the copy source, raw version id)
    static let v4 = TOSVector(
        method: .put, host: "dst-bucket.tos-cn-beijing.volces.com",
        path: "/copied/large%20file.bin",
        query: [.init("uploadId", "f93f6fc9da94371f321e1008"), .init("partNumber", "2")],
        headers: [
            "x-tos-copy-source":
                "src-bucket/dir%20a/%E4%B8%AD%E6%96%87%2B%26%3D%27%28%29%2A%21~%2C%3B%40%24%23%3F%25.txt?versionId=v+1/2=",
            "x-tos-copy-source-if-match": "\"0123456789abcdef0123456789abcdef\"",
            "x-tos-copy-source-range": "bytes=20971520-41943039",
            "Date": "20250701T080000Z",
        ],
        hasToken: true,
        canonicalRequest: #"""
            PUT
            /copied/large%20file.bin
            partNumber=2&uploadId=f93f6fc9da94371f321e1008
            host:dst-bucket.tos-cn-beijing.volces.com
            x-tos-content-sha256:UNSIGNED-PAYLOAD
            x-tos-copy-source:src-bucket/dir%20a/%E4%B8%AD%E6%96%87%2B%26%3D%27%28%29%2A%21~%2C%3B%40%24%23%3F%25.txt?versionId=v+1/2=
            x-tos-copy-source-if-match:"0123456789abcdef0123456789abcdef"
            x-tos-copy-source-range:bytes=20971520-41943039
            x-tos-date:20250701T080000Z
            x-tos-security-token:STSexampleToken+/=abc

            host;x-tos-content-sha256;x-tos-copy-source;x-tos-copy-source-if-match;x-tos-copy-source-range;x-tos-date;x-tos-security-token
            UNSIGNED-PAYLOAD
            """#,
        canonicalHash: "af2cf45e973ddb13afbd344a04cd10c4216929334972f1a654638b3131edff8e",
        signature: "2f2249f73026ae345a6008d229b64054bd13167bb34c6882fb14a15076792ab2")

    /// CompleteMultipartUpload, JSON body, no token
    static let v5 = TOSVector(
        method: .post, host: "dst-bucket.tos-cn-beijing.volces.com",
        path: "/copied/large%20file.bin",
        query: [.init("uploadId", "f93f6fc9da94371f321e1008")],
        headers: [
            "Date": "20250701T080000Z"
        ],
        canonicalRequest: #"""
            POST
            /copied/large%20file.bin
            uploadId=f93f6fc9da94371f321e1008
            host:dst-bucket.tos-cn-beijing.volces.com
            x-tos-content-sha256:UNSIGNED-PAYLOAD
            x-tos-date:20250701T080000Z

            host;x-tos-content-sha256;x-tos-date
            UNSIGNED-PAYLOAD
            """#,
        canonicalHash: "dd0ec512ec87fc90d0a41fe8bc04ade0dbeaa76b6533c5f78e68be34c1f5a66a",
        signature: "489860c40d623fa93c07e0703c75d83b33a96ecddd362b7ef6d3f72403d30a00")

    /// CompleteMultipartUpload with `x-tos-complete-all: yes`, empty body
    static let v5b = TOSVector(
        method: .post, host: "dst-bucket.tos-cn-beijing.volces.com",
        path: "/copied/large%20file.bin",
        query: [.init("uploadId", "f93f6fc9da94371f321e1008")],
        headers: [
            "x-tos-complete-all": "yes",
            "Date": "20250701T080000Z",
        ],
        canonicalRequest: #"""
            POST
            /copied/large%20file.bin
            uploadId=f93f6fc9da94371f321e1008
            host:dst-bucket.tos-cn-beijing.volces.com
            x-tos-complete-all:yes
            x-tos-content-sha256:UNSIGNED-PAYLOAD
            x-tos-date:20250701T080000Z

            host;x-tos-complete-all;x-tos-content-sha256;x-tos-date
            UNSIGNED-PAYLOAD
            """#,
        canonicalHash: "4eee5ec3dfd5f5f5d98ff97dd6e49b7b4fee12ab8a1c1214570209bf4ba9bfb5",
        signature: "61fe110364510108a466ab8acc1b67e7a3346b82ef67e61e8cab20ddc8c871ce")

    /// ListParts
    static let v6 = TOSVector(
        method: .get, host: "dst-bucket.tos-cn-beijing.volces.com",
        path: "/copied/large%20file.bin",
        query: [
            .init("uploadId", "f93f6fc9da94371f321e1008"), .init("max-parts", "100"), .init("part-number-marker", "2"),
        ],
        headers: [
            "Date": "20250701T080000Z"
        ],
        canonicalRequest: #"""
            GET
            /copied/large%20file.bin
            max-parts=100&part-number-marker=2&uploadId=f93f6fc9da94371f321e1008
            host:dst-bucket.tos-cn-beijing.volces.com
            x-tos-content-sha256:UNSIGNED-PAYLOAD
            x-tos-date:20250701T080000Z

            host;x-tos-content-sha256;x-tos-date
            UNSIGNED-PAYLOAD
            """#,
        canonicalHash: "7cb5b24db710f6843b48993bd190400ac619ac87fdca02e3a6c4a4613045dd2e",
        signature: "124975ca243d31b185de3ed9e1c0916a6339b2cfcffbab2b57ea8bb1c3be2d35")

    /// AbortMultipartUpload
    static let v7 = TOSVector(
        method: .delete, host: "dst-bucket.tos-cn-beijing.volces.com",
        path: "/copied/large%20file.bin",
        query: [.init("uploadId", "f93f6fc9da94371f321e1008")],
        headers: [
            "Date": "20250701T080000Z"
        ],
        canonicalRequest: #"""
            DELETE
            /copied/large%20file.bin
            uploadId=f93f6fc9da94371f321e1008
            host:dst-bucket.tos-cn-beijing.volces.com
            x-tos-content-sha256:UNSIGNED-PAYLOAD
            x-tos-date:20250701T080000Z

            host;x-tos-content-sha256;x-tos-date
            UNSIGNED-PAYLOAD
            """#,
        canonicalHash: "29870de57a7c3a770f4bd4ef688d6b617beeaaac73174e30dea1175d8b4920eb",
        signature: "a8cb08500c53ec330e59cd491d71ff9278413adc3ced358399809312e6667af9")

    /// CopyObject, REPLACE
    static let v8 = TOSVector(
        method: .put, host: "dst-bucket.tos-cn-beijing.volces.com",
        path: "/b.txt",
        headers: [
            "x-tos-meta-new-meta-key": "new-meta-value",
            "x-tos-copy-source": "src-bucket/a/b%20c.txt",
            "x-tos-metadata-directive": "REPLACE",
            "content-type": "text/plain",
            "x-tos-acl": "private",
            "Date": "20250701T080000Z",
        ],
        canonicalRequest: #"""
            PUT
            /b.txt

            content-type:text/plain
            host:dst-bucket.tos-cn-beijing.volces.com
            x-tos-acl:private
            x-tos-content-sha256:UNSIGNED-PAYLOAD
            x-tos-copy-source:src-bucket/a/b%20c.txt
            x-tos-date:20250701T080000Z
            x-tos-meta-new-meta-key:new-meta-value
            x-tos-metadata-directive:REPLACE

            content-type;host;x-tos-acl;x-tos-content-sha256;x-tos-copy-source;x-tos-date;x-tos-meta-new-meta-key;x-tos-metadata-directive
            UNSIGNED-PAYLOAD
            """#,
        canonicalHash: "1346f81fb570fafdad032e6053435bcc2e0adf191d9df912c9c5cd337ef7e90e",
        signature: "3bed82633919437d8d6af9538be9745ecba7c397649e0ccd6cc4df72b97dbf57")

    /// PutObject, body `hello`
    static let v9 = TOSVector(
        method: .put, host: "dst-bucket.tos-cn-beijing.volces.com",
        path: "/b.txt",
        headers: [
            "content-type": "text/plain",
            "Date": "20250701T080000Z",
        ],
        canonicalRequest: #"""
            PUT
            /b.txt

            content-type:text/plain
            host:dst-bucket.tos-cn-beijing.volces.com
            x-tos-content-sha256:UNSIGNED-PAYLOAD
            x-tos-date:20250701T080000Z

            content-type;host;x-tos-content-sha256;x-tos-date
            UNSIGNED-PAYLOAD
            """#,
        canonicalHash: "7318aa6616c89f6bb8b01f7ae078a01c5ca7984bec5363dc83932d2855abb266",
        signature: "c0fc55566d9356ae802cf50068b6c87ad2a45dc33d13d5d6ff39fc235106d3f5")

    /// UploadPart, body `hello` (the empty-body part signs identically)
    static let v10 = TOSVector(
        method: .put, host: "dst-bucket.tos-cn-beijing.volces.com",
        path: "/b.txt",
        query: [.init("uploadId", "f93f6fc9da94371f321e1008"), .init("partNumber", "1")],
        headers: [
            "Date": "20250701T080000Z"
        ],
        canonicalRequest: #"""
            PUT
            /b.txt
            partNumber=1&uploadId=f93f6fc9da94371f321e1008
            host:dst-bucket.tos-cn-beijing.volces.com
            x-tos-content-sha256:UNSIGNED-PAYLOAD
            x-tos-date:20250701T080000Z

            host;x-tos-content-sha256;x-tos-date
            UNSIGNED-PAYLOAD
            """#,
        canonicalHash: "d3db8d537ebcc9b6e9ea913d3e4074cf39b32c4333ac9feb2e07a096bf36d0d5",
        signature: "8626a2b2e117803ca443260ab0d2f9a97acd2c8f4f8726f82841d59bc846ba54")

    /// ListMultipartUploads
    static let v11 = TOSVector(
        method: .get, host: "dst-bucket.tos-cn-beijing.volces.com",
        path: "/",
        query: [.init("uploads", ""), .init("delimiter", "/"), .init("max-uploads", "10"), .init("prefix", "a/")],
        headers: [
            "Date": "20250701T080000Z"
        ],
        canonicalRequest: #"""
            GET
            /
            delimiter=%2F&max-uploads=10&prefix=a%2F&uploads=
            host:dst-bucket.tos-cn-beijing.volces.com
            x-tos-content-sha256:UNSIGNED-PAYLOAD
            x-tos-date:20250701T080000Z

            host;x-tos-content-sha256;x-tos-date
            UNSIGNED-PAYLOAD
            """#,
        canonicalHash: "a6319f639a100ce26ecf238a9a1c3f107297d6c8e1871ec2c7f50df0c79ca5fe",
        signature: "49fbe03e50085702ce501c84998d59146548f2cfceeacc41e591902bd5d0d5e9")

    /// DeleteObject of a version
    static let v12 = TOSVector(
        method: .delete, host: "dst-bucket.tos-cn-beijing.volces.com",
        path: "/b.txt",
        query: [.init("versionId", "v1")],
        headers: [
            "Date": "20250701T080000Z"
        ],
        canonicalRequest: #"""
            DELETE
            /b.txt
            versionId=v1
            host:dst-bucket.tos-cn-beijing.volces.com
            x-tos-content-sha256:UNSIGNED-PAYLOAD
            x-tos-date:20250701T080000Z

            host;x-tos-content-sha256;x-tos-date
            UNSIGNED-PAYLOAD
            """#,
        canonicalHash: "dfd56e9b150f91285465314e179eceb131bda73ae952da7973223b21ef241b8c",
        signature: "fec2459ab935a2bdee32a7028b4642cc63cdd12de4709bb0c5ada2076a1c07d0")
}
