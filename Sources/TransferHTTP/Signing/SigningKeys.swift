import TransferPrimitives

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keeps the signing keys of the day, which cost four rounds of HMAC each, and the text of the current second.
final class SigningKeys: Sendable {
    /// A moment as signatures write it.
    struct Moment: Sendable {
        /// `20250701T080000Z`.
        let date: String
        /// `20250701`.
        let day: String
    }

    private struct Entry {
        let secret: String
        let day: String
        let key: [UInt8]
    }

    private struct State {
        var entries: [Entry] = []
        var second = Int64.min
        var moment = Moment(date: "", day: "")
    }

    private let state = LockBox(State())
    /// A client has one credential at a time, an old and a new one around a renewal, and two days around midnight.
    private static let capacity = 4

    func moment(_ date: Date) -> Moment {
        // Dates that no calendar of four-digit years holds are all alike to the formatter.
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let second = Int64(min(max(seconds.isNaN ? 0 : seconds, -1e12), 1e12))
        return state.withLock { state in
            if state.second != second {
                state.second = second
                state.moment = Moment(
                    date: HTTPDate.formatCompact(date), day: HTTPDate.formatCompactDay(date))
            }
            return state.moment
        }
    }

    func key(secret: String, day: String, derive: () -> [UInt8]) -> [UInt8] {
        if let key = state.withLock({ $0.entries.first { $0.day == day && $0.secret == secret }?.key }) { return key }
        let entry = Entry(secret: secret, day: day, key: derive())
        state.withLock { state in
            if state.entries.count >= Self.capacity { state.entries.removeFirst() }
            state.entries.append(entry)
        }
        return entry.key
    }
}

extension SigningKeys: CustomReflectable {
    /// Without children: `dump` of a client goes through everything it holds.
    var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
