// SPDX-License-Identifier: MIT

import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe
import Testing

@Suite("BTHome", .timeLimit(.minutes(60)))
struct BTHomeTests {
    private func frame(_ hex: String) throws -> BTHome {
        try SerDe.deserialize(try Bytes(hex: hex))
    }

    // The examples of bthome.io/format.
    @Test(
        arguments: [
            ("4002c40903bf13", ["temperature 25.00 °C", "humidity 50.55 %"], [25, 50.55]),
            ("400161", ["battery 97 %"], [97]), ("404d12138a14", ["energy 344593.170 kWh"], [344593.17]),
            ("4060016104106405", ["channel 1", "rotational speed 4100 rpm", "light level 5"], [1, 4100, 5]),
            ("4062ffffffff", ["speed -0.000001 m/s"], [-0.000001]),
            ("406387d61200", ["acceleration 1.234567 m/s²"], [1.234567]),
            ("405d02ea", ["current -5.630 A"], [-5.63]), ("405aeaea", ["count -5398"], [-5398]),
            ("402d01", ["window open"], [1]), ("402d00", ["window closed"], [0]),
            ("400202ff", ["temperature -2.54 °C"], [-2.54]),
            ("4002ffff", ["temperature -0.01 °C"], [-0.01]),
            ("4058ea5960", ["temperature -7.70 °C", "count 96"], [-7.7, 96]), ("403c0203", ["dimmer right 3"], [nil]),
            ("403c0101", ["dimmer left 1"], [nil]), ("403c0000", ["dimmer none"], [nil]),
        ] as [(String, [String], [Double?])])
    func `a measurement has a name, a number and a text`(hex: String, texts: [String], numbers: [Double?]) throws {
        let frame = try frame(hex)
        #expect(frame.measurements.map(\.description) == texts)
        #expect(frame.measurements.map(\.number) == numbers)
        #expect(frame.unread.isEmpty)
        #expect(SerDe.serialize(frame).hex == hex)
    }

    // The examples in the table of objects of bthome.io/format.
    @Test(
        arguments: [
            ("518756", 22.151), ("0161", 97), ("12e204", 1250), ("56e803", 1000), ("0960", 96), ("3d0960", 24585),
            ("3e2a2c0960", 1611213866), ("59ea", -22), ("5aeaea", -5398), ("5bea0234ea", -365690134),
            ("434e34", 13.39), ("5d02ea", -5.63), ("08ca06", 17.38), ("5e9f8c", 359.99), ("400c00", 12),
            ("414e00", 7.8), ("424e3400", 13.39), ("4d12138a14", 344593.17), ("0a138a14", 1346.067),
            ("4b138a14", 1346.067), ("4c41018a01", 25821.505), ("528756", 22.151), ("03bf13", 50.55), ("2e23", 35),
            ("05138a14", 13460.67), ("065e1f", 80.3), ("073e1d", 74.86), ("14020c", 30.74), ("2f23", 35),
            ("0d120c", 3090), ("0e021c", 7170), ("0b021b00", 69.14), ("5c02fbffff", -12.78), ("04138a01", 1008.83),
            ("3f020c", 307.4), ("444e34", 133.9), ("451101", 27.3), ("02ca09", 25.06), ("57ea", -22), ("58ea", -7.7),
            ("133301", 307), ("505d396164", 1684093277), ("0c020c", 3.074), ("4a020c", 307.4),
            ("4e87562a01", 19551.879), ("478756", 2215.1), ("48dc87", 34780), ("5587562a01", 19551.879),
            ("49dc87", 34.78), ("4632", 5), ("4f87562a01", 19551.879),
        ] as [(String, Double)])
    func `an object of the table has the number of its example`(hex: String, number: Double) throws {
        let frame = try frame("40" + hex)
        #expect(frame.objects.map(\.number) == [number])
        #expect(frame.unread.isEmpty)
        #expect(try BTHomeObject(#require(frame.objects.first).id, number) == frame.objects.first)
    }

