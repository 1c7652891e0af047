// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// How requests of the central role go to its backend.
extension CentralManager: RadioManager {
    typealias StateError = CentralManagerError
    typealias Contents = CentralRestoration
    typealias Restored = RestoredCentralState
    typealias Pending = PendingTable<CentralOperation, Completion>
    typealias Deadlines = DeadlineTimer<CentralManager>

    /// The lane of a peripheral's current connection.
    func lane(_ kind: Pending.Lane.Kind, of peripheral: PeerIdentifier) -> Pending.Lane {
        Pending.Lane(peripheral: peripheral, generation: book.known(peripheral)?.connection.generation ?? 0, kind: kind)
    }

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
        guard let record = operation.peripheral.flatMap({ book.known($0) }) else { return false }
        return record.endsInOrder || record.connection.isEndedByApp
    }

    func refusal(of operation: CentralOperation) -> Outcome? {
        if let refusal = refusalByRadio { return refusal }
        if let peripheral = operation.peripheral, book.known(peripheral)?.link != .connected {
            return .failed(.disconnected)
        }
        return nil
    }
}
