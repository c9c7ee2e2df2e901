/// Which requests a fault meets: by what they ask for, and by their number among those.
///
///     .on(.uploadPartCopy).part(3).first(2)
///     .on(.putObject, .uploadPart).key("a.bin").nth(5)
///     .any.matching { $0.target.contains("uploads") }
///
/// Every condition narrows; a match without a count meets every request that fits.
public struct RequestMatch: Sendable {
    enum Count: Sendable {
        case all
        case first(Int)
        case nth(Int)
        case after(Int)
    }

    var conditions: [@Sendable (StoreRequest) -> Bool] = []
    var count = Count.all
    var countsEachPart = false

    /// Every request of the object operations. Requests of the admin pages meet no fault.
    public static var any: RequestMatch { RequestMatch() }

    /// Requests of these operations.
    public static func on(_ operations: StoreOperation...) -> RequestMatch {
        let names = Set(operations)
        return RequestMatch().adding { names.contains($0.operation) }
    }

    /// Only in this bucket.
    public func bucket(_ name: String) -> RequestMatch { adding { $0.bucket == name } }

    /// Only about this key.
    public func key(_ key: String) -> RequestMatch { adding { $0.key.map { ExactKey($0) == ExactKey(key) } ?? false } }

    /// Only with this part number.
    public func part(_ number: Int) -> RequestMatch { adding { $0.partNumber == number } }

    /// Only with a part number in this range.
    public func parts(_ numbers: ClosedRange<Int>) -> RequestMatch {
        adding { $0.partNumber.map(numbers.contains) ?? false }
    }

    /// Only of this upload.
    public func upload(_ id: String) -> RequestMatch { adding { $0.uploadID == id } }

    /// Only when `condition` says so. It runs on the server's threads, once for each request that fits so far.
    public func matching(_ condition: @escaping @Sendable (StoreRequest) -> Bool) -> RequestMatch { adding(condition) }

    /// Only the first `count` requests that fit.
    public func first(_ count: Int) -> RequestMatch { counting(.first(count)) }

    /// Only the request that is number `number`, counted from 1, of those that fit.
    public func nth(_ number: Int) -> RequestMatch { counting(.nth(number)) }

    /// Only what comes after the first `count` requests that fit.
    public func after(_ count: Int) -> RequestMatch { counting(.after(count)) }

    /// Counts apart for each bucket, key, upload and part: `.first(2).ofEachPart` fails every part twice.
    public var ofEachPart: RequestMatch {
        var match = self
        match.countsEachPart = true
        return match
    }

    func fits(_ request: StoreRequest) -> Bool { conditions.allSatisfy { $0(request) } }

    /// Whether the count takes the request that is number `number` of those that fit.
    func takes(_ number: Int) -> Bool {
        switch count {
        case .all: true
        case .first(let count): number <= count
        case .nth(let wanted): number == wanted
        case .after(let count): number > count
        }
    }

    private func adding(_ condition: @escaping @Sendable (StoreRequest) -> Bool) -> RequestMatch {
        var match = self
        match.conditions.append(condition)
        return match
    }

    private func counting(_ count: Count) -> RequestMatch {
        var match = self
        match.count = count
        return match
    }
}
