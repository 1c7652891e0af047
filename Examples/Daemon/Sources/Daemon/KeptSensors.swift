// SPDX-License-Identifier: MIT

import BlueCap
import Synchronization

/// The sensors that are being kept, up to a maximum.
final class KeptSensors: Sendable {
    private let maximum: Int
    private let identifiers = Mutex<Set<PeerIdentifier>>([])

    init(maximum: Int) { self.maximum = maximum }

    /// Adds a sensor; false if it is there already, or there is no room.
    func add(_ identifier: PeerIdentifier) -> Bool {
        identifiers.withLock { $0.count < maximum && $0.insert(identifier).inserted }
    }

    func remove(_ identifier: PeerIdentifier) { _ = identifiers.withLock { $0.remove(identifier) } }
}
