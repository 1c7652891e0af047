// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

// The types of the article "GATT profiles".

struct AccelerometerService: ServiceConfigurable {
    static let uuid: BluetoothUUID = "F000AA10-0451-4000-B000-000000000000"
    static let name = "TI Accelerometer"
    static let tag = "TI Sensor Tag"
}

enum Enabled: UInt8, RawDeserializable, StringDeserializable, CharacteristicConfigurable {
    case no = 0
    case yes = 1

    // CharacteristicConfigurable
    static let uuid: BluetoothUUID = "F000AA12-0451-4000-B000-000000000000"
    static let name = "Accelerometer Enabled"
    static let properties: CharacteristicProperties = [.read, .write]
    static let permissions: AttributePermissions = [.readable, .writeable]
    static let initialValue = SerDe.serialize(Enabled.no.rawValue)

    // StringDeserializable
    static let stringValues = ["No", "Yes"]

    init?(stringValue: [String: String]) {
        switch stringValue[Enabled.name] {
        case "No": self = .no
        case "Yes": self = .yes
        default: return nil
        }
    }

    var stringValue: [String: String] {
        switch self {
        case .no: [Enabled.name: "No"]
        case .yes: [Enabled.name: "Yes"]
        }
    }
}

struct ArrayData: RawArrayDeserializable, CharacteristicConfigurable, StringDeserializable {
    // CharacteristicConfigurable
    static let uuid: BluetoothUUID = "F000AA11-0451-4000-B000-000000000000"
    static let name = "Accelerometer Data"
    static let properties: CharacteristicProperties = [.read, .notify]
    static let initialValue: Bytes? = ArrayData(rawValue: [1, 2]).map { SerDe.serialize($0) }

    // RawArrayDeserializable
    static let size = 2
    let rawValue: [Int8]

    init?(rawValue: [Int8]) {
        guard rawValue.count == 2 else { return nil }
        self.rawValue = rawValue
    }

    // StringDeserializable
    var stringValue: [String: String] {
        ["value1": "\(rawValue[0])", "value2": "\(rawValue[1])"]
    }

    init?(stringValue: [String: String]) {
        guard let value1 = stringValue["value1"].flatMap(Int8.init),
            let value2 = stringValue["value2"].flatMap(Int8.init)
        else { return nil }
        self.rawValue = [value1, value2]
    }
}

struct PairData: RawPairDeserializable, CharacteristicConfigurable, StringDeserializable {
    // CharacteristicConfigurable
    static let uuid: BluetoothUUID = "F000AA30-0451-4000-B000-000000000000"
    static let name = "Magnetometer Data"
    static let properties: CharacteristicProperties = [.read, .notify]
    static let initialValue: Bytes? = PairData(rawValue1: 10, rawValue2: -10).map { SerDe.serialize($0) }

    // RawPairDeserializable
    let rawValue1: UInt8
    let rawValue2: Int8

    init?(rawValue1: UInt8, rawValue2: Int8) {
        self.rawValue1 = rawValue1
        self.rawValue2 = rawValue2
    }

    // StringDeserializable
    var stringValue: [String: String] {
        ["value1": "\(rawValue1)", "value2": "\(rawValue2)"]
    }

    init?(stringValue: [String: String]) {
        guard let value1 = stringValue["value1"].flatMap(UInt8.init),
            let value2 = stringValue["value2"].flatMap(Int8.init)
        else { return nil }
        self.rawValue1 = value1
        self.rawValue2 = value2
    }
}

struct ArrayPairData: RawArrayPairDeserializable, CharacteristicConfigurable, StringDeserializable {
    // CharacteristicConfigurable
    static let uuid: BluetoothUUID = "F000AA11-0451-4000-B000-000000000000"
    static let name = "Accelerometer Data"
    static let properties: CharacteristicProperties = [.read, .notify]
    static let initialValue: Bytes? = ArrayPairData(rawValue1: [1, 2], rawValue2: [-1, -2]).map { SerDe.serialize($0) }

    // RawArrayPairDeserializable
    static let size1 = 2
    static let size2 = 2
    let rawValue1: [UInt8]
    let rawValue2: [Int8]

    init?(rawValue1: [UInt8], rawValue2: [Int8]) {
        guard rawValue1.count == 2 && rawValue2.count == 2 else { return nil }
        self.rawValue1 = rawValue1
        self.rawValue2 = rawValue2
    }

    // StringDeserializable
    var stringValue: [String: String] {
        [
            "value11": "\(rawValue1[0])", "value12": "\(rawValue1[1])",
            "value21": "\(rawValue2[0])", "value22": "\(rawValue2[1])",
        ]
    }

    init?(stringValue: [String: String]) {
        guard let value11 = stringValue["value11"].flatMap(UInt8.init),
            let value12 = stringValue["value12"].flatMap(UInt8.init),
            let value21 = stringValue["value21"].flatMap(Int8.init),
            let value22 = stringValue["value22"].flatMap(Int8.init)
        else { return nil }
        self.rawValue1 = [value11, value12]
        self.rawValue2 = [value21, value22]
    }
}

struct SerialNumber: CharacteristicConfigurable {
    static let uuid: BluetoothUUID = "2a25"
    static let name = "Device Serial Number"
    static let permissions: AttributePermissions = [.readable, .writeable]
    static let properties: CharacteristicProperties = [.read]
    static let initialValue = SerDe.serialize("AAA11")
}

enum MyServices {
    struct NumberService: ServiceConfigurable {
        static let uuid: BluetoothUUID = "F000AA10-0451-4000-B000-000000000000"
        static let name = "NumberService"
        static let tag = "My Services"
    }

    struct Number: RawDeserializable, StringDeserializable, CharacteristicConfigurable {
        static let uuid: BluetoothUUID = "F000AA12-0451-4000-B000-000000000000"
        static let name = "Number"
        static let properties: CharacteristicProperties = [.read, .write]
        static let initialValue = SerDe.serialize(Int16(22))

        let rawValue: Int16

        init?(rawValue: Int16) {
            self.rawValue = rawValue
        }

        init?(stringValue: [String: String]) {
            guard let value = stringValue[Number.name].flatMap(Int16.init) else { return nil }
            self.rawValue = value
        }

        var stringValue: [String: String] {
            [Number.name: "\(rawValue)"]
        }
    }

    static func create(profileManager: inout ProfileManager) {
        var service = ConfiguredServiceProfile<NumberService>()
        service.addCharacteristic(RawCharacteristicProfile<Number>())
        profileManager.addService(service)
    }
}
