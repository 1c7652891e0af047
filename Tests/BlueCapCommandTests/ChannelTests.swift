// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapRuntime
import Foundation
import Testing

@testable import BlueCapCommand

@Suite("The command channel", .timeLimit(.minutes(60)))
struct ChannelTests {
    /// A source whose bytes a test gives; it counts the calls.
    private final class ScriptedInput: UnitInput {
        private let bytes: Locked<Bytes>
        private let asked = Locked(0)
        /// Whether it goes on after its bytes, without any.
        private let isOpen: Bool
        private let more = Mailbox<Void, Never>(capacity: .unbounded)

        init(_ bytes: Bytes = [], isOpen: Bool = false) {
            self.bytes = Locked(bytes)
            self.isOpen = isOpen
        }

        var askedCount: Int { asked.withLock { $0 } }

        func next(atMost maximum: Int) async -> Bytes? {
            asked.withLock { $0 += 1 }
            let piece = bytes.withLock { bytes in
                let piece = Bytes(bytes.prefix(maximum))
                bytes.removeFirst(piece.count)
                return piece
            }
            if !piece.isEmpty { return piece }
            if isOpen { await more.next() }
            return nil
        }
    }

    /// A source without an end.
    private final class EndlessInput: UnitInput {
        private let asked = Locked(0)
        var askedCount: Int { asked.withLock { $0 } }

        func next(atMost maximum: Int) async -> Bytes? {
            if Task.isCancelled { return nil }
            asked.withLock { $0 += 1 }
            return Bytes([UInt8](repeating: 7, count: maximum))
        }
    }

    /// The output of the tool: its bytes, its events and its progress.
    private final class Record: Sendable {
        let output = RecordedOutput()
        private let written = Locked(Bytes())
        private let said = Locked<[String]>([])

        var bytes: Bytes { written.withLock { $0 } }
        var progress: [String] { said.withLock { $0 } }

        /// The events, without their dates.
        var events: [String] { output.lines.map { $0.replacing(/"date":"[^"]*",/, with: "") } }

        func report(_ role: ChannelReport.Role, isJSON: Bool = false, on clock: BlueCapClock) -> ChannelReport {
            ChannelReport(
                role: role, isJSON: isJSON, output: output,
                write: { (unit) throws(OutputClosed) in self.written.withLock { $0 += unit } },
                progress: { text in self.said.withLock { $0.append(text) } }, clock: clock)
        }
    }

    private func device(_ channel: TwinChannel) -> VirtualPeripheral {
        let device = VirtualPeripheral(name: "Lock", address: "C0:DE:00:00:00:20", services: [])
        device.publish(channel)
        return device
    }

    /// A device that takes no unit, and gives no credits beyond the first.
    private var stalling: VirtualPeripheral { device(TwinChannel(psm: 0x81, behaviour: .stall)) }

    private func session(
        _ central: CentralManager, _ plan: ChannelOpenSession.Plan, _ input: any UnitInput, _ record: Record,
        _ radio: VirtualRadio, isJSON: Bool = false
    ) -> ChannelOpenSession {
        ChannelOpenSession(
            finder: DeviceFinder(central: central, device: "Lock", progress: { _ in }), plan: plan, input: input,
            report: record.report(.central, isJSON: isJSON, on: radio.clock), clock: radio.clock)
    }

    private static let long = Bytes((0..<10_000).map { UInt8(truncatingIfNeeded: $0 * 7) })

    // MARK: Opening

    @Test func `the input arrives whole, in units as long as the device takes`() async throws {
        try await inTown { radio, central in
            let (device, record) = (device(TwinChannel(psm: 0x81, maximumReceiveLength: 300)), Record())
            radio.add(device)
            try await session(central, .init(psm: 0x81), ScriptedInput(Self.long), record, radio).run()
            try await device.wait { _ in device.channelCount(psm: 0x81) == 0 }
            let units = device.channelUnits(psm: 0x81)
            #expect(units.map(\.count) == [Int](repeating: 300, count: 33) + [100])
            #expect(units.reduce(into: Bytes()) { $0 += $1 } == Self.long)
            #expect(
                record.progress.last == "channel has ended: sent 34 units, 10000 bytes; received 0 units, 0 bytes")
        }
    }

