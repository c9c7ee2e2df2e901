import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// For suites whose tests take minutes by nature. `make test-slow` finds them by their names, which begin with `Slow`.
    static var slow: Self {
        .enabled(if: ProcessInfo.processInfo.environment["OBJECT_TRANSFER_SLOW"] != nil, "make test-slow runs it")
    }
}
