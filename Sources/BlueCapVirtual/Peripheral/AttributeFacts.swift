// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// The state of a virtual characteristic or descriptor, readable from anywhere.
struct AttributeFacts {
    var value: Bytes
    var errors: [VirtualOperation: ATTError] = [:]
    var held: Set<VirtualOperation> = []
    var heldCounts: [VirtualOperation: Int] = [:]
    /// The values that are sent inside the subscription's own handling, before its response.
    var valuesOnSubscription: [Bytes] = []
    var writes = RingBuffer<VirtualWrite>()
    var subscriptions = 0
    var totalSubscriptions = 0
    weak var owner: Confined<PeripheralNode>?

    /// The most writes that are remembered.
    static let writeLimit = 65_536

    init(value: Bytes) { self.value = value }
}

/// An attribute with a value: a characteristic or a descriptor.
protocol ValueAttribute: AnyObject, Sendable {
    var uuid: BluetoothUUID { get }
    var facts: Locked<AttributeFacts> { get }
    func readHandler() -> Result<Bytes, ATTError>?
    func writeHandler(_ value: Bytes) -> Result<Void, ATTError>?
}

extension ValueAttribute {
    /// Answers the held requests, and stops holding unless `andHoldOn` is true.
    func letGo(_ operation: VirtualOperation, andHoldOn: Bool) {
        let owner = facts.withLock { facts in
            if !andHoldOn { facts.held.remove(operation) }
            return facts.owner
        }
        owner?.perform { $0.release(self, operation) }
    }
}
