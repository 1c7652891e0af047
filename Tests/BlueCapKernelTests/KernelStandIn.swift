// SPDX-License-Identifier: MIT

#if os(Linux)
@testable import BlueCapKernel
import BlueCapLoop
import BlueCapTestExecutor

// SAFETY: the far ends and the monitor are only touched on the loop.
/// A kernel that a test plays, at the far end of the socket of a monitor for adapter 0.
final class KernelStandIn: @unchecked Sendable {
    /// A command as it came, by its code and parameters.
    struct Command: Equatable {
        let code: UInt16
        let parameters: [UInt8]

        init(_ frame: ManagementFrame) { (code, parameters) = (frame.code, frame.parameters) }

        init(_ command: ManagementCommand) { (code, parameters) = (command.code, command.parameters) }
    }

    let events = Recorder<PacketMonitor.Event>()
    private let commands = Recorder<[UInt8]>()
    private let loop: EventLoop
    private var monitor: PacketMonitor?
    private var reader: PacketReader?
    private var writer: PacketWriter?

    /// Starts a monitor over a pair of sockets.
    init() async throws(LoopError) {
        loop = try EventLoop()
        try await loop.run { [self] () throws(LoopError) in
            let pair = try PacketPair()
            writer = try PacketWriter(FileDescriptor.duplicate(of: pair.far.rawValue), on: loop, onClose: {})
            reader = try PacketReader(
                FileDescriptor.duplicate(of: pair.far.rawValue), on: loop, maximumLength: 4_096,
                onPacket: { self.commands.add(Array($0)) }, onClose: { _ in })
            let monitor = PacketMonitor(on: loop, pause: .zero, patience: .seconds(3_600)) { self.events.add($0) }
            self.monitor = monitor
            monitor.start(try FileDescriptor.duplicate(of: pair.near.rawValue), controller: 0)
        }
    }

    /// The command with this number, once it has come.
    func command(_ number: Int) async -> Command? {
        await commands.wait(for: number)
        return ManagementFrame(commands.all[number - 1][...]).map(Command.init)
    }

    func answer(_ command: ManagementCommand, status: UInt8 = 0, _ results: [UInt8]) async {
        await send(0x0001, [UInt8(command.code & 0xFF), UInt8(command.code >> 8), status] + results)
    }

    func send(_ code: UInt16, _ parameters: [UInt8], controller: UInt16 = 0) async {
        await loop.run { [self] in
            let frame = ManagementFrame(code: code, controller: controller, parameters: parameters)
            _ = writer?.send(frame.packet)
        }
    }

    func stop() async { await loop.run { [self] in monitor?.stop() } }

    func end() async {
        await loop.run { [self] in
            monitor?.stop()
            reader?.close()
            writer?.close()
        }
        await loop.stop()
    }
}
#endif
