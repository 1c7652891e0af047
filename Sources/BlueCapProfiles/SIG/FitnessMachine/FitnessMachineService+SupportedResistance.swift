// SPDX-License-Identifier: MIT

public import BlueCapSerDe

extension FitnessMachineService {
    /// Levels of resistance in one of two forms, which differ in size: six bytes as Fitness Machine Service 1.0,
    /// 4.13, has them and machines send them, or three as the GATT Specification Supplement has them.
    public enum SupportedResistanceLevelRange: CharacteristicValue, CharacteristicConfigurable, StringDeserializable,
        Hashable
    {
        /// Numbers of 16 bits in 0.1, the bounds with sign.
        case wide(
            minimum: Scaled<Int16, Per10>, maximum: Scaled<Int16, Per10>, minimumIncrement: Scaled<UInt16, Per10>)
        /// Numbers of 8 bits in steps of 10.
        case narrow(minimum: Scaled<UInt8, Tens>, maximum: Scaled<UInt8, Tens>, minimumIncrement: Scaled<UInt8, Tens>)

        public static let uuid: BluetoothUUID = "2AD6"
        public static let name = "Supported Resistance Level Range"
        public static let properties: CharacteristicProperties = .read
        public static let permissions: AttributePermissions = .readable

        /// The least level.
        public var minimum: Double {
            switch self {
            case .wide(let level, _, _): level.value
            case .narrow(let level, _, _): level.value
            }
        }

        /// The greatest level.
        public var maximum: Double {
            switch self {
            case .wide(_, let level, _): level.value
            case .narrow(_, let level, _): level.value
            }
        }

        /// The step from level to level.
        public var minimumIncrement: Double {
            switch self {
            case .wide(_, _, let step): step.value
            case .narrow(_, _, let step): step.value
            }
        }

        /// Reads three bytes when no more are there, else six.
        public init(from reader: inout ByteReader) throws(SerDeError) {
            if reader.remaining == 3 {
                self = .narrow(
                    minimum: try reader.read(), maximum: try reader.read(), minimumIncrement: try reader.read())
            } else {
                self = .wide(
                    minimum: try reader.read(), maximum: try reader.read(), minimumIncrement: try reader.read())
            }
        }

        public var encodedByteCount: Int {
            switch self {
            case .wide: 6
            case .narrow: 3
            }
        }

        public func encode(into output: inout OutputRawSpan) {
            switch self {
            case .wide(let minimum, let maximum, let step):
                minimum.encode(into: &output)
                maximum.encode(into: &output)
                step.encode(into: &output)
            case .narrow(let minimum, let maximum, let step):
                minimum.encode(into: &output)
                maximum.encode(into: &output)
                step.encode(into: &output)
            }
        }

        /// `minimum`, `maximum`, `minimumIncrement`, and the `form`, "16 bit" or "8 bit".
        public var stringValue: [String: String] {
            switch self {
            case .wide(let minimum, let maximum, let step):
                [
                    "minimum": "\(minimum)", "maximum": "\(maximum)", "minimumIncrement": "\(step)",
                    "form": "16 bit",
                ]
            case .narrow(let minimum, let maximum, let step):
                ["minimum": "\(minimum)", "maximum": "\(maximum)", "minimumIncrement": "\(step)", "form": "8 bit"]
            }
        }

        /// Creates a range from the texts, in the 16-bit form unless `form` says otherwise; nil when one is missing or
        /// means nothing.
        public init?(stringValue: [String: String]) {
            guard let minimum = stringValue["minimum"], let maximum = stringValue["maximum"],
                let step = stringValue["minimumIncrement"]
            else { return nil }
            switch stringValue["form"] {
            case nil, "16 bit":
                guard let minimum = Scaled<Int16, Per10>(minimum), let maximum = Scaled<Int16, Per10>(maximum),
                    let step = Scaled<UInt16, Per10>(step)
                else { return nil }
                self = .wide(minimum: minimum, maximum: maximum, minimumIncrement: step)
            case "8 bit":
                guard let minimum = Scaled<UInt8, Tens>(minimum), let maximum = Scaled<UInt8, Tens>(maximum),
                    let step = Scaled<UInt8, Tens>(step)
                else { return nil }
                self = .narrow(minimum: minimum, maximum: maximum, minimumIncrement: step)
            default: return nil
            }
        }
    }
}
