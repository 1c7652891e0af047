// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct AdvertisedFrameTests {
    private func lines(_ advertisements: PeripheralAdvertisements) -> [String] {
        AdvertisedFrame.frames(in: advertisements).map(\.line)
    }

    private func json(_ advertisements: PeripheralAdvertisements) -> String {
        AdvertisedFrame.frames(in: advertisements).map { JSONLine.text($0) }.joined(separator: "\n")
    }

    private func btHome(_ hex: String) throws -> PeripheralAdvertisements {
        PeripheralAdvertisements(serviceData: [BTHome.uuid: try Bytes(hex: hex)])
    }

    @Test func `an iBeacon is numbers and UUID`() {
        let frame = IBeacon(
            proximityUUID: "7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70", major: 1, minor: 7, measuredPower: -59)
        let data = PeripheralAdvertisements(manufacturerData: [IBeacon.company: SerDe.serialize(frame)])
        #expect(lines(data) == ["iBeacon 1/7 7c0e8a36-52d1-4b6f-9a44-1f3d5e2b9c70"])
        #expect(json(data).contains(#""power":["-59"]"#))
        #expect(AdvertisedFrame.companies(in: data) == ["Apple, Inc."])
    }

    @Test func `a text of BTHome has nothing that a terminal obeys`() throws {
        let frame = AdvertisedFrame.frames(in: try btHome("4053041b5b324a"))[0]
        #expect(frame.line == "BTHome text \u{FFFD}[2J")
        #expect(try json(btHome("4053041b5b324a")).contains(#""text":["\#u{FFFD}[2J"]"#))
    }

    // Button 3 is pressed: bthome-ble reports it as button_3.
    @Test(
        arguments: [
            ("4401643a003a003a01", #""button":["0","0","1"]"#), ("400161", #""battery":["97"]"#),
            ("4002c40902000a", #""temperature":["25.00","25.60"]"#), ("402d002d01", #""window":["closed","open"]"#),
        ])
    func `objects of one name are all in the JSON, in their order`(hex: String, fields: String) throws {
        #expect(try json(btHome(hex)).contains(fields))
    }

    @Test func `an address in a BTHome frame is no measurement`() throws {
        #expect(try lines(btHome("4217000000dec0016102ca09")) == ["BTHome battery 97 %, temperature 25.06 °C"])
    }

    @Test func `a voltage of telemetry that is not measured is not in the JSON`() throws {
        let data = PeripheralAdvertisements(
            serviceData: [Eddystone.uuid: try Bytes(hex: "200000001780000000640000ea60")])
        #expect(json(data).contains(#""fields":{"count":["100"],"temperature":["23.5"],"uptime":["6000"]}"#))
    }

    @Test(
        arguments: [
            ("4002c40903bf13", #""numbers":{"humidity":[50.55],"temperature":[25]}"#),
            ("4002c40903bf13", #""units":{"humidity":["%"],"temperature":["°C"]}"#),
            ("4002c40902000a", #""numbers":{"temperature":[25,25.6]}"#),
            ("4002c40902000a", #""units":{"temperature":["°C","°C"]}"#),
            ("40065802070a00", #""units":{"mass":["kg","lb"]}"#),
            ("405d02ea", #""numbers":{"current":[-5.63]}"#), ("405aeaea", #""numbers":{"count":[-5398]}"#),
            ("4401643a003a003a01", #""button":[0,0,1]"#),
            // A number and a state of one name.
            ("4001611501", #""fields":{"battery":["97","low"]}"#),
            ("4001611501", #""numbers":{"battery":[97,null]}"#), ("4001611501", #""units":{"battery":["%",""]}"#),
        ])
    func `objects with a number are numbers, too, with their units`(hex: String, part: String) throws {
        let text = try json(btHome(hex))
        #expect(text.contains(part), "\(text)")
    }

    // A window, and texts "12" and "1e5".
    @Test(arguments: ["402d01", "4053023132", "405303316535"])
    func `states and texts are no numbers, even if they look like some`(hex: String) throws {
        let text = try json(btHome(hex))
        #expect(!text.contains("numbers") && !text.contains("units"))
    }

    @Test func `events of a sensor are fields, and an encrypted one says that it is`() throws {
        func line(_ hex: String) throws -> (String, String) {
            let data = PeripheralAdvertisements(serviceData: ["FE95": try Bytes(hex: hex)])
            return (AdvertisedFrame.frames(in: data).map(\.line).joined(), json(data))
        }
        let (press, fields) = try line("4050691507011003020002")
        #expect(press == "MiBeacon button double press, button 2 double press")
        #expect(fields.contains(#""fields":{"button":["double press","2 double press"],"counter":["7"]}"#), "\(fields)")
        #expect(try line("4859eb2ac2fce02ca0b43af2380000a2d9f05f").0 == "MiBeacon encrypted")
        // Nothing but its key tells this one from the data of others under the service.
        let firmware = PeripheralAdvertisements(serviceData: ["181A": try Bytes(hex: "05959b8770ee61dc291729")])
        #expect(AdvertisedFrame.frames(in: firmware).isEmpty)
    }

    @Test func `beacons have numbers and units`() throws {
        let uuid: BluetoothUUID = "7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70"
        let iBeacon = IBeacon(proximityUUID: uuid, major: 1, minor: 7, measuredPower: -59)
        let altBeacon = AltBeacon(company: 0x0118, identifier: uuid, major: 1, minor: 7, measuredPower: -59)
        for (company, data) in [(IBeacon.company, SerDe.serialize(iBeacon)), (0x0118, SerDe.serialize(altBeacon))] {
            let text = json(PeripheralAdvertisements(manufacturerData: [company: data]))
            #expect(text.contains(#""numbers":{"major":[1],"minor":[7],"power":[-59]}"#), "\(text)")
            #expect(text.contains(#""units":{"power":["dBm"]}"#))
        }
    }

    @Test(arguments: [
        ("20000bb81980000000010000000a", #""numbers":{"battery":[3],"count":[1],"temperature":[25.5],"uptime":[1]}"#),
        ("20000bb81980000000010000000a", #""units":{"battery":["V"],"temperature":["°C"],"uptime":["s"]}"#),
        // A namespace that looks like a number is none.
        ("00ee000102030405060708090a0b0c0d0e0f0000", #""numbers":{"power":[-18]}"#),
        ("00ee000102030405060708091011121314150000", #""numbers":{"power":[-18]}"#),
        ("10ee036578616d706c6507", #""units":{"power":["dBm"]}"#),
    ])
    func `a frame of Eddystone has numbers and units`(hex: String, part: String) throws {
        let text = json(PeripheralAdvertisements(serviceData: [Eddystone.uuid: try Bytes(hex: hex)]))
        #expect(text.contains(part), "\(text)")
    }

    @Test func `an AltBeacon is one under any company`() {
        let frame = AltBeacon(
            company: 0x0118, identifier: "7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70", major: 2, minor: 3, measuredPower: -60)
        let data = PeripheralAdvertisements(manufacturerData: [0x0118: SerDe.serialize(frame)])
        #expect(lines(data) == ["AltBeacon 2/3 7c0e8a36-52d1-4b6f-9a44-1f3d5e2b9c70"])
    }

    @Test(arguments: [
        ("10ee036578616d706c6507", "Eddystone https://example.com"),
        ("00ee000102030405060708090a0b0c0d0e0f0000", "Eddystone 00010203040506070809/0a0b0c0d0e0f"),
        ("20000bb81980000000010000000a", "Eddystone 3.000 V, 25.5 °C, up 1 s"),
        ("20000bb88000000000010000000a", "Eddystone 3.000 V, up 1 s"),
        ("200000001780000000640000ea60", "Eddystone 23.5 °C, up 6000 s"),
        ("20000000800000000064000003e8", "Eddystone up 100 s"),
        ("10ee036162636465666768696a6b6c6d6e6f707172732e6465", "Eddystone https://abcdefghijklmnopqrs.de"),
        ("30ee0102030405060708", "Eddystone ephemeral 0102030405060708"),
    ])
    func `an Eddystone frame is what its kind holds`(hex: String, line: String) throws {
        let data = PeripheralAdvertisements(serviceData: [Eddystone.uuid: try Bytes(hex: hex)])
        #expect(lines(data) == [line])
    }

    // The examples of bthome.io/format.
    @Test(arguments: [
        ("4002c40903bf13", "BTHome temperature 25.00 °C, humidity 50.55 %"), ("400161", "BTHome battery 97 %"),
        ("4002ca09", "BTHome temperature 25.06 °C"), ("404d12138a14", "BTHome energy 344593.170 kWh"),
        ("4004138a01", "BTHome pressure 1008.83 hPa"), ("405d02ea", "BTHome current -5.630 A"),
        ("405aeaea", "BTHome count -5398"), ("402d01", "BTHome window open"), ("4000092101", "BTHome motion detected"),
    ])
    func `BTHome measurements have name, number and unit`(hex: String, line: String) throws {
        #expect(try lines(btHome(hex)) == [line])
    }

    @Test func `encrypted measurements are not read`() throws {
        #expect(try lines(btHome("41a47266c95f730011223378237214")) == ["BTHome encrypted"])
    }

    @Test(arguments: ["40", "4002", "4002c4", "40ff01", "4001610253"])
    func `what ends too soon or is of an unknown kind ends the measurements`(hex: String) throws {
        let frame = try #require(BTHome(btHome(hex)))
        #expect(frame.measurements.count <= 1)
    }

    @Test(arguments: ["", "20", "0161"])
    func `data of another version is none`(hex: String) throws {
        #expect(try BTHome(btHome(hex)) == nil)
    }

    @Test func `a sensor is its values with their units, and an unknown number is null`() throws {
        let data = PeripheralAdvertisements(
            manufacturerData: [0x0499: try Bytes(hex: "C512FC5394FFFFAC364200CDCBB8334C884F")])
        #expect(
            lines(data) == [
                "RuuviTag C5 temperature 24.3 °C, humidity 53.49 %, pressure unknown, voltage 2.977 V, count 66"
            ])
        let json = json(data)
        #expect(json.contains(#""pressure":["unknown"]"#))
        #expect(
            json.contains(
                #""numbers":{"count":[66],"counter":[205],"humidity":[53.49],"pressure":[null],"temperature":[24.3],"#
                    + #""voltage":[2.977]}"#))
        #expect(json.contains(#""units":{"humidity":["%"],"pressure":["hPa"],"temperature":["°C"],"voltage":["V"]}"#))
        #expect(json.contains(#""address":["cbb8334c884f"]"#))
    }

    @Test func `telemetry of Eddystone is one frame`() throws {
        let data = PeripheralAdvertisements(
            serviceData: [Eddystone.uuid: try Bytes(hex: "20000bb81780000000640000ea60")])
        #expect(lines(data) == ["Eddystone 3.000 V, 23.5 °C, up 6000 s"])
    }

    @Test func `a format of a file is read by a scan`() throws {
        let text = """
            {"schema": "bluecap-sensors", "version": 1, "formats": [
              {"name": "Cellar", "company": "FFF1", "length": 2,
                "fields": [{"kind": "temperature", "at": 0, "type": "int16", "factor": 0.1}]}]}
            """
        let file = try TemporaryFile(text.utf8)
        _ = try ScanCommand.parse(["--formats", file.path])
        let data = PeripheralAdvertisements(manufacturerData: [0xFFF1: [0xD7, 0x00]])
        #expect(lines(data) == ["Cellar temperature 21.5 °C"])
        #expect(throws: (any Error).self) { try ScanCommand.parse(["--formats", "/nowhere.json"]) }
    }
}
