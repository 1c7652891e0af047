// SPDX-License-Identifier: MIT

#if os(Linux)
package import BlueCapLoop

/// Hears each advertising packet of an adapter, through a monitor of its own beside bluetoothd.
///
/// It begins no discovery: while no program discovers, the controller scans passively, and a packet is an
/// advertisement alone. While one does, advertisement and scan response come joined in one packet. A monitor that
/// another program removes, as bluetoothd does when it starts, is added again. Loop only.
package final class PacketMonitor {
    package enum Event: Sendable, Equatable {
        case received(ReceivedPacket)
        /// Packets are heard from now on.
        case hears
        /// None is heard until ``hears``: the monitor was removed, or the adapter is away.
        case isDeaf
        /// The monitor ends for this reason.
        case failed(ManagementError)
    }

    /// The status of a command for which another one is in the way.
    private static let busy: UInt8 = 0x0A

    private let loop: EventLoop
    private let (pause, patience): (Duration, Duration)
    private let open: ManagementOpening
    private let handler: (Event) -> Void
    private var machine = PacketMonitorMachine()
    private var socket: ManagementSocket?
    private var failure: ManagementError?
    private var answerLimit: TimerID?

    /// - Parameters:
    ///   - loop: The loop on which `handler` is called.
    ///   - pause: The time after which a monitor that was removed is added again.
    ///   - patience: The time within which the kernel has to answer; it does so within milliseconds.
    ///   - open: Opens the kernel's socket.
    ///   - handler: Takes the events, in order.
    package init(
        on loop: EventLoop, pause: Duration = .seconds(1), patience: Duration = .seconds(10),
        open: @escaping ManagementOpening, handler: @escaping (Event) -> Void
    ) {
        (self.loop, self.pause, self.patience, self.open, self.handler) = (loop, pause, patience, open, handler)
    }

    /// Begins to listen. It stays alive until ``stop()`` has come to its end.
    ///
    /// - Parameter controller: The number in the name of the adapter, as 0 of `hci0`.
    package func start(controller: UInt16) {
        if socket != nil { return obey(machine.handle(.wanted)) }
        do throws(ManagementError) {
            start(try open(), controller: controller)
        } catch {
            handler(.failed(error))
        }
    }

    private func start(_ descriptor: consuming FileDescriptor, controller: UInt16) {
        do throws(LoopError) {
            socket = try ManagementSocket(
                descriptor, controller: controller, on: loop, onEvent: { self.take($0) },
                onClose: { self.fail(.system(call: "recvmmsg", errno: 0)) })
            obey(machine.handle(.wanted))
        } catch {
            fail(.system(call: error.call, errno: error.errno))
        }
    }

    /// Takes the monitor back. The kernel would keep it for as long as the adapter is there, whoever has added it.
    package func stop() { obey(machine.handle(.unwanted)) }

    private func take(_ event: ManagementEvent) {
        switch event {
        case .received(let packet): handler(.received(packet))
        case .adapterAdded: obey(machine.handle(.adapterAdded))
        case .adapterRemoved: obey(machine.handle(.adapterRemoved))
        case .monitorRemoved(let handle): obey(machine.handle(.removed(handle)))
        case .completed(let command, let status, let results):
            let isRemoval = command == ManagementCommand.removeMonitor(0).code
            guard isRemoval || command == ManagementCommand.addMonitor([]).code else { return }
            endAnswerLimit()
            if status == Self.busy { return obey(machine.handle(.busy)) }
            if isRemoval { return obey(machine.handle(.takenBack)) }
            if let error = ManagementError(status: status) {
                failure = error
                obey(machine.handle(.refused))
            } else if results.count == 2 {
                obey(machine.handle(.added(UInt16(results[0]) | UInt16(results[1]) << 8)))
            } else {
                failure = .refused(status: status)
                obey(machine.handle(.refused))
            }
        }
    }

    private func obey(_ actions: [PacketMonitorMachine.Action]) {
        for action in actions {
            switch action {
            case .add: send(.addMonitor(AdvertisementPattern.commonFlags))
            case .takeBack(let handle): send(.removeMonitor(handle))
            case .pause: loop.after(pause) { self.obey(self.machine.handle(.pauseOver)) }
            case .hears: handler(.hears)
            case .isDeaf: handler(.isDeaf)
            case .fail: fail(failure ?? .unsupported)
            case .close: close()
            }
        }
    }

    private func send(_ command: ManagementCommand) {
        if socket?.send(command) == false { return fail(.system(call: "send", errno: 0)) }
        endAnswerLimit()
        answerLimit = loop.after(patience) { self.fail(.unanswered) }
    }

    private func endAnswerLimit() {
        if let answerLimit { loop.cancel(answerLimit) }
        answerLimit = nil
    }

    private func fail(_ error: ManagementError) {
        close()
        handler(.failed(error))
    }

    private func close() {
        endAnswerLimit()
        socket?.close()
        socket = nil
        machine = PacketMonitorMachine()
    }
}
#endif