    @Test func `what comes within the time after the input is written as it is`() async throws {
        try await inTown { radio, central in
            let record = Record()
            radio.add(device(TwinChannel(psm: 0x81, behaviour: .echo, maximumReceiveLength: 300)))
            let plan = ChannelOpenSession.Plan(psm: 0x81, patience: .seconds(5))
            let start = radio.clock.elapsed
            try await session(central, plan, ScriptedInput(Self.long), record, radio).run()
            #expect(record.bytes == Self.long)
            #expect(record.output.lines.isEmpty)
            #expect(radio.clock.elapsed - start >= .seconds(5))
        }
    }

    @Test func `in JSON each unit is an event, and the counts stand at the end`() async throws {
        try await inTown { radio, central in
            let record = Record()
            radio.add(device(TwinChannel(psm: 0x81, behaviour: .echo)))
            let plan = ChannelOpenSession.Plan(psm: 0x81, patience: .seconds(1))
            try await session(central, plan, ScriptedInput([1, 0xAB]), record, radio, isJSON: true).run()
            #expect(
                record.events == [
                    #"{"event":"opened","id":"C0:DE:00:00:00:20","maximumReceiveLength":2048,"maximumSendLength":2048,"name":"Lock","psm":129}"#,
                    #"{"event":"sent","id":"C0:DE:00:00:00:20","index":1,"value":"01ab"}"#,
                    #"{"event":"received","id":"C0:DE:00:00:00:20","index":1,"value":"01ab"}"#,
                    #"{"event":"closed","id":"C0:DE:00:00:00:20","psm":129,"receivedBytes":2,"receivedUnits":1,"sentBytes":2,"sentUnits":1}"#,
                ])
            #expect(record.bytes.isEmpty && record.progress.isEmpty)
        }
    }

    /// Runs a session whose input goes on, until the device ends it after the first unit, and returns its output.
    private func session(endedBy end: @escaping @Sendable (VirtualPeripheral) -> Void) async throws -> Record {
        let record = Record()
        try await inTown { radio, central in
            let device = device(TwinChannel(psm: 0x81))
            radio.add(device)
            let session = session(central, .init(psm: 0x81), ScriptedInput([1], isOpen: true), record, radio)
            async let result: Void = session.run()
            try await device.wait { _ in !device.channelUnits(psm: 0x81).isEmpty }
            end(device)
            try await result
        }
        return record
    }

    @Test func `it ends with the channel although the input does not`() async throws {
        let record = try await session { device in
            device.sendUnits([[8], [9]], psm: 0x81)
            device.closeChannels(psm: 0x81)
        }
        #expect(record.bytes == [8, 9])
    }

    @Test func `a device that closes the channel before the input has gone out is a failure`() async throws {
        try await inTown { radio, central in
            let (device, record, input) = (stalling, Record(), EndlessInput())
            radio.add(device)
            let session = session(central, .init(psm: 0x81), input, record, radio)
            async let end: Void = session.run()
            try await radio.clock.sleep(for: .seconds(30))
            device.sendUnits([[8]], psm: 0x81)
            device.closeChannels(psm: 0x81)
            do {
                try await end
                Issue.record("it ended without an error")
            } catch {
                #expect((error as? CommandFailure)?.status == .refused, "\(error)")
            }
            #expect(record.bytes == [8])
        }
    }

