// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// Reads the values of a twin's JSON, each within its limits.
extension KeyedDecodingContainer {
    func text(_ key: Key, maximum: Int) throws -> String? {
        let text = try decodeIfPresent(String.self, forKey: key)
        if let text, text.utf8.count > maximum {
            throw refusal(key, "it has \(text.utf8.count) bytes, and \(maximum) are allowed")
        }
        return text
    }

    func number(_ key: Key, in range: ClosedRange<Int>) throws -> Int? {
        let number = try whole(key, in: range)
        if let number, !range.contains(number) {
            throw refusal(key, "\(number) is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func handle(_ key: Key) throws -> UInt16? { try number(key, in: 1...65_535).map { UInt16($0) } }

    /// Seconds, up to about 30 years, to the microsecond.
    func duration(_ key: Key) throws -> Duration? {
        guard let seconds = try number(key) else { return nil }
        guard seconds >= 0, seconds <= 1e9 else { throw refusal(key, "\(seconds) is no time from 0 to 1e9 seconds") }
        return Duration(nearest: seconds)
    }

    /// Seconds since 1970.
    func timestamp(_ key: Key) throws -> Timestamp? {
        guard let seconds = try number(key) else { return nil }
        guard seconds >= 0, seconds <= 1e11 else {
            throw refusal(key, "\(seconds) is no moment from 0 to 1e11 seconds since 1970")
        }
        return Timestamp(sinceEpoch: Duration(nearest: seconds))
    }

    func address(_ key: Key) throws -> PeerIdentifier? {
        guard let text = try text(key, maximum: 64) else { return nil }
        // CoreBluetooth has UUIDs in the place of addresses.
        guard DeviceAddress(text: text, isRandom: false) != nil || (try? BluetoothUUID(text: text)) != nil else {
            throw refusal(key, "'\(text)' is no address")
        }
        return PeerIdentifier(text)
    }

    func security(_ key: Key) throws -> TwinSecurity? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        if let security = TwinSecurity(rawValue: text) { return security }
        throw refusal(key, "'\(text.prefix(32))' is neither \"open\", \"encrypted\" nor \"authenticated\"")
    }

    func addressType(_ key: Key) throws -> Bool? {
        switch try decodeIfPresent(String.self, forKey: key) {
        case nil: nil
        case "random": true
        case "public": false
        case let text?: throw refusal(key, "'\(text.prefix(32))' is neither \"public\" nor \"random\"")
        }
    }

    func uuid(_ key: Key) throws -> BluetoothUUID { try uuid(try decode(String.self, forKey: key), key) }

    func uuid(_ text: String, _ key: Key) throws -> BluetoothUUID {
        guard text.utf8.count <= 64, let uuid = try? BluetoothUUID(text: text) else {
            throw refusal(key, "'\(text.prefix(64))' is no UUID")
        }
        return uuid
    }

    /// Bytes in hexadecimal.
    func value(_ key: Key, maximum: Int) throws -> Bytes? {
        try decodeIfPresent(String.self, forKey: key).map { try bytes($0, key, maximum: maximum) }
    }

    func bytes(_ text: String, _ key: Key, maximum: Int) throws -> Bytes {
        guard text.utf8.count <= 4 * maximum + 2 else { throw refusal(key, "it is longer than \(maximum) bytes") }
        let bytes: Bytes
        do throws(Bytes.HexError) { bytes = try Bytes(hex: text) } catch { throw refusal(key, error.description) }
        guard bytes.count <= maximum else {
            throw refusal(key, "it has \(bytes.count) bytes, and \(maximum) are allowed")
        }
        return bytes
    }

    func list<Element: Decodable>(_ key: Key, of type: Element.Type = Element.self, maximum: Int) throws -> [Element] {
        guard contains(key), try !decodeNil(forKey: key) else { return [] }
        var container = try nestedUnkeyedContainer(forKey: key)
        var list: [Element] = []
        while !container.isAtEnd {
            guard list.count < maximum else { throw refusal(key, "it has more than \(maximum) elements") }
            list.append(try container.decode(Element.self))
        }
        return list
    }
}

extension Duration {
    /// Seconds, to the microsecond.
    var inSeconds: Double { Double(Timestamp(sinceEpoch: self).microseconds) / 1e6 }
}

extension Timestamp {
    /// Seconds since 1970, to the microsecond.
    var seconds: Double { sinceEpoch.inSeconds }
}
