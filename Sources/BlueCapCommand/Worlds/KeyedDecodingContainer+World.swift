// SPDX-License-Identifier: MIT

/// Reads the values of a world's file, each within its limits.
extension KeyedDecodingContainer {
    /// The error for a value under a key.
    func refusal(_ key: Key, _ reason: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath + [key], debugDescription: reason))
    }

    /// A time.
    func seconds(_ key: Key) throws -> Double? {
        let seconds = try decodeIfPresent(Double.self, forKey: key)
        if let seconds, !(0...1e6).contains(seconds) { throw refusal(key, "times are seconds from 0 to 1000000") }
        return seconds
    }

    /// A distance.
    func metres(_ key: Key) throws -> Double? {
        let metres = try decodeIfPresent(Double.self, forKey: key)
        if let metres, !(0...1000).contains(metres) { throw refusal(key, "distances are metres from 0 to 1000") }
        return metres
    }

    /// A part of a whole.
    func share(_ key: Key) throws -> Double? {
        let share = try decodeIfPresent(Double.self, forKey: key)
        if let share, !(0...1).contains(share) { throw refusal(key, "a part is a number from 0 to 1, as 0.25") }
        return share
    }

    /// A whole number.
    func whole<Number: FixedWidthInteger & Decodable>(_ key: Key, as type: Number.Type) throws -> Number? {
        do {
            return try decodeIfPresent(type, forKey: key)
        } catch {
            // For a number that does not fit, the decoder names no key.
            guard (try? decode(Double.self, forKey: key)) != nil else { throw error }
            throw refusal(key, "this is a whole number from \(Number.min) to \(Number.max)")
        }
    }

    /// A value that has to be there.
    func required<Value>(_ key: Key, _ value: Value?) throws -> Value {
        if let value { return value }
        throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: ""))
    }
}
