// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture
import BlueCapRuntime
import Testing

@testable import BlueCapCommand

/// The output of `bluecap twin` about captures with many devices, and about data that has no place in a twin.
@Suite(.timeLimit(.minutes(60)))
struct TwinCaptureTests {
    private static let lamp = "C0:DE:00:00:00:01"

    private static func packet(_ kind: CapturedPacket.Kind, _ bytes: [UInt8]) -> CapturedPacket {
        CapturedPacket(time: Timestamp(sinceEpoch: .seconds(1_767_225_600)), kind: kind, bytes: Bytes(bytes))
    }

    private static func event(_ parameters: [UInt8]) -> CapturedPacket {
        packet(.event, [0x3E, UInt8(parameters.count)] + parameters)
    }

    /// An advertisement with a name.
    private static func advertisement(_ address: [UInt8], _ name: String) -> CapturedPacket {
        let data = [UInt8(name.utf8.count + 1), 9] + Array(name.utf8)
        return event([2, 1, 0, 1] + address + [UInt8(data.count)] + data + [0xC8])
    }

    /// So many other devices, and behind them the lamp, which is connected and notifies values.
    private static func capture(devices: Int, values: Int) -> [UInt8] {
        let others = (0..<devices).map { number in
            advertisement([UInt8(number & 0xFF), UInt8(number >> 8), 0, 0, 0, 0xC0], "N\(number)")
        }
        let address: [UInt8] = [1, 0, 0, 0, 0xDE, 0xC0]
        let connected = event([1, 0, 0x40, 0, 0, 1] + address + [0x24, 0, 0, 0, 0xF4, 1, 0])
        let notified = (0..<values).map { number in
            packet(.data(.received), [0x40, 0x20, 8, 0, 4, 0, 4, 0, 0x1B, 6, 0, UInt8(number & 0xFF)])
        }
        return file(others + [advertisement(address, "Lamp"), connected] + notified)
    }

    private static func file(_ packets: [CapturedPacket]) -> [UInt8] {
        let writer = CaptureWriter(.btsnoop(.monitor))
        return packets.reduce(into: writer.header) { file, packet in file += writer.record(packet) ?? [] }
    }

    private func show(_ file: [UInt8], device: String? = nil, showsValues: Bool = false, isJSON: Bool = false) throws
        -> (lines: [String], warnings: [String])
    {
        let (output, warnings) = (RecordedOutput(), Locked<[String]>([]))
        let temporary = try TemporaryFile(file)
        let plan = TwinSession.Plan(path: temporary.path, device: device, showsValues: showsValues, isJSON: isJSON)
        try TwinSession(plan: plan, output: output, warn: { text in warnings.withLock { $0.append(text) } }).run()
        return (output.lines, warnings.withLock { $0 })
    }

    /// A device that is heard and read by a private address, hands over its identity, and notifies under it.
    private static let identified: [UInt8] = {
        let address: [UInt8] = [7, 0, 0, 0, 0, 0x5A]
        let identity: [UInt8] = [1, 0, 0, 0x8D, 0x7C, 0xC4]
        let rest: [UInt8] = [0x24, 0, 0, 0, 0xF4, 1, 0]
        return file([
            advertisement(address, "Ring"), event([1, 0, 0x40, 0, 0, 1] + address + rest),
            packet(.data(.sent), [0x40, 0, 7, 0, 3, 0, 4, 0, 0x0A, 8, 0]),
            packet(.data(.received), [0x40, 0x20, 6, 0, 2, 0, 4, 0, 0x0B, 90]),
            packet(.data(.received), [0x40, 0x20, 12, 0, 8, 0, 6, 0, 9, 0] + identity),
            packet(.event, [5, 4, 0, 0x40, 0, 0x13]), event([1, 0, 0x41, 0, 0, 0] + identity + rest),
            packet(.data(.received), [0x41, 0x20, 8, 0, 4, 0, 4, 0, 0x1B, 8, 0, 89]),
        ])
    }()

    @Test(arguments: [nil, "C4:7C:8D:00:00:01", "5a:00:00:00:00:07", "ring"])
    func `all values are those of the identity, by whichever address it is asked for`(device: String?) throws {
        let values = try show(Self.identified, device: device, showsValues: true).lines
        #expect(values.map { $0.contains("  C4:7C:8D:00:00:01  0x0008  ") } == [true, true], "\(values)")
        #expect(values.map { String($0.suffix(4)) } == ["  5a", "  59"])
        let lines = try show(Self.identified, device: device).lines
        #expect(lines.contains { $0.contains("C4:7C:8D:00:00:01") }, "\(lines)")
        #expect(!lines.contains { $0.contains("5A:00") }, "\(lines)")
    }