    @Test func `a device that gives no credits stops the reading of the input, and an interruption ends it`()
        async throws
    {
        try await inTown { radio, central in
            let (device, record, input) = (stalling, Record(), EndlessInput())
            radio.add(device)
            let session = session(central, .init(psm: 0x81), input, record, radio)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await session.run() }
                try await radio.clock.sleep(for: .seconds(60))
                let count = input.askedCount
                #expect((1...9).contains(count))
                try await radio.clock.sleep(for: .seconds(1800))
                #expect(input.askedCount == count)
                group.cancelAll()
                try await group.next()
            }
            try await device.wait { _ in device.channelCount(psm: 0x81) == 0 }
            #expect(record.progress.last?.hasPrefix("channel has ended: sent ") == true)
        }
    }

    @Test func `a link that is lost is told by its status`() async throws {
        let error = try #require(
            await #expect(throws: (any Error).self) { _ = try await session { $0.disconnect() } })
        let failure = CommandFailure(error)
        #expect(failure.status == .tryAgain)
        #expect(failure.message == "the link was lost: bring the device near, and try again")
    }

    @Test(
        arguments: [
            (ChannelError.channelsNotSupported, ToolStatus.refused, "(L2CAP): --backend virtual has them"),
            (.refused(.insufficientEncryption), .refused, "(0x8): add --encrypted"),
            (.refused(.psmNotSupported), .refused, "it takes no channels on this PSM (0x2)"),
            (.refused(nil), .refused, "refused the channel: look whether the peer takes channels on the PSM"),
            (.openTimeout, .tryAgain, "try again, or raise --timeout"),
            (.psmTaken(128), .tryAgain, "the PSM 128 is published already: choose another with --psm, or leave it out"),
        ] as [(ChannelError, ToolStatus, String)])
    func `each refusal has its sentence and its status`(error: ChannelError, status: ToolStatus, end: String) {
        let failure = CommandFailure(error)
        #expect(failure.status == status && failure.message.hasSuffix(end), "\(failure)")
    }

    // MARK: Listening

    @Test func `a central's bytes are written, the input is sent, and one central is served after the other`()
        async throws
    {
        let (near, far) = (Record(), [Record(), Record()])
        try await VirtualRadio.run(seed: 1) { radio in
            let manager = PeripheralManager(backend: radio.peripheral(), configuration: .tool(clock: radio.clock))
            let input = ScriptedInput(Bytes("page".utf8), isOpen: true)
            let listening = ChannelListenSession(
                manager: manager, plan: .init(psm: 0x90, name: "Lock", duration: .seconds(60)), input: input,
                report: near.report(.peripheral, isJSON: true, on: radio.clock), clock: radio.clock)
            async let end: Void = listening.run()
            for (index, record) in far.enumerated() {
                let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
                let plan = ChannelOpenSession.Plan(psm: 0x90, patience: .seconds(2))
                try await session(central, plan, ScriptedInput([UInt8(index)]), record, radio).run()
                await central.invalidate()
            }
            try await end
        }
        #expect(far.map(\.bytes) == [Bytes("page".utf8), []])
        let events = near.output.lines.compactMap { $0.firstMatch(of: /"event":"(\w+)"/).map { String($0.output.1) } }
        #expect(events.prefix(3) == ["published", "advertising", "opened"])
        #expect(events.filter { $0 == "closed" }.count == 2 && events.last == "stopped")
        #expect(near.output.lines.contains { $0.contains(#""event":"published","psm":144"#) })
        let values = near.output.lines.filter { $0.contains(#""received""#) }
        #expect(values.count == 2 && values[0].contains(#""value":"00""#) && values[1].contains(#""value":"01""#))
    }

    @Test(arguments: [false, true])
    func `an echo comes back whole, over an encrypted link too`(isEncrypted: Bool) async throws {
        let (near, far) = (Record(), Record())
        try await VirtualRadio.run(seed: 1) { radio in
            let manager = PeripheralManager(backend: radio.peripheral(), configuration: .tool(clock: radio.clock))
            let input = ScriptedInput([0xFF])
            let plan = ChannelListenSession.Plan(
                psm: 0x90, isEncrypted: isEncrypted, echoes: true, name: "Lock", duration: .seconds(60))
            let listening = ChannelListenSession(
                manager: manager, plan: plan, input: input, report: near.report(.peripheral, on: radio.clock),
                clock: radio.clock)
            async let end: Void = listening.run()
            let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
            var opening = session(
                central, .init(psm: 0x90, isEncrypted: isEncrypted, patience: .seconds(5)), ScriptedInput(Self.long),
                far, radio)
            if isEncrypted {
                opening = ChannelOpenSession(
                    finder: DeviceFinder(
                        central: central, device: "Lock", progress: { _ in },
                        pairing: PairSession.step(PairSession.Plan())),
                    plan: opening.plan, input: opening.input, report: opening.report, clock: radio.clock)
            }
            try await opening.run()
            await central.invalidate()
            try await end
            #expect(input.askedCount == 0)
        }
        #expect(near.bytes == Self.long && far.bytes == Self.long)
    }

    @Test func `an encrypted channel is refused to a central that did not pair`() async throws {
        let record = Record()
        try await VirtualRadio.run(seed: 1) { radio in
            let manager = PeripheralManager(backend: radio.peripheral(), configuration: .tool(clock: radio.clock))
            let listening = ChannelListenSession(
                manager: manager, plan: .init(psm: 0x90, isEncrypted: true, name: "Lock", duration: .seconds(30)),
                input: ScriptedInput(), report: record.report(.peripheral, on: radio.clock), clock: radio.clock)
            async let end: Void = listening.run()
            let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
            let opening = session(central, .init(psm: 0x90), ScriptedInput(), Record(), radio)
            await #expect(throws: ChannelError.refused(.insufficientEncryption)) { try await opening.run() }
            await central.invalidate()
            try await end
        }
        #expect(!record.progress.contains { $0.hasPrefix("channel to") })
    }

    @Test func `a virtual run has both ends, and each line its role`() async throws {
        let record = Record()
        try await VirtualRadio.run(seed: 1) { radio in
            try await ChannelListenSession.run(
                on: radio, plan: .init(duration: .seconds(20)), input: ScriptedInput([1, 2], isOpen: true),
                report: record.report(.peripheral, on: radio.clock))
        }
        let hello = Bytes("hello\n".utf8)
        #expect([hello + [1, 2], [1, 2] + hello].contains(record.bytes))
        #expect(record.progress.first == "peripheral  taking channels on PSM 128")
        #expect(record.progress.contains { $0.hasPrefix("central     channel to BlueCap (") })
        #expect(record.progress.last == "peripheral  took the channel and the advertisement back")
    }

    // MARK: The command line

    @Test func `the arguments are taken as given`() async throws {
        let open = try await ChannelOpenCommand.asyncParse(["Lock", "--psm", "0x81", "--encrypted", "--wait", "2.5"])
        #expect(open.target.device == "Lock" && open.plan.psm == 129 && open.plan.isEncrypted && !open.json)
        #expect(open.plan.patience == .milliseconds(2500))
        let listen = try await ChannelListenCommand.asyncParse(
            ["--psm", "192", "--echo", "--name", "Printer", "--duration", "3", "--json"])
        #expect(listen.plan.psm == 192 && listen.plan.echoes && listen.plan.name == "Printer" && listen.json)
        #expect(listen.plan.duration == .seconds(3))
        #expect(try await ChannelListenCommand.asyncParse([]).plan.psm == nil)
    }

    @Test func `a PSM out of range is refused before anything is done`() async {
        for psm in ["0", "256"] {
            await expectRefusal(of: ["Lock", "--psm", psm], by: ChannelOpenCommand.self, saying: "from 1 to 255")
        }
        await expectRefusal(of: ["Lock", "--psm", "door"], by: ChannelOpenCommand.self, saying: "--psm")
        await expectRefusal(of: ["Lock"], by: ChannelOpenCommand.self, saying: "--psm")
        await expectRefusal(of: ["--psm", "127"], by: ChannelListenCommand.self, saying: "from 128 to 255")
    }
}
