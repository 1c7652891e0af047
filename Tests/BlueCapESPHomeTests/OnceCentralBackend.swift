// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapVirtual

/// The virtual radio as a platform that reports a device once, and again when its advertisement changes.
actor OnceCentralBackend: CentralBackend {
    private let backend: VirtualCentralBackend
    private var sink: CentralEventSink?

    nonisolated let executor: any BackendExecutor
    // SAFETY: `executor` is held by a `let` of this actor, so it lives at least as long as the unowned reference is
    // used.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    nonisolated var ownClock: BlueCapClock { backend.ownClock }
    nonisolated var features: CentralFeatures { backend.features }

    init(_ backend: VirtualCentralBackend) { (self.backend, executor) = (backend, backend.executor) }

    /// The platform reports devices as often as it hears them from now on, or no longer does.
    func report(once isOn: Bool) {
        backend.onExecutor { $0.scan(ScanRequest(allowsDuplicates: !isOn)) }
        sink?(.sightingsCoalesced(isOn))
    }

    func activate(clock: BlueCapClock, sink: CentralEventSink) {
        self.sink = sink
        backend.onExecutor { $0.activate(clock: clock, sink: sink) }
        later { $0.sink?(.sightingsCoalesced(true)) }
    }

    func scan(_ request: ScanRequest?) {
        if request?.modes.contains(.everyPacket) == true {
            sink?(.scanModeRefused(.everyPacket, BackendFailure(name: "Once", message: "it reports devices once")))
        }
        let request = request.map { ScanRequest(services: $0.services) }
        backend.onExecutor { $0.scan(request) }
    }

    func invalidate() { backend.onExecutor { $0.invalidate() } }

    func connect(_ peripheral: PeerIdentifier) { backend.onExecutor { $0.connect(peripheral) } }

    func disconnect(_ peripheral: PeerIdentifier) { backend.onExecutor { $0.disconnect(peripheral) } }

    func perform(_ request: CentralRequest) { backend.onExecutor { $0.perform(request) } }
}
