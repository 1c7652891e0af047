// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Foundation

extension CBPeripheralManager {
    /// A read, piece by piece (I1).
    struct PendingRead {
        var access: AttributeAccess
        var request: CBATTRequest
        var value: [UInt8]
    }

    /// An array of writes, answered once (I2).
    struct PendingWrites {
        var first: CBATTRequest
        var accesses: [AccessID]
    }

    /// A write without response that waits for its like (I2).
    struct GatheredCommand {
        var access: AccessID
        var request: CBATTRequest
    }

    func accessed(_ access: AttributeAccess) {
        if let value = fixedValue(access.attribute) {
            flushCommands()
            return answerFixed(access, value)
        }
        guard let characteristic = publishedCharacteristic(access.attribute) else {
            return answer(access.id, .failure(.attributeNotFound))
        }
        let central = central(access.central ?? Central(identifier: nil))
        switch access.kind {
        case .read:
            flushCommands()
            ask(PendingRead(access: access, request: request(0), value: []))
        case .write(let value, let offset, let kind):
            let data = Data(value)
            switch kind {
            case .command:
                gatheredCommands.append(GatheredCommand(access: access.id, request: request(offset, data)))
                // Commands that have arrived by then come in one array, each at 0 (I2).
                if gatheredCommands.count == 1 { later { [self] in flushCommands() } }
            case .prepared:
                flushCommands()
                // The parts of a long write, each as a central prepares it (I2).
                let length = max(1, central.maximumUpdateValueLength - 2)
                let starts = stride(from: 0, to: max(1, data.count), by: length)
                let parts = starts.map { start in
                    request(offset + start, Data(data[start..<min(start + length, data.count)]))
                }
                tell(parts, [access.id])
            default:
                flushCommands()
                tell([request(offset, data)], [access.id])
            }
        }
        func request(_ offset: Int, _ value: Data? = nil) -> CBATTRequest {
            CBATTRequest(central: central, characteristic: characteristic, offset: offset, value: value, host: host)
        }
    }

    /// Answers a request: the first of an array for all of them, and each once (I1, I2).
    public func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {
        let key = ObjectIdentifier(request)
        if let writes = writing.removeValue(forKey: key) {
            for access in writes.accesses {
                answer(access, result == .success ? .success([]) : .failure(error(result)))
            }
        } else if let read = reading.removeValue(forKey: key) {
            guard result == .success else { return answer(read.access.id, .failure(error(result))) }
            go(on: read, with: Array(request.value ?? Data()))
        } else {
            host.misuse("respond to a request that was answered, or is not the first of its array")
        }
    }

    /// A full piece is followed by a read of the next, of which the last is empty where the length is a multiple (I1).
    private func go(on read: PendingRead, with piece: [UInt8]) {
        let room = read.request.central.maximumUpdateValueLength + 2
        let value = read.value + piece.prefix(room)
        guard piece.count >= room, value.count < 512 else {
            return answer(read.access.id, .success(Bytes(value.prefix(512))))
        }
        let next = CBATTRequest(
            central: read.request.central, characteristic: read.request.characteristic, offset: value.count, value: nil,
            host: host)
        later { [self] in ask(PendingRead(access: read.access, request: next, value: value)) }
    }

    private func ask(_ read: PendingRead) {
        reading[ObjectIdentifier(read.request)] = read
        delegate?.peripheralManager(self, didReceiveRead: read.request)
    }

    private func tell(_ requests: [CBATTRequest], _ accesses: [AccessID]) {
        guard let first = requests.first else { return }
        writing[ObjectIdentifier(first)] = PendingWrites(first: first, accesses: accesses)
        delegate?.peripheralManager(self, didReceiveWrite: requests)
    }

    func flushCommands() {
        guard !gatheredCommands.isEmpty else { return }
        let commands = gatheredCommands
        gatheredCommands = []
        tell(commands.map(\.request), commands.map(\.access))
    }

    private func answerFixed(_ access: AttributeAccess, _ value: [UInt8]) {
        switch access.kind {
        case .read(let offset): answer(access.id, .success(Bytes(value.dropFirst(offset))))
        case .write: answer(access.id, .failure(.writeNotPermitted))
        }
    }

    private func answer(_ access: AccessID, _ result: Result<Bytes, ATTError>) {
        session.ask { $0.respond(to: access, result) }
    }

    private func error(_ code: CBATTError.Code) -> ATTError {
        ATTError(rawValue: UInt8(truncatingIfNeeded: code.rawValue))
    }
}
