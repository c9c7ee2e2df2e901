/// How a program tells what happens.
package enum EventFormat: String, CaseIterable, Sendable {
    case human, json
}
