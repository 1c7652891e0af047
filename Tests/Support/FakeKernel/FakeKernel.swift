// SPDX-License-Identifier: MIT

#if os(Linux)
package import BlueCapKernel
package import BlueCapLoop
import BlueCapRuntime
import BlueCapTestExecutor

// SAFETY: the far ends are only touched on the loop.
/// A kernel's management interface that a test plays, at the far ends of the sockets that it has opened.
package final class FakeKernel: @unchecked Sendable {
    /// A command as it came.
    package struct Command: Sendable, Equatable {
        package let code: UInt16
        package let controller: UInt16
        package let parameters: [UInt8]

        package init(_ command: ManagementCommand, controller: UInt16 = 0) {
            (code, parameters) = (command.code, command.parameters)
            self.controller = command.controller ?? controller
        }

        fileprivate init(_ frame: ManagementFrame) {
            (code, controller, parameters) = (frame.code, frame.controller, frame.parameters)
        }
    }

    private struct End {
        let reader: PacketReader
        let writer: PacketWriter
    }

    private let commands = Recorder<(socket: Int, command: Command)>()
    private let closings = Recorder<Int>()
    private let openings = Locked(0)
    private let loop: EventLoop
    private var ends: [Int: End] = [:]

    package init() throws(LoopError) { loop = try EventLoop() }

    /// Opens a socket of this kernel.
    package func open() throws(ManagementError) -> FileDescriptor {
        let number = openings.withLock { count in
            defer { count += 1 }
            return count
        }
        do throws(LoopError) {
            let pair = try PacketPair()
            let copies = (try pair.far.duplicate().release(), try pair.far.duplicate().release())
            loop.submit { [self] in attach(copies.0, copies.1, number) }
            return try pair.near.duplicate()
        } catch {
            throw .system(call: error.call, errno: error.errno)
        }
    }

    private func attach(_ reading: Int32, _ writing: Int32, _ number: Int) {
        let writer = try? PacketWriter(FileDescriptor(owning: writing), on: loop, onClose: {})
        let reader = try? PacketReader(
            FileDescriptor(owning: reading), on: loop, maximumLength: 4_096,
            onPacket: { packet in
                if let frame = ManagementFrame(packet) { self.commands.add((number, Command(frame))) }
            },
            onClose: { _ in
                self.ends.removeValue(forKey: number)?.writer.close()
                self.closings.add(number)
            })
        if let reader, let writer { ends[number] = End(reader: reader, writer: writer) }
    }

    /// The number of sockets that were opened.
    package var openingCount: Int { openings.withLock { $0 } }

    /// Returns once this many of the sockets are closed.
    package func whenClosed(_ count: Int) async { await closings.wait(for: count) }

    /// The command with this number, from 1 on, once it has come.
    package func command(_ number: Int) async -> Command {
        await commands.wait(for: number)
        return commands.all[number - 1].command
    }

    /// The number of commands that have come.
    package var commandCount: Int { commands.count }

    /// Answers the command with this number, which has come.
    package func answer(_ number: Int, status: UInt8 = 0, _ results: [UInt8] = []) async {
        let (socket, command) = commands.all[number - 1]
        let parameters = [UInt8(command.code & 0xFF), UInt8(command.code >> 8), status] + results
        await send(ManagementFrame(code: 0x0001, controller: command.controller, parameters: parameters), to: socket)
    }

    /// Sends an event to all programs.
    package func send(_ code: UInt16, _ parameters: [UInt8], controller: UInt16 = 0) async {
        await send(ManagementFrame(code: code, controller: controller, parameters: parameters), to: nil)
    }

    private func send(_ frame: ManagementFrame, to socket: Int?) async {
        await loop.run { [self] in
            for (number, end) in ends where socket == nil || number == socket { _ = end.writer.send(frame.packet) }
        }
    }

    /// Closes the sockets, and returns when nothing runs any more.
    package func end() async {
        await loop.run { [self] in
            for end in ends.values {
                end.reader.close()
                end.writer.close()
            }
            ends = [:]
        }
        await loop.stop()
    }
}
#endif
