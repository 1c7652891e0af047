// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// Values and configurations that the tests of profiles share.
enum Sample {
    struct Service: ServiceConfigurable {
        static let uuid: BluetoothUUID = "180F"
        static let name = "Battery"
        static let tag = "Samples"
    }

    struct Untagged: ServiceConfigurable {
        static let uuid: BluetoothUUID = "FFE0"
        static let name = "Keys"
    }

    enum Enabled: UInt8, RawDeserializable, CharacteristicConfigurable, TextChoice {
        case no = 0
        case yes = 1

        static let uuid: BluetoothUUID = "2A19"
        static let name = "Level Enabled"
        static let properties: CharacteristicProperties = [.read, .write]
        static let permissions: AttributePermissions = [.readable]
        static let initialValue: Bytes? = [1]

        var choice: String { self == .yes ? "Yes" : "No" }
    }

    struct Axes: RawArrayDeserializable, CharacteristicConfigurable, StringDeserializable, Equatable {
        static let uuid: BluetoothUUID = "FFE1"
        static let name = "Axes"
        static let size = 4
        let rawValue: [Int16]

        init?(rawValue: [Int16]) {
            if rawValue.count != 2 { return nil }
            self.rawValue = rawValue
        }

        var stringValue: [String: String] { ["x": "\(rawValue[0])", "y": "\(rawValue[1])"] }

        init?(stringValue: [String: String]) {
            guard let x = stringValue["x"].flatMap(Int16.init), let y = stringValue["y"].flatMap(Int16.init) else {
                return nil
            }
            rawValue = [x, y]
        }
    }

    struct Pair: RawPairDeserializable, CharacteristicConfigurable, StringDeserializable, Equatable {
        static let uuid: BluetoothUUID = "FFE2"
        static let name = "Pair"
        let rawValue1: UInt8
        let rawValue2: Int16

        init(rawValue1: UInt8, rawValue2: Int16) { (self.rawValue1, self.rawValue2) = (rawValue1, rawValue2) }

        var stringValue: [String: String] { ["first": "\(rawValue1)", "second": "\(rawValue2)"] }

        init?(stringValue: [String: String]) {
            guard let first = stringValue["first"].flatMap(UInt8.init),
                let second = stringValue["second"].flatMap(Int16.init)
            else { return nil }
            self.init(rawValue1: first, rawValue2: second)
        }
    }

    struct Table: RawArrayPairDeserializable, CharacteristicConfigurable, StringDeserializable, Equatable {
        static let uuid: BluetoothUUID = "FFE3"
        static let name = "Table"
        static let size1 = 2
        static let size2 = 1
        let rawValue1: [UInt16]
        let rawValue2: [Int8]

        init?(rawValue1: [UInt16], rawValue2: [Int8]) {
            if rawValue1.count != 1 || rawValue2.count != 1 { return nil }
            (self.rawValue1, self.rawValue2) = (rawValue1, rawValue2)
        }

        var stringValue: [String: String] { ["c": "\(rawValue1[0])", "d": "\(rawValue2[0])"] }

        init?(stringValue: [String: String]) {
            guard let c = stringValue["c"].flatMap(UInt16.init), let d = stringValue["d"].flatMap(Int8.init) else {
                return nil
            }
            (rawValue1, rawValue2) = ([c], [d])
        }
    }

    struct SerialNumber: CharacteristicConfigurable {
        static let uuid: BluetoothUUID = "2A25"
        static let name = "Serial Number"
        static let properties: CharacteristicProperties = .read
        static let initialValue: Bytes? = SerDe.serialize("AAA11")
    }
}
