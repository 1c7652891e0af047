// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension TISensorTag {
    /// The switch of a sensor: one byte, 0 for off and 1 for on; some sensors define further numbers. Sensors are off
    /// after power-on.
    public protocol Switch: RawDeserializable, CharacteristicConfigurable, TextChoice, Hashable
    where RawType == UInt8 {
        /// The sensor is off: 0.
        static var no: Self { get }
        /// The sensor is on: 1.
        static var yes: Self { get }
    }

    /// The time from sample to sample: one byte of 10 ms each.
    public protocol Period: RawDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable
    where RawType == UInt8 {
        /// Creates a period from the number as it is sent; every number is allowed.
        init(rawValue: UInt8)
    }
}

extension TISensorTag.Switch {
    /// A central may read and write the value.
    public static var properties: CharacteristicProperties { [.read, .write] }
    /// The value that a peripheral offers first: no.
    public static var initialValue: Bytes? { [0] }

    /// `yes` for true, `no` for false.
    public init(boolValue: Bool) { self = boolValue ? .yes : .no }

    /// Whether it is `yes`.
    public var boolValue: Bool { self == .yes }

    /// "No" or "Yes".
    public var choice: String { self == .yes ? "Yes" : "No" }
}

extension TISensorTag.Period {
    /// A central may read and write the value.
    public static var properties: CharacteristicProperties { [.read, .write] }

    /// Creates a period from milliseconds, 10 through 2550, rounded to the nearest 10.
    ///
    /// - Throws: `SerDeError.invalidValue(offset:)` when it is out of range.
    public init(milliseconds: Int) throws(SerDeError) {
        guard (10...2550).contains(milliseconds) else { throw .invalidValue() }
        self.init(rawValue: UInt8((milliseconds + 5) / 10))
    }

    /// The period in milliseconds, at least 10.
    public var milliseconds: Int { max(10, 10 * Int(rawValue)) }

    /// The unit of `period`: milliseconds.
    public static var units: [String: String] { ["period": "ms"] }

    /// The milliseconds, `period`, and the number as it is sent, `periodRaw`.
    public var stringValue: [String: String] { ["period": "\(milliseconds)", "periodRaw": "\(rawValue)"] }

    /// Creates a period from `periodRaw`; nil when it is missing or no byte.
    public init?(stringValue: [String: String]) {
        guard let raw = stringValue["periodRaw"].flatMap(UInt8.init) else { return nil }
        self.init(rawValue: raw)
    }
}