    @Test func `texts and raw bytes are as long as they say`() throws {
        let frame = try frame("40530c48656c6c6f20576f726c64215402ffee016100")
        #expect(frame.objects.map(\.text) == ["Hello World!", "ffee", "97"])
        #expect(frame.objects.map(\.number) == [nil, nil, 97])
        #expect(frame.unread.isEmpty == false)
        #expect(SerDe.serialize(frame).hex == "40530c48656c6c6f20576f726c64215402ffee016100")
    }

    @Test func `a command is as long as its arguments, and hides nothing behind it`() throws {
        let frame = try frame("403b010305451101")
        #expect(frame.objects.map(\.description) == ["command 0305", "temperature 27.3 °C"])
        #expect(frame.objects.map(\.number) == [nil, 27.3])
        #expect(SerDe.serialize(frame).hex == "403b010305451101")
        // The upper bits of its length are reserved.
        #expect(try self.frame("403b210305").unread.hex == "3b210305")
    }

    @Test func `what stands behind a revision of the settings is read`() throws {
        let frame = try frame("406507f2000106")
        #expect(frame.objects.map(\.description) == ["settings 7", "firmware 6.1.0"])
        #expect(frame.measurements.isEmpty && frame.unread.isEmpty)
        #expect(BTHomeObject(0xF2, 1) == nil)
    }

    @Test func `the packet's number, the device and its firmware are no measurements`() throws {
        let frame = try frame("4400070161f00100f101020304")
        #expect(frame.packetNumber == 7)
        #expect(frame.isTriggered)
        #expect(frame.measurements.map(\.name) == ["battery"])
        #expect(frame.objects.count == 4)
    }

    @Test func `what stands behind a channel and a rotational speed is read`() throws {
        let frame = try frame("40600161e803f100010204")
        #expect(frame.objects.map(\.description) == ["channel 1", "rotational speed 1000 rpm", "firmware 4.2.1.0"])
        #expect(frame.measurements.map(\.number) == [1, 1000])
        #expect(frame.unread.isEmpty)
    }

    // bthome-ble reads the bit and the address of six bytes, the last one first.
    @Test(
        arguments: [
            ("4217000000dec0016102ca09", "c0de00000017", ["battery 97 %", "temperature 25.06 °C"], ""),
            ("46a5808fe648543a01", "5448e68f80a5", ["button 1"], ""), ("42010203040506", "060504030201", [], ""),
            ("43010203040506a47266c9", "060504030201", [], "a47266c9"), ("420102030405", nil, [], "0102030405"),
            ("42", nil, [], ""),
        ] as [(String, String?, [String], String)])
    func `an address in front is the device's, and no measurement`(
        hex: String, address: String?, texts: [String], unread: String
    ) throws {
        let frame = try frame(hex)
        #expect(frame.address?.hex == address)
        #expect(frame.objects.map(\.description) == texts)
        #expect(frame.unread.hex == unread)
        #expect(SerDe.serialize(frame).hex == hex)
    }

    @Test func `an encrypted frame says nothing, and keeps its bytes`() throws {
        let frame = try frame("41a47266c95f730011223378237214")
        #expect(frame.isEncrypted)
        #expect(frame.objects.isEmpty)
        #expect(frame.unread.count == 14)
        #expect(SerDe.serialize(frame).hex == "41a47266c95f730011223378237214")
    }

    @Test(arguments: [
        ("40", 0, ""), ("4002", 0, "02"), ("4002c4", 0, "02c4"), ("40ff01", 0, "ff01"), ("4001610253", 1, "0253"),
        ("4053", 0, "53"), ("405305414243", 0, "5305414243"),
    ])
    func `what ends too soon or is of an unknown kind stays unread`(hex: String, count: Int, unread: String) throws {
        let frame = try frame(hex)
        #expect(frame.objects.count == count)
        #expect(frame.unread.hex == unread)
    }

