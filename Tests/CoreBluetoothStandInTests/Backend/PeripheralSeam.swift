// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapRuntime

/// A manager's place over the backend of the peripheral role: it keeps all events.
final class PeripheralSeam: Sendable {
    let backend: CoreBluetoothPeripheralBackend
    private let world: StandInWorld
    private let kept = Locked<[PeripheralEvent]>([])

    init(in world: StandInWorld) {
        self.world = world
        backend = world.attached(CoreBluetoothPeripheralBackend())
    }

    var events: [PeripheralEvent] { kept.withLock { $0 } }

    /// Begins, and waits until the radio is on.
    func begin(clock: BlueCapClock) async throws -> Bool {
        let sink = PeripheralEventSink { [kept] event in kept.withLock { $0.append(event) } }
        await backend.activate(clock: clock, sink: sink)
        return try await world.wait {
            self.events.contains { if case .stateChanged(.poweredOn, _) = $0 { true } else { false } }
        }
    }

    /// The end of a request; nil while it is under way.
    func result(of id: RequestID) -> Result<Void, OperationFailure>? {
        events.lazy.compactMap { if case .reply(id, let result) = $0 { result } else { nil } }.first
    }
}

extension CoreBluetoothPeripheralBackend {
    /// The number of events that a command reports before it returns.
    func eventCount(
        in seam: PeripheralSeam, _ command: @Sendable (isolated CoreBluetoothPeripheralBackend) -> Void
    ) -> Int {
        let before = seam.events.count
        command(self)
        return seam.events.count - before
    }

    /// Lets time pass during which the backend does nothing, and then does all that was due.
    nonisolated func pass(_ duration: Duration, on clock: ManualClock) async {
        await advance(clock, by: duration)
        await rest()
    }

    private func advance(_ clock: ManualClock, by duration: Duration) { clock.advance(by: duration) }

    private func rest() {}
}
