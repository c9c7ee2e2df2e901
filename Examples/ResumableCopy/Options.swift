import ObjectTransfer

/// What the command line and the environment ask for.
struct Options {
    enum Action {
        case help
        case demo
        case copy(Copy)
    }

    struct Copy {
        enum Events: String { case human, json }

        var endpoint = ""
        var region: String?
        var accessKey = ""
        var secretKey = ""
        var securityToken: String?
        var addressing = TOSAddressing.auto
        var sourceBucket = ""
        var sourceKey = ""
        var sourceVersion: String?
        var bucket = ""
        var key = ""
        var partSize = 0
        var taskNum = 3
        var keepsCheckpoint = true
        var checkpoint: String?
        var maxRetry = 3
        var pauseAfterParts: Int?
        var abortAfterParts: Int?
        var events = Events.human
        var caFile: String?
    }

    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    let action: Action

    init(arguments: [String], environment: (String) -> String?) throws(UsageError) {
        if arguments.isEmpty {
            action = .demo
            return
        }
        var copy = Copy()
        copy.endpoint = environment("TOS_ENDPOINT") ?? ""
        copy.region = environment("TOS_REGION")
        copy.accessKey = environment("TOS_ACCESS_KEY") ?? ""
        copy.secretKey = environment("TOS_SECRET_KEY") ?? ""
        copy.securityToken = environment("TOS_SECURITY_TOKEN")
        var rest = arguments[...]
        while let option = rest.popFirst() {
            if option == "--help" || option == "-h" {
                action = .help
                return
            }
            try copy.take(option, &rest)
        }
        try copy.check()
        action = .copy(copy)
    }
}

extension Options.Copy {
    fileprivate mutating func take(_ option: String, _ rest: inout ArraySlice<String>) throws(Options.UsageError) {
        func value() throws(Options.UsageError) -> String {
            guard let value = rest.popFirst() else { throw .init(description: "\(option) needs a value") }
            return value
        }
        func number(_ range: ClosedRange<Int>) throws(Options.UsageError) -> Int {
            let text = try value()
            guard let number = Int(text), range.contains(number) else {
                throw .init(description: "\(option) takes a number from \(range.lowerBound), not \(text)")
            }
            return number
        }
        switch option {
        case "--endpoint": endpoint = try value()
        case "--region": region = try value()
        case "--access-key": accessKey = try value()
        case "--secret-key": secretKey = try value()
        case "--security-token": securityToken = try value()
        case "--addressing":
            let text = try value()
            guard let addressing = TOSAddressing(rawValue: text) else {
                throw .init(description: "--addressing takes auto, virtual or path, not \(text)")
            }
            self.addressing = addressing
        case "--source-bucket": sourceBucket = try value()
        case "--source-key": sourceKey = try value()
        case "--source-version": sourceVersion = try value()
        case "--bucket": bucket = try value()
        case "--key": key = try value()
        case "--part-size": partSize = try Self.bytes(option, try value())
        case "--task-num": taskNum = try number(1...1000)
        case "--checkpoint": checkpoint = try value()
        case "--no-checkpoint": keepsCheckpoint = false
        case "--max-retry": maxRetry = try number(0...100)
        case "--pause-after-parts": pauseAfterParts = try number(1...10_000)
        case "--abort-after-parts": abortAfterParts = try number(1...10_000)
        case "--events":
            let text = try value()
            guard let events = Events(rawValue: text) else {
                throw .init(description: "--events takes human or json, not \(text)")
            }
            self.events = events
        case "--ca-file": caFile = try value()
        default: throw .init(description: "unknown option \(option)")
        }
    }

    fileprivate func check() throws(Options.UsageError) {
        for (option, value) in [
            ("--endpoint or TOS_ENDPOINT", endpoint), ("--access-key or TOS_ACCESS_KEY", accessKey),
            ("--secret-key or TOS_SECRET_KEY", secretKey), ("--source-bucket", sourceBucket),
            ("--source-key", sourceKey), ("--bucket", bucket), ("--key", key),
        ] where value.isEmpty {
            throw .init(description: "\(option) is needed")
        }
        guard checkpoint == nil || keepsCheckpoint else {
            throw .init(description: "--checkpoint and --no-checkpoint exclude each other")
        }
    }

    /// Bytes, also as 20m or 1g.
    private static func bytes(_ option: String, _ text: String) throws(Options.UsageError) -> Int {
        let shifts: [Character: Int] = ["k": 10, "m": 20, "g": 30]
        let shift = text.last.flatMap { shifts[Character($0.lowercased())] }
        guard let number = Int(shift == nil ? text[...] : text.dropLast()) else {
            throw .init(description: "\(option) takes bytes, or a number with k, m or g, not \(text)")
        }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
        guard !overflow else { throw .init(description: "\(option): \(text) is too large") }
        return bytes
    }
}

extension Options {
    static let help = """
        usage: ResumableCopy                       a demonstration against a server in this process
               ResumableCopy --source-bucket B --source-key K --bucket B --key K [options]

        Copies an object inside Volcano Engine TOS in parts, without downloading it. A copy that was paused, killed or
        failed continues from its checkpoint when the same command is run again.

        service (each also from the environment variable)
          --endpoint URL             TOS_ENDPOINT, such as https://tos-cn-beijing.volces.com
          --region ID                TOS_REGION; taken from the endpoint when its name tells
          --access-key KEY           TOS_ACCESS_KEY
          --secret-key KEY           TOS_SECRET_KEY
          --security-token TOKEN     TOS_SECURITY_TOKEN, with temporary keys
          --addressing STYLE         auto (default), virtual or path
          --ca-file FILE             certificate authorities in PEM

        objects
          --source-bucket NAME  --source-key KEY  --source-version ID
          --bucket NAME  --key KEY

        copy
          --part-size BYTES          5m to 5g; 0, the default, is 20 MiB
          --task-num N               parts at once; default 3
          --checkpoint PATH          a file, or a directory (existing, or with / at its end);
                                     default: a file in the user's cache
          --no-checkpoint            keep none; a copy that stops leaves nothing to resume
          --max-retry N              repeats of a failed request; default 3
          --pause-after-parts N      pause once N parts were copied by this run
          --abort-after-parts N      abort once N parts were copied by this run
          --events human|json        how to report; json writes one object a line

        The first SIGINT pauses, a second one ends the process; the checkpoint is valid either way.

        exit status: 0 done, 1 failed, 2 wrong usage, 3 paused, 4 aborted
        """
}
