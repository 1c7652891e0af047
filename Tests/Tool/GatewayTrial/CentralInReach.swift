// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

/// A central backend between a manager and another one, which hears each peripheral as well as its place allows.
actor CentralInReach<Base: CentralBackend>: CentralBackend {
    private nonisolated let base: Base
    private nonisolated let gain: @Sendable (PeerIdentifier) -> Int?

    /// - Parameters:
    ///   - base: The backend that hears all peripherals.
    ///   - gain: By how many dB a peripheral is heard better than `base` does; nil where it is not heard at all.
    init(_ base: Base, gain: @escaping @Sendable (PeerIdentifier) -> Int?) { (self.base, self.gain) = (base, gain) }

    nonisolated var executor: any BackendExecutor { base.executor }

    // SAFETY: `base` keeps its executor alive for as long as the actor lives.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe base.unownedExecutor }

    nonisolated var features: CentralFeatures { base.features }
    nonisolated var ownClock: BlueCapClock { base.ownClock }
    nonisolated var restorationStore: any RestorationStore { base.restorationStore }
    nonisolated var restoresState: Bool { base.restoresState }

    func activate(clock: BlueCapClock, sink: CentralEventSink) {
        let gain = gain
        let placed = CentralEventSink { event in
            guard case .sighted(var sighting) = event else { return sink(event) }
            guard let gain = gain(sighting.peripheral) else { return }
            sighting.rssi = sighting.rssi.map { min(max($0 + gain, -127), 20) }
            sink(.sighted(sighting))
        }
        base.onExecutor { $0.activate(clock: clock, sink: placed) }
    }

    func activateChannels(_ sink: ChannelEventSink) { base.onExecutor { $0.activateChannels(sink) } }

    func performOnChannels(_ request: ChannelRequest) { base.onExecutor { $0.performOnChannels(request) } }

    func command(_ command: ChannelCommand) { base.onExecutor { $0.command(command) } }

    func invalidate() { base.onExecutor { $0.invalidate() } }

    func scan(_ request: ScanRequest?) { base.onExecutor { $0.scan(request) } }

    func connect(_ peripheral: PeerIdentifier) { base.onExecutor { $0.connect(peripheral) } }

    func disconnect(_ peripheral: PeerIdentifier) { base.onExecutor { $0.disconnect(peripheral) } }

    func perform(_ request: CentralRequest) { base.onExecutor { $0.perform(request) } }
}
