// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCore
import BlueCapSerDe
import Testing

// The types of the article "GATT profiles" for values of any form.

struct Brightness: RawDeserializable, CharacteristicConfigurable {
    static let uuid: BluetoothUUID = "83C7E30D-9B2C-4B9F-A1E6-3D1D0D3F7E52"
    static let name = "Brightness"
    static let properties: CharacteristicProperties = [.read, .write, .notify]

    let rawValue: UInt8

    init?(rawValue: UInt8) {
        guard rawValue <= 100 else { return nil }  // a central that writes more is refused
        self.rawValue = rawValue
    }
}

struct Weather: CharacteristicValue, CharacteristicConfigurable, TextFieldCoding {
    // CharacteristicConfigurable
    static let uuid: BluetoothUUID = "F000AA91-0451-4000-B000-000000000000"
    static let name = "Weather"
    static let properties: CharacteristicProperties = [.read, .notify]

    // TextFieldCoding
    static let textFields: [TextField<Self>] = [
        TextField("temperature", unit: "°C", \.temperature),
        TextField("humidity", unit: "%", \.humidity),
        TextField("pressure", unit: "Pa", \.pressure),  // optional: left out of the text when nil
    ]

    var temperature: Int16 = 0
    var humidity: UInt8 = 0
    var pressure: UInt32?

    init() {}

    // CharacteristicValue
    init(from reader: inout ByteReader) throws(SerDeError) {
        temperature = try reader.read()
        humidity = try reader.read()
        pressure = reader.isAtEnd ? nil : try reader.read()
    }

    var encodedByteCount: Int { pressure == nil ? 3 : 7 }

    func encode(into output: inout OutputRawSpan) {
        output.write(temperature)
        output.write(humidity)
        if let pressure { output.write(pressure) }
    }
}

enum Alarm: UInt8, RawDeserializable, CharacteristicConfigurable, TextChoice {
    static let uuid: BluetoothUUID = "F000AA92-0451-4000-B000-000000000000"
    static let name = "Alarm"

    case off = 0
    case on = 1

    var choice: String { self == .on ? "On" : "Off" }
}

@Suite("GATT profiles of mixed fields", .timeLimit(.minutes(60)))
struct MixedFieldsTests {
    @Test func `a struct has a text for each of its fields`() {
        let profile = ValueCharacteristicProfile<Weather>()
        let text = profile.stringValue([0xfe, 0xff, 80])  // ["temperature": "-2", "humidity": "80"]
        let bytes = profile.bytes(fromString: ["temperature": "21", "humidity": "40"])  // 150028
        #expect(text == ["temperature": "-2", "humidity": "80"])
        #expect(bytes == [0x15, 0, 0x28])
        #expect(profile.bytes(fromString: ["temperature": "21"]) == nil)
        #expect(Weather.units == ["temperature": "°C", "humidity": "%", "pressure": "Pa"])
        #expect(ValueCharacteristicProfile<Alarm>().stringValue([1]) == ["Alarm": "On"])
    }

    @Test func `a number needs no more than a UUID and a name in both roles`() async throws {
        try await Lab.run { lab in
            let manager = lab.makePeripheralManager()
            try await manager.whenPoweredOn()
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            try await lab.during {
                let brightness = TypedMutableCharacteristic<Brightness>()
                brightness.value = Brightness(rawValue: 30)  // centrals read it before anything is written
                let lamp = MutableService(uuid: "5B0C1F2A-7D3E-4C86-9A55-2E8F60B1D7C4")
                lamp.characteristics = [brightness.characteristic]
                let writes = brightness.writeRequests()  // before a central can write
                try await manager.add(lamp)
                try await manager.startAdvertising("Lamp", serviceUUIDs: [lamp.uuid])
                for await request in writes { request.accept() }
            } _: {
                let lamp: BluetoothUUID = "5B0C1F2A-7D3E-4C86-9A55-2E8F60B1D7C4"
                let peripheral = try await lab.connect(try await lab.central(), to: lamp)
                #expect(try await peripheral.characteristic(Brightness.self).read().rawValue == 30)
                let brightness = try peripheral.characteristic(Brightness.self)
                if let half = Brightness(rawValue: 50) { try await brightness.write(half) }
                print(try await brightness.read().rawValue)
                #expect(printed.lines == ["50"])
                await #expect(throws: CharacteristicError.att(.valueNotAllowed)) {
                    try await peripheral.characteristic(Brightness.uuid).write([101])
                }
            }
            await manager.invalidate()
        }
    }

    @Test func `both roles speak in values`() async throws {
        try await Lab.run { lab in
            let manager = lab.makePeripheralManager()
            try await manager.whenPoweredOn()
            let service = MutableService(uuid: "F000AA90-0451-4000-B000-000000000000")
            let report = TypedMutableCharacteristic<Weather>()
            let alarm = TypedMutableCharacteristic<Alarm>()
            service.characteristics = [report.characteristic, alarm.characteristic]
            var weather = Weather()
            weather.humidity = 80
            report.value = weather  // centrals read it; update(_:) sends it as well
            let writes = alarm.writeRequests()
            try await manager.add(service)
            try await manager.startAdvertising("Mast", serviceUUIDs: [service.uuid])
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            try await lab.during {
                for await request in writes { request.accept() }
            } _: {
                let peripheral = try await lab.connect(try await lab.central(), to: service.uuid)
                let report = try peripheral.characteristic(Weather.self)
                print(try await report.read().humidity)  // 80
                try await peripheral.characteristic(Alarm.self).write(.on)
                #expect(printed.lines == ["80"])
                #expect(alarm.value == .on)
            }
        }
    }
}