    @Test func `the times of values have the milliseconds of the capture`() throws {
        let packets = (60..<180).map { milliseconds in
            CapturedPacket(
                time: Timestamp(sinceEpoch: .milliseconds(1_700_000_000_000 + milliseconds)), kind: .data(.received),
                bytes: [0x40, 0x20, 8, 0, 4, 0, 4, 0, 0x1B, 6, 0, 1])
        }
        let lines = try show(Self.file(packets), showsValues: true, isJSON: true).lines
        let dates = (60..<180).map { "2023-11-14T22:13:20.\(String(1000 + $0).dropFirst())Z" }
        #expect(lines.count == dates.count)
        for (line, date) in zip(lines, dates) { #expect(line.contains(date)) }
    }

    @Test(arguments: [lamp, "lamp"])
    func `a device is found that is heard after more others than are remembered`(device: String) throws {
        let file = Self.capture(devices: 4200, values: 3)
        let twin = try show(file, device: device)
        #expect(try Twin(json: twin.lines.joined(separator: "\n").utf8).displayName == "Lamp")
        #expect(twin.warnings.count { $0.contains("beyond what is remembered") } == 0)
        #expect(try show(file, device: device, showsValues: true).lines.count == 3)
    }

    @Test func `a list that leaves devices out says so, and has the one with a link`() throws {
        let list = try show(Self.capture(devices: 4200, values: 3))
        #expect(list.lines.count == 4096)
        #expect(list.lines.contains { $0.hasPrefix("\(Self.lamp)  ") && $0.contains("1 connection") })
        #expect(list.warnings.first?.hasSuffix("beyond what is remembered: the list is incomplete") == true)
    }

    /// Looking through the devices for each value would take many times the limit of this suite.
    @Test func `the values of one device among thousands cost no look at the others`() throws {
        let shown = try show(Self.capture(devices: 4000, values: 30_000), device: "Lamp", showsValues: true)
        #expect(shown.lines.count == 30_000)
    }

    @Test func `what was discovered without its service is counted in the list, in JSON and beside the twin`() throws {
        let address: [UInt8] = [1, 0, 0, 0, 0xDE, 0xC0]
        let connected = Self.event([1, 0, 0x40, 0, 0, 1] + address + [0x24, 0, 0, 0, 0xF4, 1, 0])
        // A request for characteristics, and the answer with 2A24 at 8 and 2A26 at 10.
        let request = Self.packet(.data(.sent), [0x40, 0, 11, 0, 7, 0, 4, 0, 8, 6, 0, 20, 0, 3, 0x28])
        let answer = Self.packet(
            .data(.received),
            [0x40, 0x20, 20, 0, 16, 0, 4, 0, 9, 7, 7, 0, 2, 8, 0, 0x24, 0x2A, 9, 0, 2, 10, 0, 0x26, 0x2A])
        let file = Self.file([connected, request, answer])
        let line = try show(file).lines.first { $0.hasPrefix(Self.lamp) }
        #expect(line?.hasSuffix("0 services, 0 notifications, 2 without a service") == true, "\(line ?? "")")
        let json = try show(file, isJSON: true).lines.first { $0.contains(Self.lamp) }
        #expect(json?.contains(#""unplaced":2"#) == true, "\(json ?? "")")
        let warning = try show(file, device: Self.lamp).warnings.first
        #expect(warning?.hasPrefix("2 attributes whose service or characteristic was not captured") == true)
    }

    @Test(arguments: [
        ([0x1F, 0x8B, 8, 0] as [UInt8], "gunzip < FILE > NEW"),
        ([0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0] + Array(repeating: 0, count: 12) + [0xC0, 0, 0, 0], "editcap -C 24"),
    ])
    func `a file that has to be converted first ends with 64 and the command for that`(
        file: [UInt8], command: String
    ) throws {
        let error = #expect(throws: CommandFailure.self) { try show(file) }
        #expect(error?.status == .usage)
        #expect(error?.message.contains(command) == true, "\(error?.message ?? "")")
    }
}
