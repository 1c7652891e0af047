// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// Registers objects with the managers of an adapter, which may not be on the bus yet, or which the kernel may keep
/// waiting, and knows whether the daemon still has the registrations.
final class Registrar {
    typealias Backend = BlueZPeripheralBackend

    /// A registration that is made again: once a manager of the adapter shows up, or after a pause.
    private struct Delayed {
        let number: UInt64
        let path: String
        /// The manager that it waits for; nil for a pause.
        let interface: String?
        let again: @Sendable (isolated Backend) -> Void
        let giveUp: @Sendable (isolated Backend, DBusError) -> Void
    }

    /// A registration that the daemon has not answered.
    private struct Unanswered {
        let path: String
        let reply: @Sendable (isolated Backend, Result<Message, DBusError>) -> Void
    }

    private var delayed: [Delayed] = []
    private var unanswered: [UInt64: Unanswered] = [:]
    private var last: UInt64 = 0
    /// The daemon's life in which the registrations were made.
    private(set) var generation: UInt64 = 0
    /// Whether the daemon may have forgotten the registrations.
    private var hasLost = false

    /// How long a manager may take to show up behind its adapter.
    private static let patience = Duration.seconds(2)

    /// The pauses before an advertisement that the kernel has refused is registered again.
    private static let pauses: [Duration] = [50, 100, 200, 400, 800].map { .milliseconds($0) }

    /// The error text of `add_client_complete` in BlueZ's `src/advertising.c`, whatever the kernel's reason.
    private static let refusedByKernel = DBusError.remote(
        name: BlueZError.failed, message: "Failed to register advertisement")

    /// Calls a method of a manager with the path of the object to register.
    ///
    /// A bluetoothd that has just started reports an adapter that is on before it has put its managers on the bus: a
    /// call that comes in between is answered with UnknownMethod (5.66, one of 150 restarts after SIGKILL, which leaves
    /// the adapter on). It is made again when the manager shows up, and fails with that answer where it does not.
    ///
    /// The kernel answers Busy while an Add Advertising before it is not wholly through (`add_advertising` in Linux'
    /// `net/bluetooth/mgmt.c`), and bluetoothd reports this as any other refusal (5.66, once where ten programs started
    /// together). Such a registration is made again after each of `pauses`, as long as the radio is on, and fails with
    /// the last answer.
    func register(
        _ path: String, with interface: String, _ member: String, attempt: Int = 0, _ backend: isolated Backend,
        reply: @escaping @Sendable (isolated Backend, Result<Message, DBusError>) -> Void
    ) {
        last += 1
        let call = last
        unanswered[call] = Unanswered(path: path, reply: reply)
        backend.call(interface, member, [.objectPath(path), .properties([:])]) { backend, result in
            guard backend.registrar.unanswered.removeValue(forKey: call) != nil else { return }
            guard case .failure(let error) = result else { return reply(backend, result) }
            let isMissing = error.remoteName == ErrorName.unknownMethod && !backend.offers(interface)
            let isRefused = error == Self.refusedByKernel && attempt < Self.pauses.count
            guard isMissing || isRefused else { return reply(backend, result) }
            let number = backend.registrar.delay(
                path, until: isMissing ? interface : nil,
                again: { $0.registrar.register(path, with: interface, member, attempt: attempt + 1, $0, reply: reply) },
                giveUp: { reply($0, .failure($1)) })
            backend.after(isMissing ? Self.patience : Self.pauses[attempt]) { backend in
                guard let delayed = backend.registrar.take({ $0.number == number }).first else { return }
                if isRefused, backend.isOn { delayed.again(backend) } else { delayed.giveUp(backend, error) }
            }
        }
    }

    /// Adds a registration to those that wait; returns its number.
    private func delay(
        _ path: String, until interface: String?, again: @escaping @Sendable (isolated Backend) -> Void,
        giveUp: @escaping @Sendable (isolated Backend, DBusError) -> Void
    ) -> UInt64 {
        last += 1
        delayed.append(Delayed(number: last, path: path, interface: interface, again: again, giveUp: giveUp))
        return last
    }

    private func take(_ isDue: (Delayed) -> Bool) -> [Delayed] {
        let due = delayed.filter(isDue)
        delayed.removeAll(where: isDue)
        return due
    }

    /// A manager of the adapter has shown up.
    func appeared(_ interface: String, _ backend: isolated Backend) {
        for registration in take({ $0.interface == interface }) { registration.again(backend) }
    }

    /// An object that waits to be registered is to be removed: it is not registered any more.
    ///
    /// A registration that is undone while the daemon reads the objects fails afterwards, when another may have the
    /// path (an advertisement), or is never answered (an application; both seen with 5.66 and 5.87).
    func giveUp(_ path: String, _ backend: isolated Backend) {
        for registration in take({ $0.path == path }) { registration.giveUp(backend, .cancelled) }
        let calls = unanswered.filter { $0.value.path == path }
        for (number, call) in calls.sorted(by: { $0.key < $1.key }) {
            unanswered[number] = nil
            call.reply(backend, .failure(.cancelled))
        }
    }

    func reset() { delayed = [] }

    // MARK: Loss

    /// The daemon has lost the registrations, or its adapter has.
    func lose() { hasLost = true }

    /// Registrations are made in this life of the daemon from now on; those of an earlier one are lost.
    func begin(_ generation: UInt64) {
        if generation != self.generation { hasLost = true }
        self.generation = generation
    }

    /// Whether registrations were lost since this was asked last.
    func takeLoss() -> Bool {
        defer { hasLost = false }
        return hasLost
    }
}
#endif
