// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// An advertisement's time, and what the app was told of its being on the air.
struct AirTime {
    private enum Told {
        case nothing
        case onAir
        case interrupted
    }

    /// Ends it when its time is over.
    var deadline: DeadlineQueue<PeripheralManager.Action>.Token?
    /// Why it is wanted no more; nil while it is wanted.
    var reason: AdvertisementEnd?
    private var told = Told.nothing

    /// Whether the last event says that it is on the air.
    var isToldOnAir: Bool { told == .onAir }

    /// The event that the app has not been told of yet, if any.
    ///
    /// - Parameters:
    ///   - isOnAir: Whether it is on the air now.
    ///   - interruption: Why one that is wanted is not.
    mutating func tell(isOnAir: Bool, interruption: PeripheralManagerError) -> AdvertisingEvent.Kind? {
        switch (told, isOnAir, reason) {
        case (.onAir, true, _), (.nothing, false, _), (.interrupted, false, nil):
            return nil
        case (.nothing, true, _), (.interrupted, true, _):
            told = .onAir
            return .started
        case (.onAir, false, nil):
            told = .interrupted
            return .interrupted(interruption)
        case (.onAir, false, let reason?), (.interrupted, false, let reason?):
            told = .nothing
            return .ended(reason)
        }
    }
}
