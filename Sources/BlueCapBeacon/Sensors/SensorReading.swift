// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// The values in the advertisement of a sensor whose format is known.
///
/// ```swift
/// for try await discovery in central.scan(options: ScanOptions(allowsDuplicates: true)) {
///     guard let reading = SensorReading(discovery.advertisements) else { continue }
///     print(reading)  // temperature 24.3 °C, humidity 53.49 %
/// }
/// ```
///
/// Formats are data: ``SensorFormats/shipped`` are those that the library has, and ``SensorFormats/init(json:)`` reads
/// others. ``BTHome`` has a type of its own.
public struct SensorReading: Sendable, Hashable {
    /// The name of the format.
    public let format: String
    /// The values, in the order of the format. One that the frame says to be unknown has no number.
    public let values: [SensorValue]
    /// The presses of buttons and the turns of dimmers.
    public let events: [SensorEvent]
    /// The number of the measurement or of the packet, which distinguishes a new one from a repeated one; nil if it is
    /// not sent.
    public let counter: UInt64?
    /// The address of the device, if the frame has it: six bytes in the order of their text.
    public let address: Bytes?
    /// The encrypted part; nil where all is clear.
    let sealed: SealedFrame?

    /// Creates the first reading of an advertisement; nil if no format fits.
    ///
    /// - Parameters:
    ///   - advertisements: The advertisement of a discovery.
    ///   - formats: The formats that are known.
    public init?(_ advertisements: PeripheralAdvertisements, formats: SensorFormats = .shipped) {
        guard let reading = formats.first(in: advertisements) else { return nil }
        self = reading
    }

    init(
        format: String, values: [SensorValue] = [], events: [SensorEvent] = [], counter: UInt64?,
        address: Bytes? = nil, sealed: SealedFrame? = nil
    ) {
        (self.format, self.values, self.events, self.counter) = (format, values, events, counter)
        (self.address, self.sealed) = (address, sealed)
    }

    /// A Boolean value that is true if the values and events are encrypted: both are then empty. With the trait
    /// `Crypto`, `BTHomeDecryptor` reads them.
    public var isEncrypted: Bool { sealed != nil }

    /// The charge of the battery in percent; nil if it is not sent or not known.
    public var battery: Double? { values.first { $0.name == "battery" && !$0.isState }?.number }
}

extension SensorReading: CustomStringConvertible {
    /// The values with their units, and the events: `temperature 24.3 °C, humidity 53.49 %`; or `encrypted`.
    public var description: String {
        if isEncrypted { return "encrypted" }
        return (values.map(\.description) + events.map(\.description)).joined(separator: ", ")
    }
}

/// A quantity or a state in a ``SensorReading``.
public struct SensorValue: Sendable, Hashable {
    package let kind: SensorKind
    /// The number of the value among those of its name: 1, and 2 for the second probe of a thermometer.
    public let ordinal: Int
    /// The number in ``unit``; 0 or 1 for a state. Nil if the sensor says that it does not know the value.
    public let number: Double?
    /// The unit of ``number``; empty if it has none.
    public let unit: String

    init(_ kind: SensorKind, unit: String, ordinal: Int, number: Double?) {
        (self.kind, self.unit, self.ordinal, self.number) = (kind, unit, ordinal, number)
    }

    /// The name with its number, from the second of a name on: `temperature 2`.
    static func title(_ name: String, _ ordinal: Int) -> String { ordinal == 1 ? name : "\(name) \(ordinal)" }

    /// The name of the quantity or the state, as ``BTHomeObject/name`` has it: `"temperature"`, `"opening"`.
    public var name: String { kind.name }

    /// A Boolean value that is true if the value is one of two states.
    public var isState: Bool { kind.states != nil }

    /// The number, or the word for the state; nil if the value is not known.
    public var text: String? {
        guard let number else { return nil }
        if let states = kind.states { return number == 0 ? states.off : states.on }
        return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}

extension SensorValue: CustomStringConvertible {
    /// The name, the text and the unit: `temperature 24.3 °C`, or `temperature unknown`.
    public var description: String {
        let title = Self.title(name, ordinal)
        guard let text else { return "\(title) unknown" }
        return "\(title) \(text)" + (unit.isEmpty ? "" : " \(unit)")
    }
}
