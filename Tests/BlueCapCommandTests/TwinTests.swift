// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapCapture
import BlueCapPlatform
import BlueCapRuntime
import Testing

@testable import BlueCapCommand

/// A file that goes with the test.
final class TemporaryFile: Sendable {
    let path: String

    init(_ bytes: some Sequence<UInt8> = [], suffix: String = "") throws {
        let name = "bluecap-test-\(getpid())-\(UInt64.random(in: 0...UInt64.max))\(suffix)"
        path = "/tmp/" + name
        try ToolFile.write(bytes, to: path)
    }

    deinit { _ = unsafe unlink(path) }
}

@Suite(.timeLimit(.minutes(60)))
struct TwinTests {
    /// The twin that `record` saves of a device of the virtual town.
    private func record(_ device: String, duration: Duration = .seconds(4)) async throws -> Twin {
        let saved = Locked("")
        try await inTown { radio, central in
            try await RecordSession(
                finder: DeviceFinder(central: central, device: device, progress: { _ in }), duration: duration,
                save: { text in saved.withLock { $0 = text } }, clock: radio.clock
            ).run()
            await central.invalidate()
            #expect(radio.peripherals.allSatisfy { $0.connectionCount == 0 })
        }
        return try Twin(json: saved.withLock { $0 }.utf8)
    }

    /// A capture of the town.
    private func capture(_ plan: CaptureSession.Plan = CaptureSession.Plan()) async throws -> [UInt8] {
        let file = Locked<[UInt8]>([])
        try await CaptureSession(plan: plan, write: { piece in file.withLock { $0 += piece } }, progress: { _ in })
            .run()
        return file.withLock { $0 }
    }

