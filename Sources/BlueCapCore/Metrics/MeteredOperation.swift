// SPDX-License-Identifier: MIT

/// An operation that the metrics know by a name.
///
/// The names are compiled without the trait `Metrics` too, so that a new operation does not compile until it has one.
protocol MeteredOperation {
    /// The dimension `operation`; there are few, so several operations may have one name.
    var meterLabel: String { get }
}

extension CentralOperation: MeteredOperation {
    var meterLabel: String {
        switch self {
        case .retrieve, .retrieveConnected: "retrieve"
        case .readRSSI: "read_rssi"
        case .discoverServices, .discoverIncludedServices, .discoverCharacteristics, .discoverDescriptors: "discover"
        case .read: "read"
        case .write(_, _, _, let kind): kind.meterLabel
        case .setNotifying: "set_notifying"
        case .pair: "pair"
        case .cancelPairing: "cancel_pairing"
        case .removeBond: "remove_bond"
        }
    }
}

extension WriteKind {
    var meterLabel: String {
        switch self {
        case .withResponse: "write"
        case .withoutResponse, .withoutResponseOverSocket: "write_without_response"
        }
    }
}

extension PeripheralOperation: MeteredOperation {
    var meterLabel: String {
        switch self {
        case .add: "add_service"
        case .remove: "remove_service"
        case .advertise: "advertise"
        case .updateAdvertisement: "update_advertisement"
        case .stopAdvertising: "stop_advertising"
        case .update: "update"
        }
    }
}

extension ErrorReason {
    /// The dimension `outcome` of what did not succeed.
    var meterLabel: String {
        switch self {
        case .cancelled: "cancelled"
        case .timeout: "timeout"
        case .disconnected: "disconnected"
        case .poweredOff: "powered_off"
        case .invalidated: "invalidated"
        case .att: "att_error"
        case .backend: "backend"
        case .unsupported: "unsupported"
        case .lookup: "lookup"
        case .pairing: "pairing"
        case .serialization: "serialization"
        case .misuse: "misuse"
        }
    }
}

extension RadioManager {
    /// A completion that has the operation's time measured before it runs.
    @inline(__always)
    func metered(_ operation: Operation, _ completion: @escaping Completion) -> Completion {
        #if Metrics
        let start = meter.begin(clock)
        let label = operation.meterLabel
        return { manager, outcome in
            var reason: ErrorReason?
            if case .reply = outcome {} else { reason = PeripheralError(outcome, timeout: .connectionTimeout).reason }
            manager.meter.end(label, reason, since: start, manager.clock)
            completion(manager, outcome)
        }
        #else
        return completion
        #endif
    }
}

extension Characteristic {
    /// When a write begins that does not go through the queue.
    @inline(__always)
    func beginMetering() -> RadioMeter.Start? {
        #if Metrics
        return peripheral?.manager.map { $0.meter.begin($0.clock) }
        #else
        return nil
        #endif
    }

    /// Such a write has gone out.
    @inline(__always)
    func endMetering(since start: RadioMeter.Start?) {
        #if Metrics
        guard let start, let manager = peripheral?.manager else { return }
        manager.meter.end(WriteKind.withoutResponseOverSocket.meterLabel, nil, since: start, manager.clock)
        #endif
    }
}

extension PeripheralManager {
    /// Counts the updates of a characteristic that were dropped since this was last called.
    nonisolated func meterDrops(of characteristic: MutableCharacteristic) {
        #if Metrics
        meter.dropped(.update, characteristic.facts.withLock { $0.queue.takeUnmeteredCount() })
        #endif
    }
}

extension Result where Failure: BlueCapError {
    /// Why it failed; nil where it did not.
    var reason: ErrorReason? {
        if case .failure(let error) = self { error.reason } else { nil }
    }
}
