import ExampleSupport
import ObjectTransfer

/// What the command line and the environment ask for.
struct Options {
    /// Who hands out upload credentials.
    enum Service {
        /// A server in this process.
        case local
        case appServer(url: String)
        case openAPI(Credentials, endpoint: String?)
    }

    var files: [String] = []
    var service = Service.local
    var region = VODRegion.default
    var meta = VODVideoMeta()
    /// Makes every file an image.
    var isImage = false
    var partSize: Int?
    var parallel = 4
    var signature = OSSSignatureVersion.v4
    var checkpointDirectory: String?
    var keepsCheckpoint = true
    var timeout = Duration.seconds(60)
    var maxRetry = 2
    var caFile: String?
    var events = EventFormat.human
    var reports = false
    var showsHelp = false

    init(arguments: [String], environment: (String) -> String?) throws(UsageError) {
        var reader = ArgumentReader(arguments)
        var access = Access()
        while let word = reader.next() {
            if word == "--" {
                files += reader.remaining()
            } else if word == "--help" || word == "-h" {
                showsHelp = true
                return
            } else if !word.hasPrefix("-") {
                files.append(word)
            } else if try !take(word, &reader), try !access.take(word, &reader) {
                throw UsageError("unknown option \(word)")
            }
        }
        service = try access.service(environment)
        if let region = access.region { self.region = region }
        guard checkpointDirectory == nil || keepsCheckpoint else {
            throw UsageError("--checkpoint-dir and --no-checkpoint exclude each other")
        }
    }

    /// What the images are to carry; nil unless all files are images.
    var imageMeta: VODImageMeta? {
        guard isImage else { return nil }
        return VODImageMeta(title: meta.title, tags: meta.tags, cateId: meta.cateId, userData: meta.userData)
    }

    /// False for an option that is none of these.
    private mutating func take(_ option: String, _ reader: inout ArgumentReader) throws(UsageError) -> Bool {
        switch option {
        case "--title": meta.title = try reader.value()
        case "--tags": meta.tags = try reader.value()
        case "--cate-id": meta.cateId = Int64(try reader.number(0...Int.max))
        case "--template-group-id": meta.templateGroupId = try reader.value()
        case "--workflow-id": meta.workflowId = try reader.value()
        case "--user-data": try set(userData: try reader.value())
        case "--accelerate": try set(userData: Self.acceleration)
        case "--image": isImage = true
        case "--part-size": partSize = try reader.bytes()
        case "--parallel": parallel = try reader.number(1...1000)
        case "--signature": signature = try reader.choice()
        case "--checkpoint-dir": checkpointDirectory = try reader.value()
        case "--no-checkpoint": keepsCheckpoint = false
        case "--timeout": timeout = .seconds(try reader.number(1...86_400))
        case "--max-retry": maxRetry = try reader.number(0...100)
        case "--ca-file": caFile = try reader.value()
        case "--events": events = try reader.choice()
        case "--report": reports = true
        default: return false
        }
        return true
    }

    /// Asks VOD for its acceleration endpoint.
    private static let acceleration = #"{"Type":"oss","Domain":"oss-accelerate.aliyuncs.com"}"#

    private mutating func set(userData: String) throws(UsageError) {
        guard meta.userData == nil else { throw UsageError("--user-data and --accelerate exclude each other") }
        meta.userData = userData
    }
}

/// The options that say where credentials come from.
private struct Access {
    var region: String?
    private var appServer: String?
    private var endpoint: String?
    private var accessKey: String?
    private var secretKey: String?
    private var securityToken: String?

    mutating func take(_ option: String, _ reader: inout ArgumentReader) throws(UsageError) -> Bool {
        switch option {
        case "--app-server": appServer = try reader.value()
        case "--access-key": accessKey = try reader.value()
        case "--secret-key": secretKey = try reader.value()
        case "--security-token": securityToken = try reader.value()
        case "--region": region = try reader.value()
        case "--endpoint": endpoint = try reader.value()
        default: return false
        }
        return true
    }

