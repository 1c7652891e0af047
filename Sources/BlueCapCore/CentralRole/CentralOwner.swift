// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The actor that the rooms of the central role belong to: a manager, or the stage of a test.
protocol CentralOwner: RadioManager
where Operation == CentralOperation, StateError == CentralManagerError {
    nonisolated var backend: any CentralBackend { get }
    nonisolated var logger: RadioLog { get }
    var book: PeripheralBook { get }
    var scans: ScanDesk { get }
    nonisolated var connections: Connections { get }
    var deliveries: Deliveries { get }
    /// Whether the backend was ended: nothing is expected of it any more.
    var isClosed: Bool { get }

    /// Makes the object of a peripheral that was never known.
    func makePeripheral(_ id: PeerIdentifier) -> Peripheral
}

/// The record of a peripheral is found anew for each event, deadline and answer: by then it may be forgotten.
extension CentralOwner {
    typealias Pending = PendingTable<CentralOperation, Completion>
    typealias RecordAction = @Sendable (isolated Self, PeripheralRecord) -> Void

    /// Calls `action` soon, in the order of the calls, if the peripheral is known then.
    nonisolated func later(with id: PeerIdentifier, _ action: @escaping RecordAction) {
        later { $0.act(with: id, action) }
    }

    /// Calls `action` when `delay` has passed, if the peripheral is known then.
    func after(_ delay: Duration, with id: PeerIdentifier, _ action: @escaping RecordAction) -> DeadlineToken {
        after(delay) { $0.act(with: id, action) }
    }

    private func act(with id: PeerIdentifier, _ action: RecordAction) {
        if let record = book.known(id) { action(self, record) }
    }

    /// Sends an operation over a link; `completion` is called once, if the peripheral is known then.
    func begin(
        _ operation: CentralOperation, over kind: Pending.Lane.Kind,
        completion: @escaping @Sendable (isolated Self, PeripheralRecord, Outcome) -> Void
    ) {
        begin(operation, in: kind) { manager, outcome in
            if let record = manager.record(of: operation) { completion(manager, record, outcome) }
        }
    }

    /// Sends an operation over a link and waits for its outcome, which `apply` is given together with the record; nil
    /// if the peripheral is not known any more.
    func perform<Value: Sendable, Failure: Error>(
        _ operation: CentralOperation, over kind: Pending.Lane.Kind, timeout: Duration?,
        _ apply: @escaping @Sendable (isolated Self, PeripheralRecord?, Outcome) -> Result<Value, Failure>
    ) async throws(Failure) -> Value {
        try await perform(operation, in: kind, timeout: timeout) { manager, outcome -> Result<Value, Failure> in
            apply(manager, manager.record(of: operation), outcome)
        }
    }

    /// The record of the peripheral that an operation is about; nil if there is none.
    func record(of operation: CentralOperation) -> PeripheralRecord? {
        operation.peripheral.flatMap { book.known($0) }
    }

    /// The lane of a peripheral's current connection.
    func lane(_ kind: Pending.Lane.Kind, of peripheral: PeerIdentifier) -> Pending.Lane {
        let generation = book.known(peripheral)?.connection.machine.generation ?? 0
        return Pending.Lane(peripheral: peripheral, generation: generation, kind: kind)
    }
}

/// How requests of the central role go to its backend.
extension CentralOwner {
    nonisolated var pairingBackend: any PairingBackend { backend }

    func send(_ id: RequestID, _ operation: CentralOperation) {
        pairing.takeConsumers(self)
        let request = CentralRequest(id: id, operation: operation)
        backend.onExecutor { $0.perform(request) }
    }

    func lane(of operation: CentralOperation, id: RequestID, kind: Pending.Lane.Kind?) -> Pending.Lane {
        guard let peripheral = operation.peripheral else {
            return Pending.Lane(peripheral: nil, generation: 0, kind: .single(id))
        }
        return lane(kind ?? .single(id), of: peripheral)
    }

    func endsInOrder(_ operation: CentralOperation) -> Bool {
        record(of: operation)?.connection.endsRequestsInOrder ?? false
    }

    func refusal(of operation: CentralOperation) -> Outcome? {
        if let refusal = refusalByRadio { return refusal }
        if operation.peripheral != nil, record(of: operation)?.link != .connected { return .failed(.disconnected) }
        return nil
    }
}
