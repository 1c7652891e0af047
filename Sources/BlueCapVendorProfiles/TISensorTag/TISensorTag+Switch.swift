// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension TISensorTag {
    /// Whether a sensor measures: one byte, 0 or 1, and whatever else the sensor can do. Off after power-on.
    public protocol Switch: RawDeserializable, CharacteristicConfigurable, TextChoice, Hashable
    where RawType == UInt8 {
        /// Off: 0.
        static var no: Self { get }
        /// The sensor is on.
        static var yes: Self { get }
    }

    /// The time from sample to sample: one byte of 10 ms each.
    public protocol Period: RawDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable
    where RawType == UInt8 {
        /// A period from the number as it is sent; every number is allowed.
        init(rawValue: UInt8)
    }
}

extension TISensorTag.Switch {
    /// Read and write.
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
    /// Read and write.
    public static var properties: CharacteristicProperties { [.read, .write] }

    /// A period from milliseconds, 10 through 2550, rounded to the nearest 10.
    ///
    /// - Throws: `SerDeError.invalidValue(offset:)` when it is out of range.
    public init(milliseconds: Int) throws(SerDeError) {
        guard (10...2550).contains(milliseconds) else { throw .invalidValue() }
        self.init(rawValue: UInt8((milliseconds + 5) / 10))
    }

    /// The period in milliseconds, at least 10.
    public var milliseconds: Int { max(10, 10 * Int(rawValue)) }

    /// The milliseconds, `period`, and the number as it is sent, `periodRaw`.
    public var stringValue: [String: String] { ["period": "\(milliseconds)", "periodRaw": "\(rawValue)"] }

    /// A period from `periodRaw`; nil when it is missing or no byte.
    public init?(stringValue: [String: String]) {
        guard let raw = stringValue["periodRaw"].flatMap(UInt8.init) else { return nil }
        self.init(rawValue: raw)
    }
}
