// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture
import BlueCapRuntime
import Testing

@testable import BlueCapCommand

/// Channels in captures, as `bluecap capture`, `twin` and `emulate` have them.
@Suite(.timeLimit(.minutes(60)))
struct ChannelCaptureTests {
    private static let twin = Twin(
        address: "C0:DE:00:00:00:01", isAddressRandom: true, name: "Lamp",
        channels: [
            TwinChannel(units: [TwinUnit(value: [1, 2]), TwinUnit(received: 3, value: [3])], closesAfter: 3),
            TwinChannel(psm: 0x81, refusal: .noResources), TwinChannel(psm: 0x25, behaviour: .echo, isEncrypted: true),
        ])

    /// A capture of the twin, and the lines of progress.
    private func capture() async throws -> (file: [UInt8], progress: [String]) {
        let (file, progress) = (Locked<[UInt8]>([]), Locked<[String]>([]))
        try await CaptureSession(
            plan: .init(twins: [Self.twin]), write: { piece in file.withLock { $0 += piece } },
            progress: { line in progress.withLock { $0.append(line) } }
        ).run()
        return (file.withLock { $0 }, progress.withLock { $0 })
    }

    private func show(_ file: [UInt8], _ device: String? = nil, values: Bool = false, isJSON: Bool = false) throws
        -> [String]
    {
        let output = RecordedOutput()
        let temporary = try TemporaryFile(file)
        let plan = TwinSession.Plan(path: temporary.path, device: device, showsValues: values, isJSON: isJSON)
        try TwinSession(plan: plan, output: output, warn: { _ in }).run()
        return output.lines
    }

    @Test func `the channels of a capture are listed below their device, and in its JSON`() async throws {
        let (file, progress) = try await capture()
        #expect(progress.contains("sent 3 units and took 2 on PSM 128"), "\(progress)")
        #expect(progress.contains("sent 3 units and took 3 on PSM 37"), "\(progress)")
        let lines = try show(file)
        #expect(
            lines.dropFirst().prefix(4) == [
                "  channel on PSM 128: 2 units (3 bytes) from the device, 3 units (2349 bytes) to it, "
                    + "closed by the device",
                "  channel on PSM 129: refused: it has no resources left (0x4)",
                "  channel on PSM 37: refused: the link has to be encrypted (0x8)",
                "  channel on PSM 37: 3 units (2349 bytes) from the device, 3 units (2349 bytes) to it, "
                    + "closed by the peer",
            ])
        #expect(lines.first?.hasSuffix("0 notifications, 4 channels") == true)
        let event = try #require(try show(file, isJSON: true).first)
        #expect(
            event.contains(
                #""device":{"addedCredits":12,"bytes":3,"credits":8,"frames":2,"mps":247,"mtu":2048,"number":64,"units":2}"#
            ), "\(event)")
        #expect(event.contains(#""end":"refused","malformed":0,"peer":{"#) && event.contains(#""refusal":4"#))
        #expect(try show(file, isJSON: true).last?.contains("channels") == false)
    }

    @Test func `the units of a capture are values with their PSM and direction`() async throws {
        let (file, _) = try await capture()
        let lines = try show(file, values: true).filter { $0.contains("PSM") }
        #expect(lines.count == 11)
        #expect(
            lines.first?.hasSuffix("Z  unitSent      C0:DE:00:00:00:01  PSM 128  0102") == true, "\(lines.first ?? "")")
        let events = try show(file, "Lamp", values: true, isJSON: true)
        #expect(events.count { $0.contains(#""event":"unitReceived""#) && $0.contains(#""psm":37"#) } == 3)
        #expect(events.contains { $0.contains(#""event":"unitSent""#) && $0.contains(#""value":"03""#) })
    }

    @Test func `the twin of a capture has the channels that were captured`() async throws {
        let (file, _) = try await capture()
        let twin = try Twin(json: show(file, "Lamp").joined(separator: "\n").utf8)
        var channels = twin.channels
        for index in channels.indices {
            for unit in channels[index].units.indices { channels[index].units[unit].after = .zero }
        }
        #expect(channels == Self.twin.channels)
    }

    @Test func `an emulated twin says which channels it takes`() async throws {
        let output = RecordedOutput()
        try await VirtualRadio.run { radio in
            try await EmulateTwinSession.run(
                on: radio, plan: .init(twin: Self.twin, duration: .seconds(3), isJSON: true), output: output)
        }
        let events = output.lines.filter { $0.contains(#""event":"published""#) }
        #expect(events.count == 1)
        #expect(events.first?.contains(#""psm":128"#) == true)
    }
}
