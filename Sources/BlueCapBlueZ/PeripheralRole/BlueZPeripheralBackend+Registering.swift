// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// A registration that is made again: once a manager of the adapter shows up, or after a pause.
struct DelayedRegistration {
    let number: UInt64
    /// The object to register.
    let path: String
    /// The manager that it waits for; nil for a pause.
    let interface: String?
    let again: @Sendable (isolated BlueZPeripheralBackend) -> Void
    let giveUp: @Sendable (isolated BlueZPeripheralBackend, DBusError) -> Void
}

// Registering with a manager of the adapter, which may not be on the bus yet, or which the kernel may keep waiting.
extension BlueZPeripheralBackend {
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
        _ path: String, with interface: String, _ member: String, attempt: Int = 0,
        reply: @escaping @Sendable (isolated BlueZPeripheralBackend, Result<Message, DBusError>) -> Void
    ) {
        call(interface, member, [.objectPath(path), .properties([:])]) { backend, result in
            guard case .failure(let error) = result else { return reply(backend, result) }
            let isMissing = error.remoteName == ErrorName.unknownMethod && !backend.offers(interface)
            let isRefused = error == Self.refusedByKernel && attempt < Self.pauses.count
            guard isMissing || isRefused else { return reply(backend, result) }
            backend.lastDelay += 1
            let number = backend.lastDelay
            let delayed = DelayedRegistration(
                number: number, path: path, interface: isMissing ? interface : nil,
                again: { $0.register(path, with: interface, member, attempt: attempt + 1, reply: reply) },
                giveUp: { reply($0, .failure($1)) })
            backend.delayed.append(delayed)
            _ = backend.clock.schedule(after: isMissing ? Self.patience : Self.pauses[attempt]) { [weak backend] in
                backend?.later { backend in
                    guard let delayed = backend.takeDelayed({ $0.number == number }).first else { return }
                    let mayBeTaken = isRefused && backend.watch.state == .poweredOn
                    if mayBeTaken { delayed.again(backend) } else { delayed.giveUp(backend, error) }
                }
            }
        }
    }

    private func takeDelayed(_ isDue: (DelayedRegistration) -> Bool) -> [DelayedRegistration] {
        let due = delayed.filter(isDue)
        delayed.removeAll(where: isDue)
        return due
    }

    /// Whether the adapter has a manager.
    func offers(_ interface: String) -> Bool {
        guard let session, let path = watch.path else { return false }
        return session.tree[path, interface] != nil
    }

    /// A manager of the adapter has shown up.
    func appeared(_ interface: String) {
        for registration in takeDelayed({ $0.interface == interface }) { registration.again(self) }
    }

    /// An object that waits to be registered is to be removed: it is not registered any more.
    func giveUpRegistering(_ path: String) {
        for registration in takeDelayed({ $0.path == path }) { registration.giveUp(self, .cancelled) }
    }
}
#endif
