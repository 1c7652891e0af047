// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The services and characteristics of the random program's devices.
enum ProgramLayout {
    static let service: BluetoothUUID = "FFF0"
    static let notified: BluetoothUUID = "FFF2"
    static let indicated: BluetoothUUID = "FFF3"
    /// Written without response: numbers.
    static let commanded: BluetoothUUID = "FFF4"

    static func counter(isIndicated: Bool) -> BluetoothUUID { isIndicated ? indicated : notified }
}

/// A value of the random program's devices that is read and written: a number, which each write replaces by another
/// one.
enum ProgramRegister: String, Sendable, Hashable, CaseIterable {
    /// A value that fits into any packet.
    case plain
    /// A value of 64 to 512 bytes, most of which are read and written in parts.
    case long
    /// A descriptor of the plain value's characteristic.
    case descriptor
    /// A value for encrypted links only, so that reading and writing pair.
    case encrypted

    /// The characteristic whose value, or whose descriptor, it is.
    var characteristic: BluetoothUUID {
        switch self {
        case .plain, .descriptor: "FFF1"
        case .long: "FFF5"
        case .encrypted: "FFF6"
        }
    }

    /// The characteristic user description, which may be writable (Core Specification, Vol 3, Part G, 3.3.3.2).
    static let description: BluetoothUUID = "2901"

    var maximumLength: Int { self == .long ? 512 : 8 }

    func bytes(_ number: UInt64) -> Bytes {
        let bytes = Array(Bytes(number: number))
        return Bytes(repeatElement(bytes, count: self == .long ? 8 + Int(number % 57) : 1).flatMap { $0 })
    }

    /// The number that a value encodes; nil for a value that was never written as a whole.
    func number(_ value: Bytes) -> UInt64? {
        guard let number = Bytes(Array(value.prefix(8))).number, bytes(number) == value else { return nil }
        return number
    }
}

extension Bytes {
    /// A number in eight bytes, the first the highest.
    init(number: UInt64) { self.init((0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }) }

    /// The number in eight bytes; nil where there are more or fewer.
    var number: UInt64? { count == 8 ? reduce(0) { $0 << 8 | UInt64($1) } : nil }
}
