/// What the command line asks for.
struct Options {
    var first: UInt64 = 1
    var count: UInt64 = 1
    /// Whether it goes on after a history that broke a promise.
    var goesOn = false
    var prints = false
    var printsHashes = false

    init?(_ arguments: ArraySlice<String>) {
        var rest = Array(arguments)
        func value() -> UInt64? { rest.isEmpty ? nil : UInt64(rest.removeFirst()) }
        while !rest.isEmpty {
            switch rest.removeFirst() {
            case "--first":
                guard let value = value() else { return nil }
                first = value
            case "--count":
                guard let value = value(), value > 0 else { return nil }
                count = value
            case "--all": goesOn = true
            case "--print": prints = true
            case "--hashes": printsHashes = true
            default: return nil
            }
        }
    }
}