    func service(_ environment: (String) -> String?) throws(UsageError) -> Options.Service {
        let namesKeys = accessKey != nil || secretKey != nil || securityToken != nil || endpoint != nil
        if let appServer {
            guard !namesKeys else {
                throw UsageError("--app-server excludes keys and --endpoint: the server there has keys of its own")
            }
            return .appServer(url: appServer)
        }
        guard namesKeys || region != nil else {
            // Whoever set a key means the real service: a success against a server that forgets would mislead.
            guard environment("ALIBABA_CLOUD_ACCESS_KEY_ID") == nil else {
                throw UsageError(
                    """
                    ALIBABA_CLOUD_ACCESS_KEY_ID is set: add --region to upload to VOD, or unset it for the server in \
                    this process
                    """)
            }
            return .local
        }
        guard let accessKey = accessKey ?? environment("ALIBABA_CLOUD_ACCESS_KEY_ID"),
            let secretKey = secretKey ?? environment("ALIBABA_CLOUD_ACCESS_KEY_SECRET")
        else {
            throw UsageError(
                "--access-key and --secret-key, or ALIBABA_CLOUD_ACCESS_KEY_ID and ALIBABA_CLOUD_ACCESS_KEY_SECRET, are needed"
            )
        }
        let credentials = Credentials(
            accessKey: accessKey, secretKey: secretKey,
            securityToken: securityToken ?? environment("ALIBABA_CLOUD_SECURITY_TOKEN"))
        return .openAPI(credentials, endpoint: endpoint)
    }
}

extension Options {
    static let help = """
        usage: VODUpload [options] [FILE...]

        Uploads files to ApsaraVideo VOD, up to 4 at once. An upload that was paused, killed or failed goes on where it
        stopped, under the same video id, when the same command is run again. Without a FILE it makes one of 64 MiB.

        service; without any of these a server in this process, which forgets everything at the end. Where
        ALIBABA_CLOUD_ACCESS_KEY_ID is set, one of them is needed.
          --app-server URL           a backend of your own: POST URL/create-video, URL/refresh-video and
                                     URL/create-image with the file and its metadata as JSON; it answers with the
                                     raw JSON of the OpenAPI
          --access-key KEY           ALIBABA_CLOUD_ACCESS_KEY_ID: calls the OpenAPI itself
          --secret-key KEY           ALIBABA_CLOUD_ACCESS_KEY_SECRET
          --security-token TOKEN     ALIBABA_CLOUD_SECURITY_TOKEN, with temporary keys
          --region ID                region of VOD; default cn-shanghai
          --endpoint URL             of the OpenAPI, where it is not the region's own
          --ca-file FILE             certificate authorities in PEM

        what the media carry
          --title TEXT               default: the file's name without its extension
          --tags A,B                 at most 16
          --cate-id N                category
          --template-group-id ID     transcoding templates
          --workflow-id ID           wins over --template-group-id
          --user-data JSON           passed on as it is
          --accelerate               asks for the acceleration endpoint
          --image                    the files are images, whatever they are called

        upload
          --part-size BYTES          100k to 5g; default 1m, more where that makes over 10,000 parts
          --parallel N               parts of a file at once; default 4
          --signature v4|v1          default v4
          --checkpoint-dir PATH      where unfinished uploads are recorded; default: the user's cache, and nowhere
                                     with the server in this process
          --no-checkpoint            keep no records; an upload that stops leaves nothing to resume
          --timeout SECONDS          longest silence of a connection; default 60
          --max-retry N              repeats of a failed request; default 2

        output
          --events human|json        how to tell what happens; json writes one object a line
          --report                   also write each upload's report, one object a line, to standard error

        The first SIGINT pauses all uploads, a second one ends the process; the records are valid either way.

        exit status, of several files the worst: 0 done, 1 failed, 2 wrong usage, 3 paused
        """
}
