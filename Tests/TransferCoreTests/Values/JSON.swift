#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Values through text and back, as a store of somebody's own would keep them.
enum JSON {
    static func encode(_ value: some Encodable) throws -> [UInt8] { Array(try JSONEncoder().encode(value)) }
    static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
