// SPDX-License-Identifier: MIT

#if os(Linux)
package import BlueCapLoop

/// Asks the kernel about connections of an adapter, whoever has made them. Each call has a socket of its own, which is
/// closed before its answer is given. Loop only.
package final class ManagementCall {
    /// The first version in which parameters of one connection are given to it at once (Linux 6.11).
    private static let versionOfUpdates: (UInt8, UInt16) = (1, 23)
    /// The status of a command for which another one is in the way.
    private static let busy: UInt8 = 0x0A

    private let loop: EventLoop
    private let pause: Duration
    private var socket: ManagementSocket?
    private var limit: TimerID?
    private var pending: (command: ManagementCommand, then: ([UInt8]) -> Void)?
    private var fail: (ManagementError) -> Void

    /// Reads the signal strength of a connection in dBm; nil where it was not measured. The kernel asks the controller
    /// once a second at most.
    ///
    /// - Parameters:
    ///   - address: The device that is connected.
    ///   - place: The adapter, and how the kernel is asked.
    ///   - then: Takes the answer, once, on the loop; maybe before this returns.
    package static func readStrength(
        of address: KernelAddress, at place: ManagementPlace, then: @escaping (Result<Int?, ManagementError>) -> Void
    ) {
        guard let call = open(place, fail: { then(.failure($0)) }) else { return }
        call.send(.readConnection(address)) { results in
            guard results.count == address.bytes.count + 3, Array(results.prefix(address.bytes.count)) == address.bytes
            else { return call.end(.refused(status: 0)) }
            let strength = Int8(bitPattern: results[address.bytes.count])
            call.close()
            then(.success(strength == 127 ? nil : Int(strength)))
        }
    }

    /// Sets the parameters of connections to a device.
    ///
    /// - Parameters:
    ///   - parameters: The parameters, within the bounds of the Core Specification.
    ///   - address: The device.
    ///   - place: The adapter, and how the kernel is asked.
    ///   - then: Takes the answer, once, on the loop: whether a connection that stands is changed. Maybe before this
    ///     returns.
    package static func load(
        _ parameters: KernelParameters, for address: KernelAddress, at place: ManagementPlace,
        then: @escaping (Result<Bool, ManagementError>) -> Void
    ) {
        guard let call = open(place, fail: { then(.failure($0)) }) else { return }
        let load = ManagementCommand.loadParameters(address, parameters)
        func succeed(_ isNow: Bool) {
            call.close()
            then(.success(isNow))
        }
        call.send(.readVersion) { results in
            guard results.count == 3 else { return call.end(.refused(status: 0)) }
            let isNow = (results[0], UInt16(results[1]) | UInt16(results[2]) << 8) >= versionOfUpdates
            call.send(load) { _ in
                // Only a device that has parameters already has its connection changed.
                if isNow { call.send(load) { _ in succeed(true) } } else { succeed(false) }
            }
        }
    }

    private static func open(_ place: ManagementPlace, fail: @escaping (ManagementError) -> Void) -> ManagementCall? {
        let call = ManagementCall(place, fail: fail)
        do throws(ManagementError) {
            try call.open(place)
            return call
        } catch {
            fail(error)
            return nil
        }
    }

    private init(_ place: ManagementPlace, fail: @escaping (ManagementError) -> Void) {
        (loop, pause, self.fail) = (place.loop, place.pause, fail)
    }

    private func open(_ place: ManagementPlace) throws(ManagementError) {
        let descriptor = try place.open()
        do throws(LoopError) {
            socket = try ManagementSocket(
                descriptor, controller: place.controller, on: loop, onEvent: { self.take($0) },
                onClose: { self.end(.system(call: "recvmmsg", errno: 0)) })
        } catch {
            throw .system(call: error.call, errno: error.errno)
        }
        limit = loop.after(place.patience) { self.end(.unanswered) }
    }

    private func send(_ command: ManagementCommand, then: @escaping ([UInt8]) -> Void) {
        pending = (command, then)
        if socket?.send(command) == false { end(.system(call: "send", errno: 0)) }
    }

    private func take(_ event: ManagementEvent) {
        if event == .adapterRemoved { return end(.noAdapter) }
        guard case .completed(let code, let status, let results) = event, let pending, code == pending.command.code
        else { return }
        self.pending = nil
        if status == Self.busy {
            loop.after(pause) { [weak self] in
                guard let self, socket != nil, self.pending == nil else { return }
                send(pending.command, then: pending.then)
            }
            return
        }
        if let error = ManagementError(status: status) { return end(error) }
        pending.then(results)
    }

    private func end(_ error: ManagementError) {
        if socket == nil { return }
        close()
        fail(error)
    }

    private func close() {
        if let limit { loop.cancel(limit) }
        (limit, pending) = (nil, nil)
        socket?.close()
        socket = nil
    }
}

/// An adapter at the kernel, and how the kernel is asked.
package struct ManagementPlace {
    let loop: EventLoop
    /// The number in the name of the adapter, as 0 of `hci0`.
    let controller: UInt16
    /// The time after which a command that another one is in the way of is sent again.
    let pause: Duration
    /// The time within which the kernel has to answer; it does so within milliseconds.
    let patience: Duration
    let open: ManagementOpening

    package init(
        loop: EventLoop, controller: UInt16, pause: Duration = .milliseconds(100), patience: Duration = .seconds(10),
        open: @escaping ManagementOpening
    ) {
        (self.loop, self.controller, self.pause, self.patience) = (loop, controller, pause, patience)
        self.open = open
    }
}

/// Opens a socket of the management interface, or one that stands for it.
package typealias ManagementOpening = @Sendable () throws(ManagementError) -> FileDescriptor
#endif
