// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The text of a log line, in which the parts that identify a device are kept separate.
///
/// Only types that are known to be harmless, or known to be identifying, can be interpolated: a plain string cannot, so
/// that a name does not reach the log by accident.
struct LogText: ExpressibleByStringInterpolation, Sendable {
    fileprivate enum Part {
        case plain(String)
        case device(PeerIdentifier)
        case name(String)
        /// Text of the platform, which may contain addresses.
        case foreign(String)
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        init(literalCapacity: Int, interpolationCount: Int) { parts.reserveCapacity(2 * interpolationCount + 1) }

        mutating func appendLiteral(_ literal: String) { parts.append(.plain(literal)) }

        mutating func appendInterpolation(_ state: ManagerState) { parts.append(.plain(state.description)) }
        mutating func appendInterpolation(_ number: Int) { parts.append(.plain("\(number)")) }
        mutating func appendInterpolation(_ duration: Duration) { parts.append(.plain("\(duration)")) }
        mutating func appendInterpolation(_ uuid: BluetoothUUID) { parts.append(.plain("\(uuid)")) }
        mutating func appendInterpolation(_ error: ATTError) { parts.append(.plain("\(error)")) }
        mutating func appendInterpolation(_ error: SerDeError) { parts.append(.plain("\(error)")) }
        mutating func appendInterpolation(_ device: PeerIdentifier) { parts.append(.device(device)) }
        mutating func appendInterpolation(name: String) { parts.append(.name(name)) }
        mutating func appendInterpolation(_ failure: BackendFailure) { parts.append(.foreign(failure.description)) }
        mutating func appendInterpolation(_ failure: RestorationFailure) { parts.append(.foreign(failure.description)) }
        mutating func appendInterpolation(_ error: some BlueCapError) { parts.append(.foreign(error.description)) }
    }

    private let parts: [Part]

    init(stringLiteral text: String) { parts = [.plain(text)] }

    init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    /// Returns the line as it is logged.
    func text(_ privacy: LogPrivacy) -> String {
        parts.map { part in
            switch (part, privacy) {
            case (.plain(let text), _), (.name(let text), .plain), (.foreign(let text), .plain): text
            case (.device(let device), .plain): device.text
            case (.device(let device), .redacted): Self.pseudonym(of: device.text.utf8)
            case (.name, .redacted): "<name>"
            case (.foreign(let text), .redacted): Self.redactAddresses(in: text)
            }
        }.joined()
    }

    /// Returns a pseudonym for a device. It holds for this run of the program, because each run has its own hash seed.
    private static func pseudonym(of identifier: some Sequence<UInt8>) -> String {
        var hasher = Hasher()
        for digit in identifier where digit.isHexDigit { hasher.combine(digit & 0xDF) }
        let number = String(UInt32(truncatingIfNeeded: hasher.finalize()), radix: 16)
        return "<device \(String(repeating: "0", count: 8 - number.count))\(number)>"
    }

    /// Replaces text in the form of a device address: `C0:DE:00:00:01:01` with colons, or with `_` or `-` as in object
    /// paths and substitutes for names.
    private static func redactAddresses(in text: String) -> String {
        let bytes = Array(text.utf8)
        var kept: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if isAddress(bytes[index...]) {
                kept += pseudonym(of: bytes[index..<index + addressLength]).utf8
                index += addressLength
            } else {
                kept.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: kept, as: UTF8.self)
    }

    private static let addressLength = 17

    private static func isAddress(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count >= addressLength else { return false }
        let separator = text[text.startIndex + 2]
        guard [UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "-")].contains(separator) else { return false }
        return text.prefix(addressLength).enumerated().allSatisfy { position, byte in
            position % 3 == 2 ? byte == separator : byte.isHexDigit
        }
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "a")...UInt8(ascii: "f"):
            true
        default: false
        }
    }
}
