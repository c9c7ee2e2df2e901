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
        var events = EventFormat.human
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
}

extension Options.Copy {
    fileprivate mutating func take(_ option: String, _ reader: inout ArgumentReader) throws(UsageError) {
        if try service.take(option, &reader) { return }
        switch option {
        case "--source-bucket": sourceBucket = try reader.value()
        case "--source-key": sourceKey = try reader.value()
        case "--source-version": sourceVersion = try reader.value()
        case "--bucket": bucket = try reader.value()
        case "--key": key = try reader.value()
        case "--part-size": partSize = try reader.bytes()
        case "--task-num": taskNum = try reader.number(1...1000)
        case "--checkpoint": checkpoint = try reader.value()
        case "--no-checkpoint": keepsCheckpoint = false
        case "--max-retry": maxRetry = try reader.number(0...100)
        case "--pause-after-parts": pauseAfterParts = try reader.number(1...10_000)
        case "--abort-after-parts": abortAfterParts = try reader.number(1...10_000)
        case "--events": events = try reader.choice()
        default: throw UsageError("unknown option \(option)")
        }
    }

    fileprivate func check() throws(UsageError) {
        try service.check()
        for (option, value) in [
            ("--source-bucket", sourceBucket), ("--source-key", sourceKey), ("--bucket", bucket), ("--key", key),
        ] where value.isEmpty {
            throw UsageError("\(option) is needed")
        }
        guard checkpoint == nil || keepsCheckpoint else {
            throw UsageError("--checkpoint and --no-checkpoint exclude each other")
        }
    }
}

extension Options {
    static let help = """
        usage: ResumableCopy                       a demonstration against a server in this process
               ResumableCopy --source-bucket B --source-key K --bucket B --key K [options]

        Copies an object inside Volcano Engine TOS in parts, without downloading it. A copy that was paused, killed or
        failed continues from its checkpoint when the same command is run again.

        \(TOSServiceOptions.help)

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
