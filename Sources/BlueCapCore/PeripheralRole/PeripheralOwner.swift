// SPDX-License-Identifier: MIT

/// The actor that the rooms of the peripheral role belong to: a manager, or the stage of a test.
protocol PeripheralOwner: RadioManager
where Operation == PeripheralOperation, StateError == PeripheralManagerError {
    nonisolated var backend: any PeripheralBackend { get }
    nonisolated var logger: RadioLog { get }
    var server: AttributeServer { get }
    var updates: Updates { get }
    var registrations: Registrations { get }
    var links: CentralLinks { get }
    /// Whether the backend was ended: nothing is expected of it any more.
    var isClosed: Bool { get }
    /// The manager that handles and requests for the app belong to; nil for a stage.
    nonisolated var manager: PeripheralManager? { get }
}

/// How requests of the peripheral role go to its backend.
extension PeripheralOwner {
    typealias Lane = PendingTable<PeripheralOperation, Completion>.Lane

    nonisolated var pairingBackend: any PairingBackend { backend }

    /// Whether the platform reports the links of centrals.
    nonisolated var reportsCentralLinks: Bool { backend.features.contains(.centralLinks) }

    func send(_ id: RequestID, _ operation: PeripheralOperation) {
        pairing.takeConsumers(self)
        let request = PeripheralRequest(id: id, operation: operation)
        backend.onExecutor { $0.perform(request) }
    }

    func lane(of operation: PeripheralOperation, id: RequestID, kind: Lane.Kind?) -> Lane {
        Lane(peripheral: nil, generation: 0, kind: kind ?? .single(id))
    }

    func refusal(of operation: PeripheralOperation) -> Outcome? {
        // Services and advertisements are removed after the end, too.
        if isInvalidated, !isClosed { return state == .poweredOn ? nil : .failed(radio.reason) }
        return refusalByRadio
    }
}
