// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

/// Declarations that write out everything that has a default or is inferred, as programs for the first BlueCap did.
@Suite("Declarations that write everything out", .timeLimit(.minutes(60)))
struct WrittenOutTests {
    enum Switch: UInt8, RawDeserializable, StringDeserializable, CharacteristicConfigurable {
        typealias RawType = UInt8

        case no = 0
        case yes = 1

        static let uuid: BluetoothUUID = "F000AA12-0451-4000-B000-000000000000"
        static let name = "Accelerometer Enabled"
        static let properties: CharacteristicProperties = [.read, .write]
        static let permissions: AttributePermissions = [.readable, .writeable]
        static let initialValue = SerDe.serialize(Switch.no.rawValue)

        static let stringValues = ["no", "yes"]

        init(boolValue: Bool) {
            if boolValue {
                self = Switch.yes
            } else {
                self = Switch.no
            }
        }

        init?(stringValue: [String: String]) {
            if let value = stringValue[Switch.name] {
                switch value {
                case "yes":
                    self = Switch.yes
                case "no":
                    self = Switch.no
                default:
                    return nil
                }
            } else {
                return nil
            }
        }

        var stringValue: [String: String] {
            switch self {
            case .no:
                return [Switch.name: "no"]
            case .yes:
                return [Switch.name: "yes"]
            }
        }
    }

    struct Axes: RawArrayDeserializable, CharacteristicConfigurable, StringDeserializable {
        static let uuid: BluetoothUUID = "F000AA11-0451-4000-B000-000000000000"
        static let name = "Accelerometer Data"
        static let properties: CharacteristicProperties = [.read, .write]
        static let permissions: AttributePermissions = [.readable, .writeable]
        static let initialValue = SerDe.serialize(Axes(rawValue: [1, 2])!)

        let rawValue: [Int8]
        static let size = 2

        init?(rawValue: [Int8]) {
            if rawValue.count == 2 {
                self.rawValue = rawValue
            } else {
                return nil
            }
        }

        static let stringValues = [String]()

        var stringValue: Dictionary<String, String> {
            return ["value1": "\(self.rawValue[0])", "value2": "\(self.rawValue[1])"]
        }

        init?(stringValue: [String: String]) {
            if let stringValue1 = stringValue["value1"],
                let stringValue2 = stringValue["value2"],
                let value1 = Int8(stringValue1),
                let value2 = Int8(stringValue2)
            {
                self.rawValue = [value1, value2]
            } else {
                return nil
            }
        }
    }

    @Test func `an enumeration goes both ways`() {
        let profile = RawCharacteristicProfile<Switch>()
        #expect(profile.stringValue([1]) == ["Accelerometer Enabled": "yes"])
        #expect(profile.bytes(fromString: ["Accelerometer Enabled": "no"]) == [0])
        #expect(profile.initialValue == [0])
    }

    @Test func `an array goes both ways`() {
        let profile = RawArrayCharacteristicProfile<Axes>()
        #expect(profile.stringValue([1, 0x9c]) == ["value1": "1", "value2": "-100"])
        #expect(profile.bytes(fromString: ["value1": "1", "value2": "-100"]) == [1, 0x9c])
        #expect(profile.initialValue == [1, 2])
    }

    @Test func `a value that may be missing is an optional by try?`() {
        let bytes = SerDe.serialize(Switch.yes)
        if let value: Switch = try? SerDe.deserialize(bytes) {
            #expect(value == .yes)
        } else {
            Issue.record("1 is a value")
        }
        #expect((try? SerDe.deserialize([2] as Bytes, as: Switch.self)) == nil)
    }
}
