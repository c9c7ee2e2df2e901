import ObjectStoreStub

/// The command line of the program.
struct CommandLineOptions {
    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    struct Object {
        let bucket: String
        let key: String
        let content: ObjectContent
    }

    private static let quirks: [String: @Sendable (inout Quirks) -> Void] = [
        "bare-copy-etags": { $0.quotesETagInCopyResults = false },
        "bare-etags": { $0.quotesETagElsewhere = false },
        "complete-lists-every-part": { $0.completeMustListEveryPart = true },
        "copy-source-decoded-twice": { $0.decodesCopySourceTwice = true },
        "ignored-copy-conditions": { $0.honoursCopyConditions = false },
        "namespaces": { $0.namesXMLNamespace = true },
        "no-checksum-trailers": { $0.refusesChecksumTrailers = true },
        "no-checksums": { $0.reportsChecksums = false },
        "no-complete-etag": { $0.namesETagOfCompleted = false },
        "no-path-style": { $0.refusesPathStyle = true },
        "parts-in-any-order": { $0.acceptsPartsOutOfOrder = true },
        "skew-as-signing-date": { $0.reportsSkewAsSigningDate = true },
        "wrapped-errors": { $0.wrapsErrors = true },
    ]

    static let help = """
        usage: object-store-stub [options]

        A local object server for tests. It speaks the native dialect of Volcano Engine TOS, S3 (as TOS's S3-compatible
        endpoint and Amazon do), Aliyun OSS (signatures V4 and V1) and the OpenAPI of ApsaraVideo VOD, told apart by their
        headers; it checks signatures, and keeps everything in memory. It prints one key=value a line (endpoint, region, oss-region, access-key, secret-key,
        security-token, bucket, app-server) and then a line that says ready. SIGINT and SIGTERM stop it with status 0.

          --port N                   listen on port N; 0, the default, lets the system choose
          --host ADDRESS             numeric address to listen on; default 127.0.0.1, also ::1
          --bucket NAME              create a bucket; may be repeated
          --versioned-bucket NAME    create a bucket that keeps versions; may be repeated
          --object BUCKET/KEY=SIZE   store pseudo-random content; SIZE in bytes or with k, m, g, t (powers of 1024)
          --pretend BUCKET/KEY=SIZE  store an object of any size that takes no memory
          --discard BUCKET           of uploads to this bucket keep only length and CRC-64
          --latency MS               wait so long before every answer
          --access-key KEY           with --secret-key KEY: the keys to accept
          --token TOKEN              the session token that goes with them
          --region REGION            region of signatures and buckets for TOS and S3; default cn-beijing
          --oss-region REGION        the same for OSS; default cn-shanghai
          --vod-bucket NAME          the bucket of VOD media; default vod-bucket
          --token-life SECONDS       how long the keys of a VOD upload are good; default 3000
          --quirk NAME               differ from the manual as some services do; may be repeated:
                                     \(quirks.keys.sorted().joined(separator: "\n                             "))
          --log                      one line a request on standard error
          --help                     this text

        Pages without signature for other processes: /_stub/objects/BUCKET/KEY, /_stub/uploads, /_stub/parts,
        /_stub/log, /_stub/requests, /_stub/vod. The app server takes POST of JSON without signature below its address
        (create-video, refresh-video, create-image) and answers as the VOD OpenAPI does.
        """

    var configuration = StubConfiguration()
    var objects: [Object] = []
    var versionedBuckets: [String] = []
    var discardingBuckets: [String] = []
    var showsHelp = false

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var accessKey: String?
        var secretKey: String?
        var token: String?
        while let option = rest.popFirst() {
            switch option {
            case "--help", "-h": showsHelp = true
            case "--log": configuration.onRequest = { printError("\($0)") }
            case "--port":
                guard let port = UInt16(try Self.value(of: option, &rest)) else {
                    throw UsageError(description: "--port takes a number from 0 to 65535")
                }
                configuration.port = port
            case "--host": configuration.host = try Self.value(of: option, &rest)
            case "--bucket": configuration.buckets.append(try Self.value(of: option, &rest))
            case "--versioned-bucket": versionedBuckets.append(try Self.value(of: option, &rest))
            case "--discard": discardingBuckets.append(try Self.value(of: option, &rest))
            case "--region": configuration.region = try Self.value(of: option, &rest)
            case "--oss-region": configuration.ossRegion = try Self.value(of: option, &rest)
            case "--access-key": accessKey = try Self.value(of: option, &rest)
            case "--secret-key": secretKey = try Self.value(of: option, &rest)
            case "--token": token = try Self.value(of: option, &rest)
            case "--vod-bucket": configuration.vod.bucket = try Self.value(of: option, &rest)
            case "--token-life":
                guard let seconds = Int(try Self.value(of: option, &rest)), (1...86_400_000).contains(seconds) else {
                    throw UsageError(description: "--token-life takes seconds from 1 to 86400000")
                }
                configuration.vod.tokenLife = .seconds(seconds)
            case "--quirk":
                let name = try Self.value(of: option, &rest)
                guard let quirk = Self.quirks[name] else { throw UsageError(description: "unknown quirk \(name)") }
                quirk(&configuration.quirks)
            case "--latency":
                guard let milliseconds = Int(try Self.value(of: option, &rest)), (0...3_600_000).contains(milliseconds)
                else { throw UsageError(description: "--latency takes milliseconds from 0 to 3600000") }
                configuration.latency = .milliseconds(milliseconds)
            case "--object", "--pretend":
                objects.append(
                    try Self.object(option, try Self.value(of: option, &rest), seed: UInt64(objects.count + 1)))
            default: throw UsageError(description: "unknown option \(option)")
            }
        }
        guard (accessKey == nil) == (secretKey == nil), accessKey != nil || token == nil else {
            throw UsageError(description: "--access-key and --secret-key go together, and --token with both")
        }
        if let accessKey, let secretKey {
            configuration.accounts = [StubAccount(accessKey: accessKey, secretKey: secretKey, sessionToken: token)]
        }
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst() else { throw UsageError(description: "\(option) needs a value") }
        return value
    }

    private static func object(_ option: String, _ text: String, seed: UInt64) throws(UsageError) -> Object {
        guard let equals = text.lastIndex(of: "="), let slash = text.firstIndex(of: "/"), slash < equals,
            let size = size(text[text.index(after: equals)...])
        else { throw UsageError(description: "\(option) takes BUCKET/KEY=SIZE, not \(text)") }
        let bucket = String(text[..<slash])
        let key = String(text[text.index(after: slash)..<equals])
        guard !bucket.isEmpty, !key.isEmpty else {
            throw UsageError(description: "\(option) takes BUCKET/KEY=SIZE, not \(text)")
        }
        let content: ObjectContent =
            option == "--object" ? .generated(seed: seed, length: size) : .pretended(length: size, seed: seed)
        return Object(bucket: bucket, key: key, content: content)
    }

    private static func size(_ text: Substring) -> UInt64? {
        let shifts: [Character: UInt64] = ["k": 10, "m": 20, "g": 30, "t": 40]
        guard let last = text.last else { return nil }
        guard let shift = shifts[Character(last.lowercased())] else { return UInt64(text) }
        guard let number = UInt64(text.dropLast()) else { return nil }
        let (size, overflow) = number.multipliedReportingOverflow(by: 1 << shift)
        return overflow ? nil : size
    }
}