    @Test(arguments: ["", "20", "0161", "80"])
    func `data of another version is refused, and no frame`(hex: String) throws {
        let advertisements = PeripheralAdvertisements(serviceData: [BTHome.uuid: try Bytes(hex: hex)])
        #expect(throws: SerDeError.self) { try advertisements.serviceValue(BTHome.self) }
        #expect(BTHome(advertisements) == nil)
    }

    @Test func `a sensor's frame is what it measures, rounded to what is sent`() throws {
        let objects = [
            BTHomeObject(0x01, 97), BTHomeObject(0x02, 21.504), BTHomeObject(0x2D, 1), BTHomeObject(text: "é"),
        ]
        let frame = BTHome(objects: objects.compactMap(\.self), isTriggered: true)
        #expect(SerDe.serialize(frame).hex == "4401610266082d015302c3a9")
        #expect(frame.advertisement.serviceData[BTHome.uuid] == SerDe.serialize(frame))
        #expect(try SerDe.deserialize(SerDe.serialize(frame)) == frame)
    }

    @Test(
        arguments: [
            (0x01, 256), (0x01, -1), (0x02, 327.68), (0x02, -327.69), (0x02, .nan), (0x02, .infinity), (0xEE, 1),
            (0x53, 1),
        ] as [(UInt8, Double)])
    func `a number that a kind cannot send is no object`(id: UInt8, value: Double) {
        #expect(BTHomeObject(id, value) == nil)
    }

    @Test(
        arguments: [(0x01, 255), (0x02, -327.68), (0x02, 327.67), (0x3E, 4_294_967_295), (0x5B, -2_147_483_648)]
            as [(UInt8, Double)])
    func `the outermost numbers of a kind are sent`(id: UInt8, value: Double) {
        #expect(BTHomeObject(id, value)?.number == value)
    }

    @Test(
        arguments: [
            (.left, 1, "403c0101", "left 1"), (.right, 255, "403c02ff", "right 255"), (.left, 0, "403c0000", "none"),
            (.right, 0, "403c0000", "none"),
        ] as [(BTHomeObject.Turn, UInt8, String, String)])
    func `the turn of a dimmer is sent, and read as what it was`(
        turn: BTHomeObject.Turn, steps: UInt8, hex: String, text: String
    ) throws {
        let object = BTHomeObject(dimmer: turn, steps: steps)
        #expect(object.description == "dimmer \(text)")
        let sent = BTHome(objects: [object], isTriggered: false)
        #expect(SerDe.serialize(sent).hex == hex)
        #expect(try frame(hex) == sent)
    }

    @Test(
        arguments: [
            ("403a013a003a80", ["button press", "button 3 hold press"]), ("403a02", ["button double press"]),
            (
                "403a033a043a053a063a81",
                [
                    "button triple press", "button 2 long press", "button 3 long double press",
                    "button 4 long triple press", "button 5 hold release",
                ]
            ), ("403a073aff", []), ("403c0105", ["dimmer rotate left 5"]),
            ("403c00003c0203", ["dimmer 2 rotate right 3"]), ("403c0301", []), ("400161", []),
        ] as [(String, [String])])
    func `presses and turns are events of their button or dimmer`(hex: String, texts: [String]) throws {
        let events = try frame(hex).events
        #expect(events.map(\.description) == texts)
        #expect(events.allSatisfy { $0.part == (hex.hasPrefix("403a") ? .button : .dimmer) })
    }

    @Test func `service data of any type is decoded as a characteristic's value is`() throws {
        let telemetry = EddystoneTelemetry(batteryVoltage: 3000, rawTemperature: 6400, advertisingCount: 1, uptime: 10)
        let advertisements = PeripheralAdvertisements(
            serviceData: [Eddystone.uuid: SerDe.serialize(Eddystone.telemetry(telemetry))])
        #expect(try advertisements.serviceValue(Eddystone.self) == .telemetry(telemetry))
        #expect(try advertisements.serviceValue(BTHome.self) == nil)
    }
}
