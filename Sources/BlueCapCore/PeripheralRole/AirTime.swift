// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// An advertisement's deadline, and the last event that the app received about it.
struct AirTime {
    private enum Told {
        case nothing
        case onAir
        case interrupted
    }

    /// The deadline that ends the advertisement when its time is over.
    var deadline: DeadlineQueue<PeripheralManager.Action>.Token?
    /// The reason why the advertisement is no longer wanted; nil while it is wanted.
    var reason: AdvertisementEnd?
    private var told = Told.nothing

    /// A Boolean value that is true if the last event reported that the advertisement is on the air.
    var isToldOnAir: Bool { told == .onAir }

    /// Returns the event that the app has not received yet; nil if there is none.
    ///
    /// - Parameters:
    ///   - isOnAir: A Boolean value that is true if the advertisement is on the air now.
    ///   - interruption: The reason why a wanted advertisement is not on the air.
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
