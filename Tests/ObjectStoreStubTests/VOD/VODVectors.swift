import Testing

/// Requests that were signed by official clients or printed in manuals, as bytes on the wire.
struct VODVector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var accessKey = "TESTAKID0001"
    var secretKey = "TestSecret/With+Chars=0001"
    var token: String?
    /// Seconds since 1970 of the date that was signed.
    var time: Double = 1_736_929_800
    let request: String
    /// What the server says once it has accepted the signature.
    let status: Int
    var code: String?

    /// The bytes with the line ends of HTTP; a body follows its empty line as it is.
    func bytes(changing change: (String) -> String = { $0 }) -> [UInt8] {
        let text = change(request)
        let end = text.firstRange(of: "\n\n")
        let head = text[..<(end?.lowerBound ?? text.endIndex)].replacing("\n", with: "\r\n")
        return Array((head + "\r\n\r\n" + (end.map { text[$0.upperBound...] } ?? "")).utf8)
    }

    static let refreshByParameter = VODVector(
        testDescription: "C.1 RefreshUploadVideo, GET, token", token: "CAIS+tok/en==",
        request: """
            GET /?AccessKeyId=TESTAKID0001&Action=RefreshUploadVideo&Format=JSON&SecurityToken=CAIS%2Btok%2Fen%3D%3D&\
            SignatureMethod=HMAC-SHA1&SignatureNonce=9b7a44b0-3be1-11e5-8c73-08002700c460&SignatureVersion=1.0&\
            Timestamp=2025-01-15T08%3A30%3A00Z&Version=2017-03-21&VideoId=93ab850b4f6f44eab54b6e91d24d81d4&\
            Signature=bReUcZP%2FyN9%2FISbZ29Vc1aF5TmA%3D HTTP/1.1
            Host: vod.cn-shanghai.aliyuncs.com
            """, status: 404, code: "InvalidVideo.NotFound")

    private static let publicParameters = """
        AccessKeyId=TESTAKID0001&Action=CreateUploadVideo&Format=JSON&SignatureMethod=HMAC-SHA1&\
        SignatureNonce=9b7a44b0-3be1-11e5-8c73-08002700c460&SignatureVersion=1.0&\
        Timestamp=2025-01-15T08%3A30%3A00Z&Version=2017-03-21&Signature=%2B%2F0L2FRpLPmpq4aFLtYxLBysCq8%3D
        """
    private static let business = """
        CateId=1000&CoverURL=https%3A%2F%2Fexample.com%2Fc.jpg&FileName=dir%2F%E6%88%91%E7%9A%84%20a.mp4&\
        FileSize=1234&Tags=t1%2Ct2&Title=My%20%E8%A7%86%E9%A2%91%20a%2Bb%2Ac~&\
        UserData=%7B%22Type%22%3A%22oss%22%2C%22Domain%22%3A%22oss-accelerate.aliyuncs.com%22%7D
        """

    static let createByParameter = VODVector(
        testDescription: "C.1 CreateUploadVideo, POST, parameters in the query",
        request: """
            POST /?\(publicParameters)&\(business) HTTP/1.1
            Host: vod.cn-shanghai.aliyuncs.com
            Content-Length: 0
            """, status: 200)

    static let createByForm = VODVector(
        testDescription: "C.1 CreateUploadVideo, POST, parameters in the form",
        request: """
            POST /?\(publicParameters) HTTP/1.1
            Host: vod.cn-shanghai.aliyuncs.com
            Content-Type: application/x-www-form-urlencoded
            Content-Length: \(business.utf8.count)

            \(business)
            """, status: 200)

    static let publishedParameter = VODVector(
        testDescription: "C.1 published example, DescribeRegions", accessKey: "testid", secretKey: "testsecret",
        time: 1_456_231_584,
        request: """
            GET /?Timestamp=2016-02-23T12%3A46%3A24Z&Format=XML&AccessKeyId=testid&Action=DescribeRegions&\
            SignatureMethod=HMAC-SHA1&SignatureNonce=3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf&Version=2014-05-26&\
            SignatureVersion=1.0&Signature=OLeaidS1JvxuMvnyHOwuJ%2BuX5qY%3D HTTP/1.1
            Host: ecs.aliyuncs.com
            """, status: 400, code: "InvalidVersion")

    static let createByHeader = VODVector(
        testDescription: "C.2 CreateUploadVideo, POST",
        request: """
            POST /?\(business) HTTP/1.1
            Host: vod.cn-shanghai.aliyuncs.com
            x-acs-action: CreateUploadVideo
            x-acs-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
            x-acs-date: 2025-01-15T08:30:00Z
            x-acs-signature-nonce: 9b7a44b0-3be1-11e5-8c73-08002700c460
            x-acs-version: 2017-03-21
            Authorization: ACS3-HMAC-SHA256 Credential=TESTAKID0001,SignedHeaders=host;x-acs-action;\
            x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,\
            Signature=5f6fbb092ee4e48bba67de7c38dce318e82abab3c81043e9ff4f9d46577bae83
            Content-Length: 0
            """, status: 200)

    static let createByHeaderWithToken = VODVector(
        testDescription: "C.2 CreateUploadVideo, POST, token", token: "CAIS+tok/en==",
        request: """
            POST /?\(business) HTTP/1.1
            Host: vod.cn-shanghai.aliyuncs.com
            x-acs-action: CreateUploadVideo
            x-acs-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
            x-acs-date: 2025-01-15T08:30:00Z
            x-acs-security-token: CAIS+tok/en==
            x-acs-signature-nonce: 9b7a44b0-3be1-11e5-8c73-08002700c460
            x-acs-version: 2017-03-21
            Authorization: ACS3-HMAC-SHA256 Credential=TESTAKID0001,SignedHeaders=host;x-acs-action;\
            x-acs-content-sha256;x-acs-date;x-acs-security-token;x-acs-signature-nonce;x-acs-version,\
            Signature=827031b65c62ca14685ea62e16303da8e5a8db98948455a16bd6ae34d0423bde
            Content-Length: 0
            """, status: 200)

    static let publishedHeader = VODVector(
        testDescription: "C.2 published example, RunInstances", accessKey: "YourAccessKeyId",
        secretKey: "YourAccessKeySecret", time: 1_698_315_752,
        request: """
            POST /?ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai HTTP/1.1
            Host: ecs.cn-shanghai.aliyuncs.com
            x-acs-action: RunInstances
            x-acs-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
            x-acs-date: 2023-10-26T10:22:32Z
            x-acs-signature-nonce: 3156853299f313e23d1673dc12e1703d
            x-acs-version: 2014-05-26
            Authorization: ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;\
            x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,\
            Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0
            Content-Length: 0
            """, status: 400, code: "InvalidVersion")

    static let all = [
        refreshByParameter, createByParameter, createByForm, publishedParameter, createByHeader,
        createByHeaderWithToken, publishedHeader,
    ]
}
