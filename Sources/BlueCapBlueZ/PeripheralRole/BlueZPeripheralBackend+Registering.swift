// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// A registration that is made again once a manager of the adapter shows up.
struct DelayedRegistration {
    let number: UInt64
    let interface: String
    let body: @Sendable (isolated BlueZPeripheralBackend) -> Void
}

// Registering with a manager of the adapter, which may not be on the bus yet.
extension BlueZPeripheralBackend {
    /// How long a manager may take to show up behind its adapter.
    private static let patience = Duration.seconds(2)

    /// Calls a method of a manager with the path of the object to register.
    ///
    /// A bluetoothd that has just started reports an adapter that is on before it has put its managers on the bus: a
    /// call that comes in between is answered with UnknownMethod (5.66, one of 150 restarts after SIGKILL, which leaves
    /// the adapter on). It is made again when the manager shows up, and fails with that answer where it does not.
    func register(
        _ path: String, with interface: String, _ member: String,
        reply: @escaping @Sendable (isolated BlueZPeripheralBackend, Result<Message, DBusError>) -> Void
    ) {
        call(interface, member, [.objectPath(path), .properties([:])]) { backend, result in
            guard case .failure(.remote(ErrorName.unknownMethod, _)) = result, !backend.offers(interface) else {
                return reply(backend, result)
            }
            backend.delay(interface, orElse: { reply($0, result) }) { backend in
                backend.call(interface, member, [.objectPath(path), .properties([:])], reply: reply)
            }
        }
    }

    /// Whether the adapter has a manager.
    func offers(_ interface: String) -> Bool {
        guard let session, let path = watch.path else { return false }
        return session.tree[path, interface] != nil
    }

    private func delay(
        _ interface: String, orElse giveUp: @escaping @Sendable (isolated BlueZPeripheralBackend) -> Void,
        _ body: @escaping @Sendable (isolated BlueZPeripheralBackend) -> Void
    ) {
        lastDelay += 1
        let number = lastDelay
        delayed.append(DelayedRegistration(number: number, interface: interface, body: body))
        _ = clock.schedule(after: Self.patience) { [weak self] in
            self?.later { backend in
                guard let index = backend.delayed.firstIndex(where: { $0.number == number }) else { return }
                backend.delayed.remove(at: index)
                giveUp(backend)
            }
        }
    }

    /// A manager of the adapter has shown up.
    func appeared(_ interface: String) {
        let due = delayed.filter { $0.interface == interface }
        delayed.removeAll { $0.interface == interface }
        for registration in due { registration.body(self) }
    }
}
#endif
