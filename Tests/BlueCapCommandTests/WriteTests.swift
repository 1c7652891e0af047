// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct WriteTests {
    /// The writes that reach a device with a characteristic of its own, and the lines that the tool prints.
    private func write(
        _ value: TypedValue, to uuid: BluetoothUUID = "FFF1", properties: CharacteristicProperties = .write,
        isCommand: Bool = false, isLong: Bool = false, isJSON: Bool = false
    ) async throws -> (writes: [VirtualWrite], lines: [String]) {
        let characteristic = VirtualCharacteristic(uuid, properties: properties)
        let device = VirtualPeripheral(name: "Page", address: "C0:DE:00:00:00:20") {
            VirtualService("1234", characteristics: [characteristic])
        }
        let output = RecordedOutput()
        try await inTown { radio, central in
            radio.add(device)
            try await WriteSession(
                finder: DeviceFinder(central: central, device: "Page", progress: { _ in }),
                characteristic: CharacteristicSelector(uuid.description), value: value, isCommand: isCommand,
                isLong: isLong, isJSON: isJSON, output: output, clock: radio.clock
            ).run()
            await central.invalidate()
            #expect(device.connectionCount == 0)
        }
        return (characteristic.writes, output.lines)
    }

    private func failure(
        _ value: TypedValue, to uuid: BluetoothUUID = "FFF1", properties: CharacteristicProperties = .write,
        isCommand: Bool = false, isLong: Bool = false
    ) async throws -> CommandFailure {
        do {
            let (writes, _) = try await write(
                value, to: uuid, properties: properties, isCommand: isCommand, isLong: isLong)
            Issue.record("it wrote \(writes)")
            throw CancellationError()
        } catch {
            return CommandFailure(error)
        }
    }

    @Test(
        arguments: [
            ("FFF1", "01ff", "01ff"), ("FFF1", "0x01FF", "01ff"), ("FFF1", "01 ff", "01ff"), ("FFF1", "", ""),
            ("F000AA12-0451-4000-B000-000000000000", "yes", "01"), ("2A39", "reset energy expended", "01"),
            ("F000AA13-0451-4000-B000-000000000000", "periodRaw=50", "32"), ("2A19", "Battery Level=80", "50"),
            ("2A37", "heartRate=72, sensorContact=Detected", "0648"), ("2A06", "02", "02"),
        ] as [(BluetoothUUID, String, String)])
    func `a value is a choice, parts, or bytes`(uuid: BluetoothUUID, text: String, hex: String) async throws {
        let (writes, _) = try await write(TypedValue(text: text), to: uuid)
        #expect(writes.map(\.value.hex) == [hex])
    }

    @Test func `a part that the profile does not have is refused, and nothing written`() async throws {
        let uuid: BluetoothUUID = "F000AA13-0451-4000-B000-000000000000"
        let failure = try await failure(TypedValue(text: "periodRaw=50,foo=1"), to: uuid)
        #expect(failure.status == .usage)
        #expect(failure.message.contains("has no part 'foo'; write 'periodRaw=…'"), "\(failure.message)")
    }

    @Test func `a value longer than a packet is written in parts where that is asked for`() async throws {
        let text = String(repeating: "0123456789", count: 30)
        let (writes, _) = try await write(TypedValue(text: text, isText: true), isLong: true)
        #expect(writes.map(\.value) == [Bytes(text.utf8)])
    }

    @Test func `a value longer than a packet is refused otherwise, and --long named`() async throws {
        let failure = try await failure(TypedValue(text: String(repeating: "a", count: 300), isText: true))
        #expect(failure.status == .usage)
        #expect(failure.message.contains("300 bytes") && failure.message.contains("--long"), "\(failure.message)")
    }

    @Test func `a value longer than a characteristic is refused with --long, too`() async throws {
        let failure = try await failure(TypedValue(text: String(repeating: "00", count: 600)), isLong: true)
        #expect(failure.status == .usage)
        #expect(failure.message.contains("600 bytes") && failure.message.contains("512"), "\(failure.message)")
    }

    @Test func `a value longer than a packet is refused with --command, and --long named`() async throws {
        let failure = try await failure(
            TypedValue(text: String(repeating: "00", count: 300)), properties: [.write, .writeWithoutResponse],
            isCommand: true)
        #expect(failure.status == .usage && failure.message.contains("leave out --command"), "\(failure.message)")
    }

    @Test func `a value longer than a packet has to be shorter where only commands are taken`() async throws {
        let failure = try await failure(
            TypedValue(text: String(repeating: "00", count: 300)), properties: .writeWithoutResponse, isCommand: true)
        #expect(failure.status == .usage && failure.message.hasSuffix("has to fit in one"), "\(failure.message)")
    }

    @Test func `a Write Command cannot be long`() async {
        await #expect(throws: (any Error).self) {
            try await WriteCommand.asyncParse(["Page", "FFF1", "01", "--long", "--command"])
        }
    }

    @Test func `text is written as it stands`() async throws {
        let (writes, lines) = try await write(TypedValue(text: "01 é", isText: true))
        #expect(writes.map { $0.value } == [Bytes("01 é".utf8)])
        #expect(lines == ["wrote FFF1: 01 é  303120c3a9"])
    }

    @Test func `names of parts may be written in capitals or not`() async throws {
        let (writes, _) = try await write(TypedValue(text: "battery level=50"), to: "2A19")
        #expect(writes.map(\.value) == [[50]])
    }

    @Test func `what was written is told as the profile reads it`() async throws {
        let (_, lines) = try await write(TypedValue(text: "01"), to: "2A39")
        #expect(lines == ["wrote Heart Rate Control Point: Reset Energy Expended  01"])
    }

    @Test func `in JSON it is an event of its own kind`() async throws {
        let (_, lines) = try await write(TypedValue(text: "01"), to: "2A39", isJSON: true)
        #expect(lines.first?.contains(#""event":"written","fields":{"Heart Rate Control Point":"Reset"#) == true)
    }

    @Test func `a command is sent without response`() async throws {
        let (writes, _) = try await write(
            TypedValue(text: "07"), properties: [.writeWithoutResponse], isCommand: true)
        #expect(writes.map(\.value.hex) == ["07"])
    }

    @Test func `the wrong kind of write is refused with the flag to add or to leave out`() async throws {
        let without = try await failure(TypedValue(text: "07"), properties: .writeWithoutResponse)
        #expect(without.status == .refused)
        #expect(without.message.contains("add --command"))
        let with = try await failure(TypedValue(text: "07"), isCommand: true)
        #expect(with.status == .refused)
        #expect(with.message.contains("leave out --command"))
    }

    @Test(
        arguments: [
            ("F000AA12-0451-4000-B000-000000000000", "maybe", "write 'No' or 'Yes', or hexadecimal digits"),
            ("F000AA13-0451-4000-B000-000000000000", "period=500", "write 'periodRaw=…' (periodRaw: 0 to 255), or"),
            ("2A37", "heartRate=72", "sensorContact: 'Not Supported', 'Not Detected' or 'Detected'"),
            ("2A37", "heartRate=many,sensorContact=Detected", "may be left out: energyExpended, rrIntervals"),
            ("2A19", "Battery Level=101", "write 'Battery Level=…' (Battery Level: 0 to 100 %), or"),
            ("2A19", "full", "'full' is no value of Battery Level; write"), ("FFF1", "0g", "'g' at position 1"),
            ("FFF1", "Hello", "--text"),
        ] as [(BluetoothUUID, String, String)])
    func `a value that does not fit is answered with the choices or the parts`(
        uuid: BluetoothUUID, text: String, advice: String
    ) async throws {
        let failure = try await failure(TypedValue(text: text), to: uuid)
        #expect(failure.status == .usage)
        #expect(failure.message.contains(advice), "\(failure.message)")
    }

    @Test func `what the device refuses ends it with 76`() async throws {
        let output = RecordedOutput()
        try await inTown { radio, central in
            let session = WriteSession(
                finder: DeviceFinder(central: central, device: "Heart Strap", progress: { _ in }),
                characteristic: CharacteristicSelector("2A39"), value: TypedValue(text: "02"), output: output,
                clock: radio.clock)
            let error = await #expect(throws: CommandFailure.self) { try await session.run() }
            #expect(error?.status == .refused)
            #expect(error?.message.contains("(0x80); '02' is no known value of Heart Rate Control Point: ") == true)
            #expect(error?.message.contains("write 'Reset Energy Expended', or") == true, "\(error)")
        }
        #expect(output.lines.isEmpty)
    }

    @Test func `a refusal for another reason than the value is not blamed on the value`() async throws {
        let point = VirtualCharacteristic(
            "2A39", properties: .write, onWrite: { _, _ in .failure(.writeNotPermitted) })
        let device = VirtualPeripheral(name: "Shut", address: "C0:DE:00:00:00:20") {
            VirtualService("180D", characteristics: [point])
        }
        try await inTown { radio, central in
            radio.add(device)
            let session = WriteSession(
                finder: DeviceFinder(central: central, device: "Shut", progress: { _ in }),
                characteristic: CharacteristicSelector("2A39"), value: TypedValue(text: "02"),
                output: RecordedOutput(), clock: radio.clock)
            let error = await #expect(throws: CharacteristicError.self) { try await session.run() }
            #expect(error?.reason == .att(.writeNotPermitted), "\(error as Any)")
        }
    }

    @Test func `where the device refuses a text, the advice is to leave out --text`() async throws {
        try await inTown { radio, central in
            let session = WriteSession(
                finder: DeviceFinder(central: central, device: "Heart Strap", progress: { _ in }),
                characteristic: CharacteristicSelector("2A39"),
                value: TypedValue(text: "Reset Energy Expended", isText: true), output: RecordedOutput(),
                clock: radio.clock)
            let error = await #expect(throws: CommandFailure.self) { try await session.run() }
            let advice = ": write 'Reset Energy Expended', or hexadecimal digits, and leave out --text"
            #expect(error?.status == .refused && error?.message.hasSuffix(advice) == true, "\(error as Any)")
        }
    }

    @Test func `the virtual tag takes what is written and measures by it`() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput()
            let finder = DeviceFinder(central: central, device: "SensorTag", progress: { _ in })
            try await WriteSession(
                finder: finder, characteristic: CharacteristicSelector("accelerometer enabled"),
                value: TypedValue(text: "No"), output: output, clock: radio.clock
            ).run()
            try await ReadSession(
                finder: finder, characteristics: [CharacteristicSelector("accelerometer enabled")], output: output,
                clock: radio.clock
            ).run()
            #expect(output.lines == ["wrote Accelerometer Enabled: No  00", "No  00"])
        }
    }

    @Test func `arguments are taken as given`() async throws {
        let command = try await WriteCommand.asyncParse(["Tag", "FFF1", "Hello", "--text", "--command", "--json"])
        #expect(command.target.device == "Tag" && command.characteristic.text == "FFF1" && command.value == "Hello")
        #expect(command.text && command.command && command.json)
    }
}
