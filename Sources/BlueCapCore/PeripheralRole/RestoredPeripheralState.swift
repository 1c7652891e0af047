// SPDX-License-Identifier: MIT

/// The state that a ``PeripheralManager`` restored from an earlier run of the program: see
/// ``PeripheralManager/restoredState()``.
///
/// Services and advertisements are offered again as soon as the radio is on; the app does not add or start them.
public struct RestoredPeripheralState: Sendable {
    /// The services, in the order in which they were added.
    ///
    /// Only values that centrals can neither write nor be notified of are restored; the app sets the other values and
    /// listens to the requests.
    public internal(set) var services: [MutableService] = []
    /// The advertisement of ``PeripheralManager/startAdvertising(_:timeout:)-(Advertisement,_)``.
    public internal(set) var advertisement: Advertisement?
    /// The advertisements of ``PeripheralManager/advertise(_:timeout:)``, in the order of the calls.
    public internal(set) var advertisements: [AdvertisementHandle] = []

    var isEmpty: Bool { services.isEmpty && advertisement == nil && advertisements.isEmpty }

    /// The characteristics of all services.
    public var characteristics: [MutableCharacteristic] { services.flatMap(\.characteristics) }
}
