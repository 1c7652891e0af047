// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture
import Foundation
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct WorldTests {
    private func world(_ device: String) -> String { #"{"world": 1, "devices": [\#(device)]}"# }

    @Test(arguments: ShippedWorlds.names)
    func `a world that is brought along can be scanned, and its devices that answer are inspected`(name: String)
        async throws
    {
        let text = try #require(ShippedWorlds.text(name))
        let count = try WorldFile.parse(Array(text.utf8), name: name).devices.count
        let output = RecordedOutput()
        try await inWorld(text) { radio, central in
            let plan = ScanSession.Plan(duration: .seconds(20), inspection: Inspector.Plan(timeout: .seconds(2)))
            try await ScanSession(central: central, plan: plan, output: output, clock: radio.clock).run()
        }
        #expect(output.lines.count { $0.hasPrefix("discovered") } == count, "\(output.lines)")
        if !["sensors", "shop"].contains(name) { #expect(output.lines.contains { $0.hasPrefix("inspected") }) }
    }

    @Test func `a house has nothing but values that mean something, and one of each device moves`() async throws {
        try await inWorld(try #require(ShippedWorlds.text("house"))) { radio, _ in
            func values() -> [[String: Bytes]] {
                radio.peripherals.map { device in
                    let all = device.services.flatMap { service in
                        service.characteristics.map { ("\(service.uuid)/\($0.uuid)", $0) }
                    }
                    return Dictionary(all.map { ($0, $1.value) }, uniquingKeysWith: { first, _ in first })
                }
            }
            for service in radio.peripherals.flatMap(\.services) {
                for characteristic in service.characteristics where characteristic.properties.contains(.read) {
                    let text = ValueText(characteristic.value, of: characteristic.uuid, in: service.uuid).line ?? ""
                    #expect(text.firstMatch(of: /(?i)unknown|nan|^$/) == nil, "\(characteristic.uuid)")
                }
            }
            try await radio.clock.sleep(for: .seconds(1))
            let before = values()
            try await radio.clock.sleep(for: .seconds(10))
            #expect(before.count == 4 && zip(before, values()).allSatisfy { $0 != $1 })
        }
    }

    @Test func `of a service of which characteristics are named, it has those alone`() async throws {
        let text = world(
            #"{"services": ["Device Information", "Heart Rate"], "characteristics": ["2A29", "model number string"]}"#)
        try await inWorld(text) { radio, _ in
            let counts = radio.peripherals[0].services.map(\.characteristics.count)
            #expect(counts == [2, 3])
        }
    }

    @Test func `services have the values that are set, and those that move are notified`() async throws {
        let text = world(
            #"{"name": "Strap", "services": ["Heart Rate", "180F"], "values": {"battery level": "42"}, "moves": {"2A37": "ramp:60..120"}}"#
        )
        let (read, notified) = (RecordedOutput(), RecordedOutput())
        try await inWorld(text) { radio, central in
            let finder = DeviceFinder(central: central, device: "Strap", progress: { _ in })
            try await ReadSession(
                finder: finder, characteristics: [CharacteristicSelector("2A19")], output: read, clock: radio.clock
            ).run()
            try await NotifySession(
                finder: finder, plan: .init(characteristics: [CharacteristicSelector("2A37")], count: 4),
                output: notified, clock: radio.clock
            ).run()
        }
        #expect(read.lines == ["42 %  2a"])
        let beats = notified.lines.compactMap { $0.firstMatch(of: /heartRate (\d+)/)?.1 }.compactMap { Int($0) }
        #expect(beats.count == 4 && beats == beats.sorted() && Set(beats).count == 4, "\(notified.lines)")
    }

    @Test func `a device moves along its path, and back at the beginning of each period`() async throws {
        let text = world(
            #"{"name": "Cat", "services": ["Battery"], "path": [{"at": 0, "metres": 1}, {"at": 10, "metres": 30}], "period": 20}"#
        )
        try await inWorld(text) { radio, _ in
            let cat = try #require(radio.peripherals.first)
            var places: [VirtualProximity] = []
            // Between two of its steps.
            try await radio.clock.sleep(for: .milliseconds(250))
            for _ in 0..<5 {
                places.append(cat.proximity)
                try await radio.clock.sleep(for: .seconds(5))
            }
            let metres = places.map { place -> Double in
                if case .metres(let metres) = place { metres } else { -1 }
            }
            // It moves twice a second, and so is at most half a second behind.
            for (found, expected) in zip(metres, [1, 15.5, 30, 30, 1]) {
                #expect(abs(found - expected) <= 1.5, "\(metres)")
            }
        }
    }

    @Test func `faults come at their times, again in each period`() async throws {
        let text = world(
            #"{"name": "Ghost", "services": ["Battery"], "faults": [{"at": 2, "do": "vanish"}, {"at": 6, "do": "reappear"}], "period": 10}"#
        )
        let output = RecordedOutput()
        try await inWorld(text) { radio, central in
            let plan = ScanSession.Plan(options: ScanOptions(lostAfter: .seconds(2)), duration: .seconds(28))
            try await ScanSession(central: central, plan: plan, output: output, clock: radio.clock).run()
        }
        let words = output.lines.compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(words == ["discovered", "lost", "discovered", "lost", "discovered", "lost", "discovered"])
    }

    @Test func `beacons are ranged, and a paired device is a bond`() async throws {
        let uuid = "7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70"
        let text =
            #"{"world": 1, "devices": [{"iBeacon": {"uuid": "\#(uuid)", "major": 3}, "metres": 2}, {"name": "Scale", "services": ["Battery"], "paired": true}]}"#
        try await inWorld(text) { radio, central in
            let output = RecordedOutput()
            let plan = BeaconRangeSession.Plan(
                uuid: BluetoothUUID(stringLiteral: uuid), major: 3, duration: .seconds(3))
            try await BeaconRangeSession(central: central, plan: plan, output: output, clock: radio.clock).run()
            #expect(output.lines.count == 3)
            let beacon = "      3      0  C0:DE:FF:FF:00:00"
            #expect(output.lines.allSatisfy { $0.contains(" m  near ") && $0.hasSuffix(beacon) }, "\(output.lines)")
            let bonds = try await RadioOptions.bonds(of: central, among: radio.peripherals)
            #expect(bonds.map(\.name) == ["Scale"])
        }
    }

    @Test func `beacons of three families are ranged, each with its numbers and its power`() async throws {
        let numbers = #"{"uuid": "7c0e8a36-52d1-4b6f-9a44-1f3d5e2b9c70", "major": 3, "minor": 9, "power": -65}"#
        let text =
            #"{"world": 1, "devices": [{"iBeacon": \#(numbers)}, {"altBeacon": \#(numbers)}, {"eddystone": \#(numbers)}]}"#
        let output = RecordedOutput()
        try await inWorld(text) { radio, central in
            let plan = BeaconRangeSession.Plan(
                uuid: BeaconCommand.defaultUUID, isAll: true, duration: .seconds(3), isJSON: true)
            try await BeaconRangeSession(central: central, plan: plan, output: output, clock: radio.clock).run()
        }
        let line = try #require(output.lines.last)
        for part in [
            #""family":"ibeacon","id":"C0:DE:FF:FF:00:00","major":3,"minor":9,"power":-65"#,
            #""family":"altbeacon","id":"C0:DE:FF:FF:00:01","major":3,"minor":9,"power":-65"#,
            #""id":"C0:DE:FF:FF:00:02","instance":"000000030009","namespace":"7c0e8a361f3d5e2b9c70","power":-65"#,
        ] {
            #expect(line.contains(part), "\(line)")
        }
    }

    @Test func `a sensor of a SensorTag measures while it is switched on, and refuses a setting that means nothing`()
        async throws
    {
        let text = world(#"{"services": ["TI Hygrometer"], "values": {"hygrometer enabled": "yes"}}"#)
        try await inWorld(text) { radio, central in
            let device = try await central.firstDiscovery(for: [], timeout: .seconds(5)).peripheral
            try await device.connect(timeout: .seconds(5))
            try await device.discover(timeout: .seconds(5))
            let enabled = try device.characteristic(TISensorTag.HygrometerService.Enabled.self)
            let data = try device.characteristic(TISensorTag.HygrometerService.Data.self)
            var values = try await data.notifications(timeout: .seconds(2)).makeAsyncIterator()
            let first = try await values.next()
            #expect(try await values.next()?.humidity != first?.humidity)
            await #expect(throws: CharacteristicError.att(.invalidAttributeValueLength)) {
                try await enabled.characteristic.write([1, 1] as Bytes, timeout: .seconds(2))
            }
            try await enabled.write(.no, timeout: .seconds(2))
            let last = try await data.read(timeout: .seconds(2))
            try await radio.clock.sleep(for: .seconds(5))
            #expect(try await data.read(timeout: .seconds(2)).humidity == last.humidity)
        }
    }

    @Test func `data of a sensor that have a move are not measured`() async throws {
        let text = world(
            #"{"name": "Tag", "services": ["TI Hygrometer"], "values": {"hygrometer enabled": "yes"}, "moves": {"hygrometer data.humidityRaw": "wave:46000..47000"}}"#
        )
        let output = RecordedOutput()
        try await inWorld(text) { radio, central in
            let finder = DeviceFinder(central: central, device: "Tag", progress: { _ in })
            let plan = NotifySession.Plan(characteristics: [CharacteristicSelector("hygrometer data")], count: 6)
            try await NotifySession(finder: finder, plan: plan, output: output, clock: radio.clock).run()
        }
        #expect(output.lines.count == 6)
        #expect(output.lines.allSatisfy { $0.contains(/humidity \+?8\d/) }, "\(output.lines)")
    }

    @Test func `the built-in heart strap is found by its name and sends its measurements`() async throws {
        let output = RecordedOutput()
        try await inWorld(world(#"{"builtIn": "heartStrap", "name": "Chest", "metres": 2}"#)) { radio, central in
            let finder = DeviceFinder(central: central, device: "Chest", progress: { _ in })
            let plan = NotifySession.Plan(characteristics: [CharacteristicSelector("2A37")], count: 2)
            try await NotifySession(finder: finder, plan: plan, output: output, clock: radio.clock).run()
        }
        #expect(output.lines.count == 2 && output.lines.allSatisfy { $0.contains("rrInterval") }, "\(output.lines)")
    }

    @Test func `a twin stands in the world's file, at the place that the world gives it`() async throws {
        let twin = Twin(address: "C0:DE:00:00:00:77", name: "Lamp", services: [TwinService("180F")]).json
        try await inWorld(world(#"{"metres": 7, "twin": \#(twin)}"#)) { radio, _ in
            let lamp = try #require(radio.peripherals.first)
            #expect(lamp.name == "Lamp" && lamp.identifier == "C0:DE:00:00:00:77" && lamp.proximity == .metres(7))
            #expect(lamp.services.map(\.uuid) == ["180F"])
        }
    }

    @Test func `a twin is found beside the world's file, under another name if need be`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bluecap-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let twin = Twin(address: "C0:DE:00:00:00:77", name: "Lamp", services: [])
        try twin.json.write(toFile: folder + "/lamp.json", atomically: true, encoding: .utf8)
        let text =
            #"{"world": 1, "devices": [{"twin": "lamp.json"}, {"twin": "lamp.json", "name": "Other", "address": "C0:DE:00:00:00:78"}]}"#
        try await inWorld(text, name: folder + "/world.json") { radio, _ in
            #expect(radio.peripherals.map(\.name) == ["Lamp", "Other"])
            #expect(radio.peripherals.map(\.identifier.text) == ["C0:DE:00:00:00:77", "C0:DE:00:00:00:78"])
        }
    }

    @Test(arguments: [
        ("{", "world.json: this is not JSON: line 1, column 2: a key in quotes is expected"), ("[]", "no object"),
        (#"{"world": 1, "devices": [{"iBeacon": {"uuid": "x", "major": 70000}}]}"#, "devices[0].iBeacon.major: "),
        (#"{"world": 1, "seed": -1, "devices": []}"#, "seed: this is a whole number from 0"),
        (#"{"world": 1, "devices": [{"services": 5}]}"#, "devices[0].services: the value is not a list"),
        (#"{"world": 1, "devices": [{"services": ["Battery"], "path": [{"at": 1}]}]}"#, "path[0]: 'metres' is missing"),
        (#"{"world": 2, "devices": []}"#, "version 1"),
        (#"{"devices": []}"#, "'world' is missing"),
        (#"{"world": 1, "devices": [], "sed": 3}"#, "'sed'"),
        (#"{"z": 1, "d": 1, "world": 1, "devices": [], "b": 1, "c": 1}"#, "there is no 'b' here"),
        (#"{"world": 1, "devices": [{}]}"#, "devices[0]: a device has one of"),
        (
            #"{"world": 1, "devices": [{"services": ["Nonsense"]}]}"#,
            "devices[0].services[0]: there is no file and no service 'Nonsense'"
        ),
        (#"{"world": 1, "devices": [{"services": ["Battery"], "values": {"2A19": "x"}}]}"#, "devices[0].values.2A19: "),
        (
            #"{"world": 1, "devices": [{"services": ["Battery"], "moves": {"2A19": "x"}}]}"#,
            "devices[0].moves.2A19: 'x' is no FORM"
        ),
        (#"{"world": 1, "devices": [{"services": ["Battery"], "moves": {"2A19": "wave:0..999"}}]}"#, "cannot be 999"),
        (
            #"{"world": 1, "devices": [{"services": ["Battery"], "address": "here"}]}"#,
            "devices[0].address: 'here' is no address"
        ),
        (
            #"{"world": 1, "devices": [{"services": ["Battery"], "pairing": "maybe"}]}"#,
            "devices[0].pairing: 'maybe' is no pairing: choose 'justWorks'"
        ),
        (
            #"{"world": 1, "devices": [{"services": ["Battery"], "faults": [{"at": 1, "do": "explode"}]}]}"#,
            "devices[0].faults[0].do: 'explode' is no fault"
        ),
        (
            #"{"world": 1, "devices": [{"services": ["Battery"], "faults": [{"at": -1, "do": "mute"}]}]}"#,
            "times are seconds"
        ),
        (
            #"{"world": 1, "devices": [{"services": ["Battery"], "faults": [{"at": 1, "do": "lose", "value": 1.5}]}]}"#,
            "devices[0].faults[0].value: a part is a number from 0 to 1"
        ),
        (
            #"{"world": 1, "devices": [{"services": ["Battery"], "faults": [{"at": 1, "do": "lose", "value": -0.1}]}]}"#,
            "devices[0].faults[0].value: a part is a number from 0 to 1"
        ),
        (
            #"{"world": 1, "devices": [{"services": ["Battery"], "faults": [{"at": 1, "do": "slow", "value": -1}]}]}"#,
            "devices[0].faults[0].value: times are seconds"
        ),
        (
            #"{"world": 1, "devices": [{"services": ["Battery"], "faults": [{"at": 1, "do": "slow", "value": 1e7}]}]}"#,
            "devices[0].faults[0].value: times are seconds"
        ),
        (
            #"{"world": 1, "devices": [{"services": ["Battery"], "faults": [{"at": 1, "do": "mute", "value": 3}]}]}"#,
            "devices[0].faults[0].value: only 'lose' and 'slow' have a value"
        ),
        (
            #"{"world": 1, "about": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]], "devices": []}"#,
            "world.json: line 1, column 54: values are too deep in each other"
        ),
        (#"{"world": 1, "devices": [{"services": ["Battery"], "period": 0}]}"#, "times are seconds"),
        (#"{"world": 1, "devices": [{"services": ["Battery"], "period": 0.0001}]}"#, "times are seconds"),
        (#"{"world": 1, "devices": [{"twin": "a.json", "values": {"2A19": "1"}}]}"#, "only a device of 'services'"),
        (
            #"{"world": 1, "devices": [{"iBeacon": {"uuid": "180D"}, "moves": {"2A19": "1"}}]}"#,
            "devices[0].moves: only a device of 'services'"
        ),
        (
            #"{"world": 1, "devices": [{"twin": "a.json", "pairing": "tipping"}]}"#,
            "devices[0].pairing: 'tipping' is no pairing: did you mean 'typing'?"
        ),
        (
            #"{"world": 1, "devices": [{"services": ["Battery"], "metres": 5000}]}"#,
            "devices[0].metres: distances are metres"
        ),
        (#"{"world": 1, "devices": [{"twin": "nowhere.json"}]}"#, "No such file"),
        (
            #"{"world": 1, "devices": [{"twin": {"services": []}}]}"#,
            #"devices[0].twin: this is JSON, but no twin: "schema""#
        ),
        (
            #"{"world": 1, "devices": [{"twin": {"schema": "bluecap-twin", "version": 1, "services": [{"uuid": "x"}]}}]}"#,
            "devices[0].twin.services[0].uuid: 'x' is no UUID"
        ),
        (#"{"world": 1, "devices": [{"altBeacon": {"uuid": "180D"}}]}"#, "altBeacon.uuid: '180D' is no UUID of 36"),
        (#"{"world": 1, "devices": [{"eddystone": {"uuid": "180D"}}]}"#, "eddystone.uuid: '180D' is no UUID of 36"),
        (
            #"{"world": 1, "devices": [{"eddystone": {"uuid": "x", "minor": -1}}]}"#,
            "devices[0].eddystone.minor: this is a whole number from 0 to 65535"
        ),
        (
            #"{"world": 1, "devices": [{"altBeacon": {"uuid": "x", "mayor": 1}}]}"#,
            "devices[0].altBeacon: there is no 'mayor' here: did you mean 'major'?"
        ),
        (
            #"{"world": 1, "devices": [{"builtIn": "hartStrap"}]}"#,
            "devices[0].builtIn: 'hartStrap' is no built-in device: did you mean 'heartStrap'?"
        ),
        (
            #"{"world": 1, "devices": [{"builtIn": "heartStrap", "altBeacon": {"uuid": "x"}}]}"#,
            "devices[0]: a device has one of 'services', 'twin', 'iBeacon', 'altBeacon', 'eddystone', 'sensor' or 'builtIn'"
        ),
        (#"{"world": 1, "devices": [{"iBeacon": {"uuid": "180D"}}]}"#, "UUID of 36 characters"),
        (#"{"world": 1, "devices": [{"services": ["1234"], "address": "C0:DE:00:00:00:01"}]}"#, "no service '1234'"),
        (
            #"{"world": 1, "devices": ["heartStrap"]}"#,
            #"devices[0]: this is an object in braces: write { "builtIn": "heartStrap" }"#
        ),
        (
            #"{"world": 1, "devices": [{"services": ["Battery"]}, "lamp.json"]}"#,
            #"devices[1]: this is an object in braces: write { "twin": "lamp.json" }"#
        ),
        (
            #"{"world": 1, "devices": ["Heart Rate"]}"#,
            #"devices[0]: this is an object in braces: write { "services": ["Heart Rate"] }"#
        ),
        (
            #"{"world": 1, "devices": ["x"]}"#,
            #"devices[0]: this is an object in braces: write { "services": ["Battery"] }"#
        ),
        (
            #"{"world": 1, "devices": [{"iBeacon": "7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70"}]}"#,
            #"devices[0].iBeacon: this is an object in braces: write { "uuid": "7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70" }"#
        ),
        (
            #"{"world": 1, "devices": [{"services": ["Battery"], "faults": ["mute"]}]}"#,
            #"devices[0].faults[0]: this is an object in braces: write { "at": 1, "do": "mute" }"#
        ),
        (
            #"{"world": 1, "devices": [{"services": ["Battery"], "path": ["5"]}]}"#,
            #"devices[0].path[0]: this is an object in braces: write { "at": 0, "metres": 1 }"#
        ),
        (
            #"{"world": 1, "devices": [{"services": ["Battery"], "values": "50"}]}"#,
            "devices[0].values: the value is not an object in braces: {…}"
        ),
        (#"{"world": 1, "devices": [7]}"#, "devices[0]: the value is not an object in braces: {…}"),
        (
            #"{"world": 1, "devices": [{"services": ["Device Information"], "values": {"2A29": "\#(String(repeating: "41", count: 513))"}}]}"#,
            "devices[0].values.2A29: Manufacturer Name String has at most 512 bytes, and this has 513"
        ),
        (
            #"{"world": 1, "devices": [{"services": ["Battery"], "values": {"2A19": "50", "battery level": "60"}}]}"#,
            "devices[0].values.battery level: '2A19' is another value of it"
        ),
        (
            #"{"world": 1, "devices": [{"services": ["Battery"]}, {"services": ["Battery"], "address": "00:00:5e:00:53:01"}]}"#,
            "devices[1].address: 00:00:5E:00:53:01 is the address of the world's adapter"
        ),
        (
            #"{"world": 1, "devices": [{"twin": {"schema": "bluecap-twin", "version": 1, "address": "00:00:5E:00:53:01"}}]}"#,
            "devices[0].address: 00:00:5E:00:53:01 is the address of the world's adapter"
        ),
        (
            #"{"world": 1, "devices": [{"services": ["180F"], "address": "C0:DE:00:00:00:01"}, {"services": ["180F"], "address": "c0:de:00:00:00:01"}]}"#,
            "another device has the address"
        ),
    ])
    func `a world that cannot be is refused with 64 and what is wrong where`(text: String, problem: String) async throws
    {
        let error = await #expect(throws: CommandFailure.self) { try await inWorld(text) { _, _ in } }
        #expect(error?.status == .usage)
        #expect(error?.message.contains(problem) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [511, 512])
    func `a value may have as many bytes as an attribute`(count: Int) async throws {
        let text = world(
            #"{"services": ["Device Information"], "values": {"2A29": "\#(String(repeating: "41", count: count))"}}"#)
        try await inWorld(text) { radio, _ in
            let values = radio.peripherals[0].services.flatMap(\.characteristics).map(\.value.count)
            #expect(values.contains(count))
        }
    }

    @Test func `the address that no device can have is that of the adapter`() async throws {
        try await inWorld(world(#"{"services": ["Battery"]}"#)) { radio, _ in
            #expect(radio.adapter().address == VirtualAdapter.usualAddress)
        }
    }

    @Test func `a name that is no world and no file is refused with those that are`() {
        let error = #expect(throws: CommandFailure.self) { try WorldFile.read("mars") }
        #expect(error?.message.contains("'house', 'sensors', 'shop' or 'storm'") == true)
    }

    @Test func `a twin in the place of a world is refused with what it is good for`() {
        let error = #expect(throws: CommandFailure.self) {
            try WorldFile.parse(Array(Twin(name: "Lamp").json.utf8), name: "tmp/lamp.json")
        }
        #expect(error?.status == .usage)
        #expect(error?.message.contains("'bluecap emulate tmp/lamp.json'") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains(#"{"twin": "lamp.json"}"#) == true)
    }

    @Test(arguments: [
        ("bluez", BackendName.bluez), ("virtual", .virtual(nil)), ("virtual:house", .virtual("house")),
        ("virtual:a/b.json", .virtual("a/b.json")),
    ])
    func `a radio is read from its name`(text: String, backend: BackendName) {
        #expect(BackendName(argument: text) == backend)
        #expect(backend.text == text)
    }

    @Test(arguments: ["", "usb", "virtual:"])
    func `what is no radio is refused`(text: String) {
        #expect(BackendName(argument: text) == nil)
    }
}
