/// What the command line asks for.
struct Options {
    /// The work that is measured.
    enum Work {
        case put(file: String)
        /// Into a file, or nowhere.
        case get(file: String?)
        case copy(source: String)
        case small(directory: String)
    }

    enum Dialect: String {
        case oss, tos, s3
    }

    var work: Work
    var endpoint = ""
    var dialect = Dialect.s3
    var region: String?
    var bucket = ""
    var key = ""
    var accessKey: String
    var secretKey: String
    var caFile: String?
    /// Bytes; nil for the library's default.
    var partSize: UInt64?
    var jobs = 4
    var checkpoint: String?
    var checksLocalParts = true
    /// Pauses when so many parts are stored.
    var stopsAfter: Int?
    var loops: Int?
    /// KiB.
    var uploadBuffer: Int?
    var isVerbose = false

    /// Nil when help was asked for.
    init?(_ arguments: [String], environment: (String) -> String?) throws(UsageError) {
        guard !arguments.contains("--help"), !arguments.contains("-h") else { return nil }
        accessKey = environment("ACCESS_KEY") ?? ""
        secretKey = environment("SECRET_KEY") ?? ""
        work = .get(file: nil)
        var operands: [String] = []
        var rest = arguments[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                operands.append(word)
                continue
            }
            try take(word, from: &rest)
        }
        work = try Self.work(operands)
        for (name, value) in [
            ("--endpoint", endpoint), ("--bucket", bucket), ("--key", key), ("ACCESS_KEY", accessKey),
            ("SECRET_KEY", secretKey),
        ] where value.isEmpty {
            throw UsageError("\(name) is needed")
        }
    }

    private static func work(_ operands: [String]) throws(UsageError) -> Work {
        switch (operands.first, operands.count) {
        case ("put", 2): .put(file: operands[1])
        case ("get", 1): .get(file: nil)
        case ("get", 2): .get(file: operands[1])
        case ("copy", 2): .copy(source: operands[1])
        case ("small", 2): .small(directory: operands[1])
        case (nil, _): throw UsageError("what is to be done?")
        default: throw UsageError("'\(operands.joined(separator: " "))' is no work that this program knows")
        }
    }

    private mutating func take(_ option: String, from rest: inout ArraySlice<String>) throws(UsageError) {
        switch option {
        case "--no-checksum": checksLocalParts = false
        case "--json": isVerbose = true
        default:
            guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value, or is unknown") }
            switch option {
            case "--endpoint": endpoint = value
            case "--dialect":
                guard let known = Dialect(rawValue: value) else {
                    throw UsageError("--dialect takes oss, tos or s3, not \(value)")
                }
                dialect = known
            case "--region": region = value
            case "--bucket": bucket = value
            case "--key": key = value
            case "--ca-file": caFile = value
            case "--part-mib":
                guard let size = Double(value), size > 0, size <= 1_048_576 else {
                    throw UsageError("--part-mib takes a number above 0, not \(value)")
                }
                partSize = UInt64(size * 1_048_576)
            case "--jobs": jobs = try Self.count(option, value, 1...1000)
            case "--checkpoint": checkpoint = value
            case "--stop-after": stopsAfter = try Self.count(option, value, 1...10_000)
            case "--loops": loops = try Self.count(option, value, 1...16)
            case "--buffer-kib": uploadBuffer = try Self.count(option, value, 16...2048)
            default: throw UsageError("\(option) is unknown")
            }
        }
    }

    private static func count(_ option: String, _ text: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw UsageError("\(option) takes a number from \(range.lowerBound) to \(range.upperBound), not \(text)")
        }
        return number
    }
}

/// A command line that cannot be followed.
struct UsageError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
