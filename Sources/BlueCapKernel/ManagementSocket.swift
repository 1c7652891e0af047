// SPDX-License-Identifier: MIT

#if os(Linux)
package import BlueCapLoop
import BlueCapPlatform
import CBlueCapLinux

/// A socket of the kernel's management interface, which exists beside a running bluetoothd. Loop only.
package final class ManagementSocket {
    /// The longest frame that is read: longer ones have nothing that is used.
    private static let maximumLength = 4_096

    private let loop: EventLoop
    private let controller: UInt16
    private let writer: PacketWriter
    private var reader: PacketReader?

    /// Opens the socket.
    ///
    /// - Throws: ``ManagementError/noBluetooth`` or ``ManagementError/system(call:errno:)``. That the process may not
    ///   send commands shows at the first of them.
    package static func open() throws(ManagementError) -> FileDescriptor {
        let number = bluecap_management_socket()
        switch -number {
        case EAFNOSUPPORT, EPROTONOSUPPORT: throw .noBluetooth
        case let code where number < 0: throw .system(call: "socket", errno: code)
        default: return FileDescriptor(owning: number)
        }
    }

    /// - Parameters:
    ///   - descriptor: A socket of ``open()``, or the near end of a pair.
    ///   - controller: The number of the adapter; events of others are passed over.
    ///   - onEvent: Takes the events, in order.
    ///   - onClose: The socket has ended, which the kernel's does not.
    init(
        _ descriptor: consuming FileDescriptor, controller: UInt16, on loop: EventLoop,
        onEvent: @escaping (ManagementEvent) -> Void, onClose: @escaping () -> Void
    ) throws(LoopError) {
        self.loop = loop
        self.controller = controller
        writer = try PacketWriter(try FileDescriptor.duplicate(of: descriptor.rawValue), on: loop, onClose: {})
        do throws(LoopError) {
            reader = try PacketReader(
                descriptor, on: loop, maximumLength: Self.maximumLength,
                onPacket: { packet in
                    guard let frame = ManagementFrame(packet),
                        frame.controller == controller || frame.controller == ManagementFrame.noController,
                        let event = ManagementEvent(frame)
                    else { return }
                    onEvent(event)
                }, onClose: { _ in onClose() })
        } catch {
            writer.close()
            throw error
        }
    }

    /// Sends a command, which is answered by ``ManagementEvent/completed(command:status:results:)``.
    ///
    /// - Returns: A Boolean value that is true if the kernel has taken it.
    func send(_ command: ManagementCommand) -> Bool {
        let frame = ManagementFrame(
            code: command.code, controller: command.controller ?? controller, parameters: command.parameters)
        return writer.send(frame.packet) == .sent
    }

    func close() {
        reader?.close()
        writer.close()
    }
}
#endif
