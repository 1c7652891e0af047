// SPDX-License-Identifier: MIT

/// What a ``PeripheralManager`` took up from the program before it: see ``PeripheralManager/restoredState()``.
///
/// Services and advertisements are there again as soon as the radio is on; nothing has to be added or started.
public struct RestoredPeripheralState: Sendable {
    /// The services, in the order in which they were added. Values are those that centrals can neither write nor be
    /// notified of; the app sets the others and listens to the requests.
    public internal(set) var services: [MutableService] = []
    /// The advertisement of ``PeripheralManager/startAdvertising(_:timeout:)-(Advertisement,_)``.
    public internal(set) var advertisement: Advertisement?
    /// Those of ``PeripheralManager/advertise(_:timeout:)``, in the order of the calls.
    public internal(set) var advertisements: [AdvertisementHandle] = []

    var isEmpty: Bool { services.isEmpty && advertisement == nil && advertisements.isEmpty }

    /// The characteristics of all services.
    public var characteristics: [MutableCharacteristic] { services.flatMap(\.characteristics) }
}
