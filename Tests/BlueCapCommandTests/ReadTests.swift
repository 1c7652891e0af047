// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapRuntime
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct ReadTests {
    /// The lines that reading in the virtual town prints.
    private func read(
        _ device: String, _ characteristics: String..., isJSON: Bool = false
    ) async throws -> [String] {
        let output = RecordedOutput()
        try await inTown { radio, central in
            try await ReadSession(
                finder: DeviceFinder(central: central, device: device, progress: { _ in }),
                characteristics: characteristics.map { CharacteristicSelector($0) }, isJSON: isJSON, output: output,
                clock: radio.clock
            ).run()
            await central.invalidate()
            #expect(radio.peripherals.allSatisfy { $0.connectionCount == 0 })
        }
        return output.lines
    }

    /// The failure of reading in the virtual town.
    private func failure(_ device: String, _ characteristics: String...) async throws -> CommandFailure {
        let output = RecordedOutput()
        var failure: CommandFailure?
        do {
            try await inTown { radio, central in
                try await ReadSession(
                    finder: DeviceFinder(central: central, device: device, progress: { _ in }),
                    characteristics: characteristics.map { CharacteristicSelector($0) }, output: output,
                    clock: radio.clock
                ).run()
            }
        } catch {
            failure = CommandFailure(error)
        }
        #expect(output.lines.isEmpty)
        return try #require(failure)
    }

    @Test(arguments: [
        "Body Sensor Location", "body-sensor-location", "2A38", "0x2a38",
        "00002a38-0000-1000-8000-00805f9b34fb", "180D/2A38", "heart rate/body sensor location",
        "Heart Rate/2a38",
    ])
    func `a characteristic is found by name, UUID, service and handle`(text: String) async throws {
        #expect(try await read("Heart Strap", text) == ["Chest  01"])
    }

    @Test(arguments: [
        ("battery", " %"), ("Manufacturer", "BlueCap Works"), ("location", "Chest"), ("heart rate", "Chest"),
    ])
    func `a part of a name, or the service, is enough where one alone has it`(text: String, value: String) async throws
    {
        let lines = try await read("Heart Strap", text)
        #expect(lines.count == 1 && lines[0].contains(value), "\(lines)")
    }

    @Test(arguments: ["string", "Device Information", "m", "nothing"])
    func `a part of several names, and of none, is refused with what can be read`(text: String) async throws {
        let failure = try await failure("Heart Strap", text)
        #expect(failure.status == .refused && failure.message.lowercased().contains("these can be read:"), "\(failure)")
    }

    @Test func `what can be read fits 80 columns, also where UUIDs are long`() async throws {
        let lines = try await failure("SensorTag", "nothing").message.split(separator: "\n")
        #expect(lines.contains("  0x3     TI Accelerometer/Accelerometer Data"), "\(lines)")
        #expect(lines.dropFirst().allSatisfy { TextLayout.width(of: String($0)) <= 80 })
    }

    @Test func `a misspelt name is refused with the one that is like it`() async throws {
        let failure = try await failure("Heart Strap", "batery levl")
        #expect(failure.message.contains("; did you mean 'Battery Level'? These can be read:\n"), "\(failure)")
    }

    @Test func `a misspelt device is refused with the one that is like it`() async throws {
        let failure = try await failure("Hart Strap", "2A19")
        #expect(
            failure.status == .tryAgain && failure.message.contains("; did you mean 'Heart Strap'? These are there: "))
    }

    @Test func `a characteristic is found by the handle that info shows`() async throws {
        let output = Locked("")
        try await inTown { radio, central in
            let finder = DeviceFinder(central: central, device: "Heart Strap", progress: { _ in })
            let peripheral = try await finder.connect()
            let id = try peripheral.characteristic("2A38").id
            output.withLock { $0 = id.description }
        }
        #expect(try await read("Heart Strap", output.withLock { $0 }) == ["Chest  01"])
    }

    @Test(arguments: ["heart strap", "c0:de:00:00:00:02"])
    func `a device is found by its name in other capitals and by its identifier`(device: String) async throws {
        #expect(try await read(device, "2A38") == ["Chest  01"])
    }

    @Test func `several are read in the order asked for, each with its name`() async throws {
        #expect(
            try await read("Heart Strap", "2A24", "2A38") == [
                "Model Number String: Strap 1  53747261702031", "Body Sensor Location: Chest  01",
            ])
    }

    @Test func `a value in JSON has its bytes, its text and its fields`() async throws {
        let line = try #require(try await read("Heart Strap", "2A38", isJSON: true).first)
        #expect(
            line.replacing(/"date":"1970[^"]*Z"/, with: "DATE")
                == #"{"characteristic":"00002a38-0000-1000-8000-00805f9b34fb",DATE,"event":"value","fields":{"Body Sensor Location":"Chest"},"index":1,"name":"Body Sensor Location","service":"0000180d-0000-1000-8000-00805f9b34fb","shortCharacteristic":"2A38","shortService":"180D","text":"Chest","value":"01"}"#
        )
    }

    @Test func `a characteristic that is not there is answered with those that can be read`() async throws {
        let failure = try await failure("Heart Strap", "Heart Size")
        #expect(failure.status == .refused)
        #expect(failure.message.contains("no characteristic 'Heart Size'"))
        #expect(failure.message.contains("2A38  Heart Rate/Body Sensor Location"))
        #expect(!failure.message.contains("2A37"))
    }

    @Test func `a characteristic that cannot be read is answered with its properties`() async throws {
        let failure = try await failure("Heart Strap", "2A37")
        #expect(failure.status == .refused)
        #expect(failure.message.hasPrefix("Heart Rate Measurement cannot be read: its properties are notify"))
    }

    @Test func `nothing is read where one of several is not there`() async throws {
        #expect(try await failure("Heart Strap", "2A38", "2A00").status == .refused)
    }

    @Test func `a name that two services have is answered with both, and taken with its service`() async throws {
        let device = VirtualPeripheral(name: "Twins", address: "C0:DE:00:00:00:20") {
            VirtualService("1234") { VirtualCharacteristic("2A19", value: [1]) }
            VirtualService(BatteryService.uuid) { VirtualCharacteristic("2A19", value: [2]) }
        }
        let output = RecordedOutput()
        try await inTown { radio, central in
            radio.add(device)
            func session(_ text: String) -> ReadSession {
                ReadSession(
                    finder: DeviceFinder(central: central, device: "Twins", progress: { _ in }),
                    characteristics: [CharacteristicSelector(text)], output: output, clock: radio.clock)
            }
            let error = await #expect(throws: CommandFailure.self) { try await session("battery level").run() }
            #expect(error?.message.contains("1234/Battery Level") == true)
            #expect(error?.message.contains("Battery/Battery Level") == true)
            try await session("1234/battery level").run()
        }
        #expect(output.lines == ["1 %  01"])
    }

    @Test func `a device that is not there is answered with those that are`() async throws {
        let failure = try await failure("Nobody", "2A19")
        #expect(failure.status == .tryAgain)
        #expect(failure.message.contains("Heart Strap"))
    }

    @Test func `a device that does not answer ends it as timed out, and is disconnected`() async throws {
        let held = VirtualCharacteristic("2A19", value: [1])
        let device = VirtualPeripheral(name: "Sleeper", address: "C0:DE:00:00:00:21") {
            VirtualService(BatteryService.uuid, characteristics: [held])
        }
        try await inTown { radio, central in
            radio.add(device)
            held.hold(.read)
            let session = ReadSession(
                finder: DeviceFinder(central: central, device: "Sleeper", timeout: .seconds(2), progress: { _ in }),
                characteristics: [CharacteristicSelector("2A19")], output: RecordedOutput(), clock: radio.clock)
            let error = await #expect(throws: CharacteristicError.self) { try await session.run() }
            #expect(error.map { CommandFailure($0).status } == .tryAgain)
        }
    }

    @Test func `arguments are taken as given, and a device alone is refused`() async throws {
        let command = try await ReadCommand.asyncParse(["Strap", "2A19", "Battery Level", "--timeout", "2.5", "--json"])
        #expect(command.target.device == "Strap")
        #expect(command.characteristic.map(\.text) == ["2A19", "Battery Level"])
        #expect(command.target.timeout?.duration == .milliseconds(2500))
        #expect(command.json)
        await #expect(throws: (any Error).self) { try await ReadCommand.asyncParse(["Strap"]) }
    }
}