    private func show(
        _ file: [UInt8], device: String? = nil, showsValues: Bool = false, isJSON: Bool = false,
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> [String] {
        let output = RecordedOutput()
        let temporary = try TemporaryFile(file)
        let plan = TwinSession.Plan(path: temporary.path, device: device, showsValues: showsValues, isJSON: isJSON)
        try TwinSession(plan: plan, output: output, warn: warn).run()
        return output.lines
    }

    @Test func `a twin as JSON for programs is one object on a line`() async throws {
        let file = try await capture()
        let lines = try show(file, device: "Heart Strap", isJSON: true)
        #expect(lines.count == 1)
        let pretty = try show(file, device: "Heart Strap").joined(separator: "\n")
        #expect(try Twin(json: try #require(lines.first).utf8) == Twin(json: pretty.utf8))
    }

    // MARK: record

    @Test
    func `record keeps advertisement, database, values, descriptors and notifications`() async throws {
        let twin = try await record("Heart Strap")
        #expect(twin.address == "C0:DE:00:00:00:02")
        #expect(twin.name == "Heart Strap")
        #expect(twin.advertisement?.data.serviceUUIDs == ["180D", "180F"])
        #expect(twin.services.map(\.uuid) == ["180D", "180F", "180A"])
        let heart = twin.services[0].characteristics
        #expect(heart.map(\.uuid) == ["2A37", "2A38", "2A39"])
        #expect(heart.map(\.properties) == [.notify, .read, .write])
        #expect(heart[1].value == [1])
        #expect(heart[0].notifications.count == 4)
        #expect(heart[0].notifications.allSatisfy { $0.after <= .seconds(4) && !$0.value.isEmpty })
        #expect(twin.services[2].characteristics[1].descriptors.map(\.uuid) == ["2901"])
        #expect(twin.services[2].characteristics[1].descriptors[0].value == Bytes("Printed inside".utf8))
    }

    @Test
    func `a recording of more notifications than are kept says that the rest is left out`() async throws {
        let (messages, saved) = (Locked<[String]>([]), Locked(""))
        try await inTown { radio, central in
            let finder = DeviceFinder(
                central: central, device: "Heart Strap", progress: { text in messages.withLock { $0.append(text) } })
            try await RecordSession(
                finder: finder, duration: .seconds(60), maximumCount: 3,
                save: { text in saved.withLock { $0 = text } }, clock: radio.clock
            ).run()
        }
        let twin = try Twin(json: saved.withLock { $0 }.utf8)
        #expect(twin.services.flatMap(\.characteristics).map(\.notifications.count).max() == 3)
        #expect(messages.withLock { $0.contains { $0.hasPrefix("left out what ") && $0.contains(" after 3 times") } })
    }

    @Test
    func `record without a duration does not subscribe`() async throws {
        let twin = try await record("Heart Strap", duration: .zero)
        #expect(twin.services.count == 3)
        #expect(twin.services.flatMap(\.characteristics).allSatisfy { $0.notifications.isEmpty })
    }

    @Test
    func `a recording that Ctrl-C ends is saved, with what was heard by then`() async throws {
        let saved = Locked("")
        try await inTown { radio, central in
            let session = RecordSession(
                finder: DeviceFinder(central: central, device: "Heart Strap", progress: { _ in }),
                duration: .seconds(3600), save: { text in saved.withLock { $0 = text } }, clock: radio.clock)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await session.run() }
                group.addTask { try? await radio.clock.sleep(for: .seconds(30)) }
                await group.next()
                group.cancelAll()
            }
        }
        let twin = try Twin(json: saved.withLock { $0 }.utf8)
        #expect(twin.services[0].characteristics[0].notifications.count == 28)
    }

    @Test func `a recording whose link is lost is saved, and says so`() async throws {
        let (messages, saved) = (Locked<[String]>([]), Locked(""))
        try await inTown { radio, central in
            let finder = DeviceFinder(
                central: central, device: "Heart Strap", progress: { text in messages.withLock { $0.append(text) } })
            let session = RecordSession(
                finder: finder, duration: .seconds(60), save: { text in saved.withLock { $0 = text } },
                clock: radio.clock)
            let strap = try #require(radio.peripherals.first { $0.name == "Heart Strap" })
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await session.run() }
                try await radio.clock.sleep(for: .seconds(30))
                strap.disconnect()
                try await group.next()
            }
        }
        let twin = try Twin(json: saved.withLock { $0 }.utf8)
        #expect(!twin.services[0].characteristics[0].notifications.isEmpty)
        #expect(messages.withLock { $0.contains("the link was lost, and nothing heard from then on") })
    }

    @Test
    func `record of a device that is not there writes nothing and ends with 75`() async throws {
        let error = await #expect(throws: CommandFailure.self) { _ = try await record("Toaster") }
        #expect(error?.status == .tryAgain)
    }

    @Test
    func `--passive is refused in the virtual world, which has no bluetoothd`() async {
        let arguments = ["Lamp", "-o", "lamp.json", "--passive", "--backend", "virtual"]
        await expectRefusal(of: arguments, by: RecordCommand.self, saying: "--passive")
    }

    // MARK: capture and twin

    @Test
    func `a capture of the town lists its devices, and gives the twin of one, in each form`() async throws {
        for form in [CaptureWriter.Form.btsnoop(.monitor), .btsnoop(.uart), .btsnoop(.hci), .pcapng] {
            let file = try await capture(CaptureSession.Plan(form: form))
            let lines = try show(file)
            #expect(lines.contains { $0.hasPrefix("C0:DE:00:00:00:02  Heart Strap") && $0.contains("3 services") })
            let twin = try Twin(json: show(file, device: "heart strap").joined(separator: "\n").utf8)
            #expect(twin.services.map(\.uuid) == ["180D", "180F", "180A"])
            #expect(twin.services[0].characteristics[0].notifications.count == 5)
        }
    }

    @Test
    func `the same seed gives the same capture, and another one another`() async throws {
        let first = try await capture()
        #expect(try await capture() == first)
        #expect(try await capture(CaptureSession.Plan(seed: 2)) != first)
    }

    @Test
    func `a twin in the air is captured instead of the town`() async throws {
        let twin = try await record("Heart Strap")
        let file = try await capture(CaptureSession.Plan(twins: [twin]))
        let lines = try show(file, isJSON: true)
        #expect(lines.count == 2)
        let again = try Twin(json: show(file, device: "C0:DE:00:00:00:02").joined(separator: "\n").utf8)
        #expect(again.services.map(\.uuid) == twin.services.map(\.uuid))
        #expect(
            again.services.flatMap(\.characteristics).map(\.value)
                == twin.services.flatMap(\.characteristics).map(\.value))
    }

    @Test
    func `the values of a capture are listed with their times and meanings`() async throws {
        let file = try await capture()
        let lines = try show(file, device: "C0:DE:00:00:00:02", showsValues: true)
        #expect(
            lines.contains { $0.contains("read") && $0.contains("Body Sensor Location") && $0.hasSuffix("Chest  01") })
        #expect(lines.contains { $0.contains("notified") && $0.contains("Heart Rate Measurement") })
        #expect(lines.allSatisfy { $0.contains("C0:DE:00:00:00:02") })
        let events = try show(file, device: "Heart Strap", showsValues: true, isJSON: true)
        #expect(events.count == lines.count)
        #expect(events.contains { $0.contains(#""event":"read""#) && $0.contains(#""text":"Chest""#) })
    }

    @Test func `the values that sensors advertise are listed where they change, with numbers and units`() async throws {
        func sensor(_ address: String, _ data: PeripheralAdvertisements) -> Twin {
            Twin(
                address: PeerIdentifier(address), name: "Sensor",
                advertisement: TwinAdvertisement(data: data, isConnectable: false))
        }
        let tag = try SensorFormats.shipped.frame(of: "RuuviTag 5", ["temperature": .number(21.5)], counter: 7)
        let file = try await capture(
            CaptureSession.Plan(
                twins: [
                    sensor(
                        "C0:DE:00:00:00:11",
                        PeripheralAdvertisements(manufacturerData: tag.advertisement.manufacturerData)),
                    sensor(
                        "C0:DE:00:00:00:12",
                        PeripheralAdvertisements(serviceData: [BTHome.uuid: try Bytes(hex: "4002c40903bf13")])),
                    sensor(
                        "C0:DE:00:00:00:13",
                        PeripheralAdvertisements(
                            serviceData: [Eddystone.uuid: try Bytes(hex: "20000bb81980000000010000000a")])),
                ], duration: .seconds(3)))
        let events = try show(file, showsValues: true, isJSON: true).filter { $0.contains(#""event":"advertised""#) }
        #expect(events.count == 3, "\(events)")
        for (address, kind, numbers) in [
            ("11", "RuuviTag 5", #""pressure":[null],"temperature":[21.5]"#), ("12", "BTHome", #""temperature":[25]"#),
            ("13", "Eddystone", #""temperature":[25.5]"#),
        ] {
            let event = events.first { $0.contains(#""id":"C0:DE:00:00:00:\#(address)""#) }
            #expect(event?.contains(#""kind":"\#(kind)""#) == true && event?.contains(numbers) == true, "\(events)")
            #expect(event?.contains(#""temperature":["°C"]"#) == true && event?.contains(#""date":""#) == true)
        }
        let lines = try show(file, device: "C0:DE:00:00:00:12", showsValues: true)
        #expect(lines.count == 1 && lines[0].hasSuffix("BTHome temperature 25.00 °C, humidity 50.55 %"), "\(lines)")
    }

    @Test
    func `a device that is not in the capture ends with 75 and the names of those that are`() async throws {
        let file = try await capture()
        for showsValues in [false, true] {
            let error = #expect(throws: CommandFailure.self) {
                try show(file, device: "Toaster", showsValues: showsValues)
            }
            #expect(error?.status == .tryAgain)
            #expect(error?.message.contains("Heart Strap") == true)
        }
    }

    @Test
    func `a name that several devices of a capture have ends with 64 and their addresses`() async throws {
        var twin = try await record("Dog Collar", duration: .zero)
        let first = twin
        twin.address = "C0:DE:00:00:00:77"
        let file = try await capture(CaptureSession.Plan(twins: [first, twin]))
        let error = #expect(throws: CommandFailure.self) { try show(file, device: "dog collar") }
        #expect(error?.status == .usage)
        #expect(error?.message.contains("C0:DE:00:00:00:03") == true, "\(error as Any)")
        #expect(error?.message.contains("C0:DE:00:00:00:77") == true, "\(error as Any)")
    }

    @Test
    func `what stands in front of damage is read, with a warning; what is no capture ends with 64`() async throws {
        let file = try await capture()
        let warnings = Locked<[String]>([])
        let lines = try show(Array(file.dropLast(3)), warn: { text in warnings.withLock { $0.append(text) } })
        #expect(lines.contains { $0.contains("Heart Strap") })
        #expect(warnings.withLock { $0 }.first?.contains("ends within") == true)
        let error = #expect(throws: CommandFailure.self) { try show(Array("hello, world, this is text".utf8)) }
        #expect(error?.status == .usage)
    }

    @Test
    func `a file that is missing ends with 64 and its name`() {
        let session = TwinSession(plan: .init(path: "/nowhere/run.btsnoop"), output: RecordedOutput())
        let error = #expect(throws: CommandFailure.self) { try session.run() }
        #expect(error?.status == .usage)
        #expect(error?.message.contains("/nowhere/run.btsnoop") == true)
    }

    @Test(arguments: [
        (["-o", "run.btsnoop"], CaptureWriter.Form.btsnoop(.monitor)), (["-o", "run.pcapng"], .pcapng),
        (["-o", "x", "--datalink", "1002"], .btsnoop(.uart)), (["-o", "-", "--datalink", "1001"], .btsnoop(.hci)),
    ])
    func `the form of a capture follows from the file's name and the option`(
        arguments: [String], form: CaptureWriter.Form
    ) throws {
        #expect(try CaptureCommand.parse(arguments).form == form)
    }

    @Test(arguments: [
        (["-o", "x", "--datalink", "7"], "--datalink"),
        (["-o", "x.pcapng", "--datalink", "1002"], "--datalink"),
        ([], "--output"),
    ])
    func `contradictions are refused`(arguments: [String], text: String) async {
        await expectRefusal(of: arguments, by: CaptureCommand.self, saying: text)
    }

    // MARK: emulate

    @Test
    func `emulate takes a file beside the built-in names`() throws {
        let file = try #require(try EmulateCommand.parseAsRoot(["lamp.json", "--repeat"]) as? EmulateDeviceCommand)
        #expect(file.file == "lamp.json")
        #expect(file.repeats)
        #expect(try EmulateCommand.parseAsRoot(["sensortag"]) is EmulateSensorTagCommand)
    }

    @Test
    func `a recorded device is emulated, and a central finds its values and hears what it notified`() async throws {
        let twin = try await record("Heart Strap")
        let output = RecordedOutput()
        try await VirtualRadio.run { radio in
            try await EmulateTwinSession.run(
                on: radio, plan: .init(twin: twin, duration: .seconds(8), isJSON: true), output: output)
        }
        let lines = output.lines
        #expect(lines.filter { $0.contains(#""event":"serviceAdded""#) }.count == 3)
        #expect(lines.contains { $0.contains(#""event":"advertising""#) && $0.contains("Heart Strap") })
        let sent = twin.services[0].characteristics[0].notifications.map(\.value.hex)
        let heard = lines.filter { $0.contains(#""event":"value""#) && $0.contains("00002a37-") }
        #expect(heard.count == sent.count)
        for (line, value) in zip(heard, sent) { #expect(line.contains(#""value":"\#(value)""#)) }
        #expect(lines.contains { $0.contains(#""event":"read""#) && $0.contains("Chest") })
        #expect(lines.last?.contains("stopped") == true)
    }

    @Test
    func `a twin is sent again and again when asked for`() async throws {
        let twin = Twin(
            name: "Lamp",
            services: [
                TwinService(
                    "FFF0",
                    characteristics: [
                        TwinCharacteristic(
                            "FFF1", properties: .notify,
                            notifications: [TwinNotification(after: .milliseconds(500), value: [7])])
                    ])
            ])
        let output = RecordedOutput()
        try await VirtualRadio.run { radio in
            try await EmulateTwinSession.run(
                on: radio, plan: .init(twin: twin, replay: .repeating, duration: .seconds(8), isJSON: true),
                output: output)
        }
        #expect(output.lines.filter { $0.contains(#""value":"07""#) }.count > 8)
    }

    @Test(arguments: [(TwinReplay.once, 1), (.repeating, 0)])
    func `that all was sent is told, with how much, where it is not repeated`(replay: TwinReplay, count: Int)
        async throws
    {
        let characteristic = TwinCharacteristic(
            "FFF1", properties: .notify,
            notifications: [
                TwinNotification(after: .milliseconds(500), value: [7]),
                TwinNotification(after: .seconds(1), value: [8]),
            ])
        let twin = Twin(name: "Lamp", services: [TwinService("FFF0", characteristics: [characteristic])])
        let output = RecordedOutput()
        try await VirtualRadio.run { radio in
            try await EmulateTwinSession.run(
                on: radio, plan: .init(twin: twin, replay: replay, duration: .seconds(8)), output: output)
        }
        let told = output.lines.filter { $0 == "peripheral  Sent all of FFF1 that was recorded: 2 values" }
        #expect(told.count == count, "\(output.lines)")
    }

    @Test
    func `what a central writes to a twin is kept and told`() async throws {
        let twin = Twin(
            name: "Lamp",
            services: [
                TwinService(
                    "FFF0",
                    characteristics: [TwinCharacteristic("FFF1", properties: [.read, .write], value: [1])])
            ])
        let output = RecordedOutput()
        try await VirtualRadio.run { radio in
            let manager = PeripheralManager(
                backend: radio.peripheral(address: "00:00:5E:00:53:02"), configuration: .tool(clock: radio.clock))
            let session = EmulateTwinSession(
                manager: manager, plan: .init(twin: twin, duration: .seconds(60)), output: output, clock: radio.clock)
            async let running: Void = session.run()
            let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
            try await central.whenPoweredOn(timeout: .seconds(5))
            let lamp = try await central.firstDiscovery(timeout: .seconds(30)).peripheral
            try await lamp.connect(timeout: .seconds(5))
            try await lamp.discover(timeout: .seconds(5))
            let characteristic = try lamp.characteristic("FFF1")
            #expect(try await characteristic.read(timeout: .seconds(5)) == [1])
            try await characteristic.write([2, 3], timeout: .seconds(5))
            #expect(try await characteristic.read(timeout: .seconds(5)) == [2, 3])
            await central.invalidate()
            try await running
        }
        #expect(output.lines.contains { $0.contains("wrote FFF1: 0203") })
    }

    @Test
    func `another name is advertised when asked for`() {
        var twin = Twin(
            name: "Lamp",
            advertisement: TwinAdvertisement(data: PeripheralAdvertisements(localName: "Lamp", serviceUUIDs: ["180F"])))
        twin.rename(to: "Torch")
        #expect(twin.displayName == "Torch")
        #expect(TwinPeripheral(twin).advertisement.localName == "Torch")
        #expect(TwinPeripheral(twin).advertisement.serviceUUIDs == ["180F"])
    }

    @Test
    func `a file that is no twin is refused with its name and the place in it`() throws {
        let file = try TemporaryFile(#"{"schema": "bluecap-twin", "version": 1, "mtu": 7}"#.utf8)
        let error = #expect(throws: CommandFailure.self) { try ToolFile.twin(file.path) }
        #expect(error?.status == .usage)
        #expect(error?.message.contains(file.path) == true)
        #expect(error?.message.contains("mtu: 7 is not from 23 to 517") == true)
    }
}
