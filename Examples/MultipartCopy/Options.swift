import ExampleSupport
import ObjectTransfer

/// What the command line and the environment ask for.
struct Options {
    enum Action {
        case help
        case demo
        case copy(Copy)
    }

    struct Copy {
        var service: TOSServiceOptions
        var steps = CopySteps()
    }

    let action: Action

    init(arguments: [String], environment: (String) -> String?) throws(UsageError) {
        if arguments.isEmpty {
            action = .demo
            return
        }
        var copy = Copy(service: TOSServiceOptions(environment: environment))
        var reader = ArgumentReader(arguments)
        while let option = reader.next() {
            if option == "--help" || option == "-h" {
                action = .help
                return
            }
            try copy.take(option, &reader)
        }
        try copy.check()
        action = .copy(copy)
    }

    static let help = """
        usage: MultipartCopy                       against a server in this process
               MultipartCopy --source-bucket B --source-key K --bucket B --key K [options]

        Copies an object inside Volcano Engine TOS in the three steps of the vendor's guide: CreateMultipartUpload,
        UploadPartCopy for each part, CompleteMultipartUpload. A copy that fails is aborted.

        \(TOSServiceOptions.help)

        copy
          --source-bucket NAME  --source-key KEY  --source-version ID
          --bucket NAME  --key KEY
          --part-size BYTES          5m to 5g; default 20m

        exit status: 0 done, 1 failed, 2 wrong usage
        """
}

extension Options.Copy {
    fileprivate mutating func take(_ option: String, _ reader: inout ArgumentReader) throws(UsageError) {
        if try service.take(option, &reader) { return }
        switch option {
        case "--source-bucket": steps.sourceBucket = try reader.value()
        case "--source-key": steps.sourceKey = try reader.value()
        case "--source-version": steps.sourceVersion = try reader.value()
        case "--bucket": steps.bucket = try reader.value()
        case "--key": steps.key = try reader.value()
        case "--part-size": steps.partSize = UInt64(try reader.bytes())
        default: throw UsageError("unknown option \(option)")
        }
    }

    fileprivate func check() throws(UsageError) {
        try service.check()
        for (option, value) in [
            ("--source-bucket", steps.sourceBucket), ("--source-key", steps.sourceKey), ("--bucket", steps.bucket),
            ("--key", steps.key),
        ] where value.isEmpty {
            throw UsageError("\(option) is needed")
        }
        guard (5 << 20...5 << 30).contains(steps.partSize) else {
            throw UsageError("--part-size is outside 5m to 5g")
        }
    }
}
