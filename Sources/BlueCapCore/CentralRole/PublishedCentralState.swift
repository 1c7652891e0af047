// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The facts and the streams of a central manager, which may be read on any thread.
struct PublishedCentralState: Sendable {
    struct Facts {
        var isScanning = false
        /// When the platform began to report peripherals as often as they are heard, on the manager's clock; nil while
        /// it reports each once.
        var absencesShowSince: Duration? = .zero
        var peripherals: [PeerIdentifier: Peripheral] = [:]
        var forgotten = ForgottenPeripherals()
    }

    let facts = Locked(Facts())
    /// The number of values and replies that nobody waited for.
    let unclaimed = Locked(0)
    let channelCounts = Locked(ChannelTotals())
    let discoveries = Multicaster<Discovery>(replay: .none, coalescing: Discovery.coalescing)
    let connectionEvents = Multicaster<PeripheralConnectionEvent>(replay: .none)
    /// The characteristics of present connections, whenever a discovery finds them.
    let characteristics = Multicaster<Characteristic>(replay: .none)

    /// Ends the streams, and those of the peripherals, including forgotten peripherals that the app holds.
    func finish() {
        discoveries.finish()
        connectionEvents.finish()
        characteristics.finish()
        let known = facts.withLock { Array($0.peripherals.values) + $0.forgotten.held }
        for peripheral in known { peripheral.endStreams() }
    }
}
