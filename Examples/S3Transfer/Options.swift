import ExampleSupport
import ObjectTransfer

/// What the command line and the environment ask for.
struct Options {
    enum Action {
        case help
        case demo
        case transfer(Transfer)
    }

    /// From where to where.
    enum Way {
        case upload(file: String, ObjectLocation)
        case download(ObjectLocation, file: String)
        case copy(ObjectLocation, ObjectLocation)
    }

    struct Transfer {
        var way: Way
        var service: ServiceOptions
        var partSize: UInt64?
        var parallel = 4
        var keepsCheckpoint = true
        var checkpoint: String?
        var pauseAfterParts: Int?
        var abortAfterParts: Int?
        var events = EventFormat.human
    }

    let action: Action

    init(arguments: [String], environment: (String) -> String?) throws(UsageError) {
        if arguments.isEmpty {
            action = .demo
            return
        }
        if arguments.contains(where: { $0 == "--help" || $0 == "-h" }) {
            action = .help
            return
        }
        var reader = ArgumentReader(arguments)
        var words: [String] = []
        var sourceVersion: String?
        var transfer = Transfer(
            way: .upload(file: "", ObjectLocation(bucket: "", key: "")),
            service: ServiceOptions(environment: environment))
        while let word = reader.next() {
            if word == "--" {
                words += reader.remaining()
            } else if !word.hasPrefix("-") {
                words.append(word)
            } else if word == "--source-version" {
                sourceVersion = try reader.value()
            } else {
                try transfer.take(word, &reader)
            }
        }
        transfer.way = try Way(words, sourceVersion: sourceVersion)
        try transfer.check()
        action = .transfer(transfer)
    }
}

extension Options.Way {
    fileprivate init(_ words: [String], sourceVersion: String?) throws(UsageError) {
        guard let verb = words.first, ["upload", "download", "copy"].contains(verb) else {
            throw UsageError("the first word is one of upload, download, copy")
        }
        guard words.count == 3 else { throw UsageError("\(verb) takes from where and to where") }
        if verb == "upload" {
            guard sourceVersion == nil else { throw UsageError("--source-version is for download and copy") }
            self = .upload(file: words[1], try ObjectLocation(s3: words[2]))
            return
        }
        var source = try ObjectLocation(s3: words[1])
        source.versionID = sourceVersion
        self = verb == "copy" ? .copy(source, try ObjectLocation(s3: words[2])) : .download(source, file: words[2])
    }
}

extension Options.Transfer {
    fileprivate mutating func take(_ option: String, _ reader: inout ArgumentReader) throws(UsageError) {
        if try service.take(option, &reader) { return }
        switch option {
        case "--part-size": partSize = UInt64(try reader.bytes())
        case "--parallel": parallel = try reader.number(1...1000)
        case "--checkpoint": checkpoint = try reader.value()
        case "--no-checkpoint": keepsCheckpoint = false
        case "--pause-after-parts": pauseAfterParts = try reader.number(1...10_000)
        case "--abort-after-parts": abortAfterParts = try reader.number(1...10_000)
        case "--events": events = try reader.choice()
        default: throw UsageError("unknown option \(option)")
        }
    }

    fileprivate func check() throws(UsageError) {
        try service.check()
        guard checkpoint == nil || keepsCheckpoint else {
            throw UsageError("--checkpoint and --no-checkpoint exclude each other")
        }
    }
}

extension Options {
    static let help = """
        usage: S3Transfer                                     a demonstration against a server in this process
               S3Transfer upload FILE s3://BUCKET/KEY [options]
               S3Transfer download s3://BUCKET/KEY FILE [options]
               S3Transfer copy s3://BUCKET/KEY s3://BUCKET/KEY [options]

        Moves an object between a file and Amazon S3, or a server that speaks like it, or inside the service, in parts. A
        transfer that was paused, killed or failed continues from its checkpoint when the same command is run again.

        \(ServiceOptions.help)

        transfer
          --source-version ID        the version to download or copy; default: the current one
          --part-size BYTES          5m to 5g; default 8 MiB, or more where 10,000 parts would not do
          --parallel N               parts at once; default 4
          --checkpoint PATH          a file, or a directory (existing, or with / at its end);
                                     default: a file in the user's cache
          --no-checkpoint            keep none; a transfer that stops leaves nothing to resume
          --pause-after-parts N      pause once N parts were moved by this run
          --abort-after-parts N      abort once N parts were moved by this run
          --events human|json        how to report; json writes one object a line

        The first SIGINT pauses, a second one ends the process; the checkpoint is valid either way.

        exit status: 0 done, 1 failed, 2 wrong usage, 3 paused, 4 aborted
        """
}
