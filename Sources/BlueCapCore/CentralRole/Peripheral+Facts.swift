// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

extension Peripheral {
    /// The properties that can be read without `await`.
    struct Facts {
        var name: String?
        var rssi: Int?
        var isBonded = false
        var state = PeripheralState.disconnected
        /// A Boolean value that is true if the streams have ended.
        var isOver = false
        var advertisements = PeripheralAdvertisements()
        /// The streams of the app; nil until the app requests one of them.
        var streams: Streams?
        /// An array of at most one element, because most peripherals are only sighted, and the element needs several
        /// times the memory of all other fields.
        private var dealings: [Dealings] = []

        init() {}
    }

    /// The streams that the app can listen to.
    final class Streams: Sendable {
        let connection = Multicaster<ConnectionEvent>(replay: .none)
        let services = Multicaster<[BluetoothUUID]>(replay: .none)

        func finish() {
            connection.finish()
            services.finish()
        }
    }
}

extension Peripheral.Facts {
    /// The fields of a peripheral that the app connects to or configures.
    private struct Dealings {
        var services: [Service] = []
        var hasAllServices = false
        var statistics = PeripheralStatistics()
        var maximumTransmissionUnit: Int?
        var reconnectPolicy = ReconnectPolicy.never
        var connectedSince: Duration?
    }

    private var known: Dealings { dealings.first ?? Dealings() }

    private mutating func deal() { if dealings.isEmpty { dealings = [Dealings()] } }

    var services: [Service] {
        get { known.services }
        set {
            deal()
            dealings[0].services = newValue
        }
    }

    /// Whether the services are all of the peer's, as far as it has not said that they changed.
    var hasAllServices: Bool {
        get { known.hasAllServices }
        set {
            deal()
            dealings[0].hasAllServices = newValue
        }
    }

    var statistics: PeripheralStatistics {
        get { known.statistics }
        set {
            deal()
            dealings[0].statistics = newValue
        }
    }

    var maximumTransmissionUnit: Int? {
        get { known.maximumTransmissionUnit }
        set {
            deal()
            dealings[0].maximumTransmissionUnit = newValue
        }
    }

    var reconnectPolicy: ReconnectPolicy {
        get { known.reconnectPolicy }
        set {
            deal()
            dealings[0].reconnectPolicy = newValue
        }
    }

    /// The time at which the current connection was made, on the manager's clock.
    var connectedSince: Duration? {
        get { known.connectedSince }
        set {
            deal()
            dealings[0].connectedSince = newValue
        }
    }
}

// MARK: Connections

extension Peripheral.Facts {
    mutating func connectionBegan(at elapsed: Duration, date: Timestamp) {
        connectedSince = elapsed
        statistics.connectedAt = date
        statistics.connectionCount += 1
        statistics.connectedDuration = .zero
    }

    mutating func connectionEnded(at elapsed: Duration, date: Timestamp) {
        guard let since = connectedSince else { return }
        connectedSince = nil
        maximumTransmissionUnit = nil
        statistics.disconnectedAt = date
        statistics.connectedDuration = elapsed - since
        statistics.finishedConnectedDuration += elapsed - since
    }

    func statistics(at elapsed: Duration, since discovered: Duration) -> PeripheralStatistics {
        var result = statistics
        if let connectedSince { result.connectedDuration = elapsed - connectedSince }
        result.cumulativeConnectedDuration = statistics.finishedConnectedDuration
        if connectedSince != nil { result.cumulativeConnectedDuration += result.connectedDuration }
        result.cumulativeDisconnectedDuration = elapsed - discovered - result.cumulativeConnectedDuration
        return result
    }
}
