import Foundation

/// What `make kill-test` and `make soak` ask for; without them there are neither kills nor a soak.
enum RunSettings {
    static let kills = number("OBJECT_TRANSFER_KILLS").map { Int($0) } ?? 0
    static let soakSeconds = number("OBJECT_TRANSFER_SOAK_MINUTES").map { Int($0 * 60) } ?? 0
    /// The one asked for, or another every time.
    static let seed = text("OBJECT_TRANSFER_SEED").flatMap { UInt64($0) } ?? .random(in: 0 ... .max)

    private static func text(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
    private static func number(_ name: String) -> Double? { text(name).flatMap { Double($0) } }
}
