// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// The Automation IO Service of the Bluetooth SIG: switches and voltages of a board's pins.
///
/// A device may offer each of them several times; Characteristic Presentation Format descriptors say which is which,
/// and the Number of Digitals descriptor how many switches one value holds.
public enum AutomationIOService: ServiceConfigurable {
    public static let uuid: BluetoothUUID = "1815"
    public static let name = "Automation IO"
    public static let tag = BluetoothSIG.tag

    /// Switches of two bits each, the first in the lowest bits of the first byte (Automation IO Service 1.0, 3.1; GATT
    /// Specification Supplement, Digital).
    public struct Digital: RawDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable {
        public static let uuid: BluetoothUUID = "2A56"
        public static let name = "Digital"
        /// Read, write and notify; a device leaves out those that its pins do not have.
        public static let properties: CharacteristicProperties = [.read, .write, .writeWithoutResponse, .notify]

        public let rawValue: Bytes

        public init(rawValue: Bytes) { self.rawValue = rawValue }

        /// Switches; those that fill up the last byte are inactive.
        public init(_ states: some Sequence<State>) {
            var bytes = Bytes()
            for (index, state) in states.enumerated() {
                if index % 4 == 0 { bytes.append(0) }
                bytes[index / 4] |= state.rawValue << UInt8(index % 4 * 2)
            }
            rawValue = bytes
        }

        /// The number of switches that fit in the bytes: four in each. The Number of Digitals descriptor holds the
        /// number of switches that exist.
        public var count: Int { rawValue.count * 4 }

        /// The switch at a position from 0; traps outside ``count``, as an array does.
        public subscript(position: Int) -> State {
            // Two bits are always one of the four states.
            State(rawValue: rawValue[position / 4] >> UInt8(position % 4 * 2) & 3) ?? .inactive
        }

        /// The state of a switch.
        public enum State: UInt8, CaseIterable, Sendable {
            /// The switch is off.
            case inactive = 0
            /// The switch is on.
            case active = 1
            /// High impedance; written, it leaves the switch as it is.
            case triState = 2
            /// The device does not report the state of the output. Written, it leaves the switch as it is.
            case outputState = 3

            var text: String {
                switch self {
                case .inactive: "Inactive"
                case .active: "Active"
                case .triState: "Tri-state"
                case .outputState: "Output-state"
                }
            }
        }

        /// The states from the first switch on, separated by spaces, under the characteristic's name.
        public var stringValue: [String: String] {
            [Self.name: (0..<count).map { self[$0].text }.joined(separator: " ")]
        }

        /// Switches from the states that stand under the characteristic's name; nil when they are missing or one means
        /// nothing.
        public init?(stringValue: [String: String]) {
            guard let text = stringValue[Self.name] else { return nil }
            var states: [State] = []
            for word in text.split(separator: " ") {
                guard let state = State.allCases.first(where: { $0.text == word }) else { return nil }
                states.append(state)
            }
            self.init(states)
        }
    }

    /// A voltage or another analog quantity, 16 bits (Automation IO Service 1.0, 3.2; GATT Specification Supplement,
    /// Analog).
    public struct Analog: PlainValue, Hashable {
        public static let uuid: BluetoothUUID = "2A58"
        public static let name = "Analog"
        /// Read, write and notify; a device leaves out those that its pins do not have.
        public static let properties: CharacteristicProperties = [.read, .write, .writeWithoutResponse, .notify]

        /// The number as it is sent; the Characteristic Presentation Format descriptor names its unit.
        public let rawValue: UInt16

        public init(rawValue: UInt16) { self.rawValue = rawValue }
    }

    /// The inputs of all pins: those of the ``Digital``, then those of the ``Analog`` characteristics, in the service's
    /// order (Automation IO Service 1.0, 3.3; GATT Specification Supplement, Aggregate).
    ///
    /// Nothing in the value says where the digital inputs end.
    public struct Aggregate: RawDeserializable, CharacteristicConfigurable, StringDeserializable, Hashable {
        public static let uuid: BluetoothUUID = "2A5A"
        public static let name = "Aggregate"
        public static let properties: CharacteristicProperties = [.read, .notify]
        public static let permissions: AttributePermissions = .readable

        public let rawValue: Bytes

        public init(rawValue: Bytes) { self.rawValue = rawValue }

        /// Creates inputs of both kinds.
        ///
        /// - Parameters:
        ///   - digital: The digital inputs, which stand first.
        ///   - analog: The analog inputs, little-endian, behind them.
        public init(digital: Digital, analog: PackedArray<UInt16>) { rawValue = digital.rawValue + analog.bytes }

        /// Returns the digital inputs, when they take this many bytes; all there are when there are fewer.
        public func digital(byteCount: Int) -> Digital { Digital(rawValue: Bytes(rawValue.prefix(max(0, byteCount)))) }

        /// Returns the analog inputs, when the digital ones take this many bytes; nil when the bytes left are no row of
        /// 16-bit numbers.
        public func analog(digitalByteCount: Int) -> PackedArray<UInt16>? {
            let rest = Bytes(rawValue.dropFirst(max(0, digitalByteCount)))
            guard rest.count % 2 == 0 else { return nil }
            return try? SerDe.deserialize(rest, as: PackedArray<UInt16>.self)
        }

        /// The bytes in hexadecimal, under the characteristic's name.
        public var stringValue: [String: String] { [Self.name: rawValue.hex] }

        #if !hasFeature(Embedded)
        /// The bytes in hexadecimal: a text.
        public var textParts: [TextPart] { [TextPart(Self.name, text: rawValue.hex)] }
        #endif

        /// Inputs from the bytes in hexadecimal that stand under the characteristic's name; nil when they are missing
        /// or none.
        public init?(stringValue: [String: String]) {
            guard let bytes = stringValue[Self.name].flatMap({ try? Bytes(hex: $0) }) else { return nil }
            self.init(rawValue: bytes)
        }
    }
}
