// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The reads and writes of centrals that wait for the manager's answers.
///
/// I2: the writes of one array are several accesses with one answer, which is given with the last of them and carries
/// the first error, if there is one. By then the manager may have taken other values of the array, so such a write is
/// not atomic.
struct AccessTable<Request> {
    private struct Batch {
        let request: Request
        var openCount: Int
        var error: ATTError?
    }

    private var batches: [UInt64: Batch] = [:]
    private var batchOf: [AccessID: UInt64] = [:]
    private var lastBatch: UInt64 = 0
    private var lastAccess: UInt64 = 0

    /// The number of accesses that wait.
    var count: Int { batchOf.count }

    /// Adds accesses that have one answer.
    ///
    /// - Parameters:
    ///   - request: The request that carries the answer.
    ///   - count: The number of accesses, at least 1.
    /// - Returns: Their names, in ascending order.
    mutating func add(_ request: Request, count: Int = 1) -> [AccessID] {
        lastBatch += 1
        batches[lastBatch] = Batch(request: request, openCount: count)
        return (0..<count).map { _ in
            lastAccess += 1
            let id = AccessID(rawValue: lastAccess)
            batchOf[id] = lastBatch
            return id
        }
    }

    /// Takes the answer to an access.
    ///
    /// - Returns: The request and its answer, once each of its accesses is answered; nil until then, and for an access
    ///   that does not wait.
    mutating func answer(
        _ id: AccessID, _ result: Result<Bytes, ATTError>
    ) -> (request: Request, result: Result<Bytes, ATTError>)? {
        guard let number = batchOf.removeValue(forKey: id), var batch = batches.removeValue(forKey: number) else {
            return nil
        }
        if case .failure(let error) = result, batch.error == nil { batch.error = error }
        batch.openCount -= 1
        guard batch.openCount == 0 else {
            batches[number] = batch
            return nil
        }
        return (batch.request, batch.error.map { .failure($0) } ?? result)
    }

    /// Removes the accesses of some requests.
    ///
    /// - Returns: Their requests, oldest first.
    mutating func take(where isTaken: (Request) -> Bool) -> [Request] {
        let taken = batches.filter { isTaken($0.value.request) }
        for number in taken.keys { batches[number] = nil }
        batchOf = batchOf.filter { taken[$0.value] == nil }
        return taken.sorted { $0.key < $1.key }.map { $0.value.request }
    }

    /// Removes all accesses.
    mutating func removeAll() {
        batches = [:]
        batchOf = [:]
    }
}
