#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Values through text and back, as a store of somebody's own would keep them.
enum JSON {
    static func encode(_ value: some Encodable, sorted: Bool = false) throws -> [UInt8] {
        let encoder = JSONEncoder()
        if sorted { encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes] }
        return Array(try encoder.encode(value))
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
