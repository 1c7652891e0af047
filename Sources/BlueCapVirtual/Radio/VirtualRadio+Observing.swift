// SPDX-License-Identifier: MIT

import BlueCapRuntime

extension VirtualRadio {
    /// Calls `observer` on the radio's executor with all events from now on.
    ///
    /// - Returns: A number for ``stopObserving(_:)``.
    package func observe(_ observer: @escaping @Sendable (AirEvent) -> Void) -> UInt64 {
        let number = participants.withLock { participants in
            participants.lastObserver += 1
            return participants.lastObserver
        }
        ether.perform { $0.observers.append((number, observer)) }
        return number
    }

    /// Ends an observation.
    package func stopObserving(_ number: UInt64) {
        ether.perform { $0.observers.removeAll { $0.number == number } }
    }
}
