// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// The properties of a device that a sighting needs: read once, then renewed by those that change.
struct DeviceRecord: Sendable {
    /// False for a record that holds nothing yet, which nothing renews.
    let isRead: Bool
    private(set) var advertisements = PeripheralAdvertisements()
    private var identifier: PeerIdentifier?
    private var hasRandomAddress: Bool?
    private var name: String?
    private var rssi: Int?
    private var isBonded = false
    private var isSighted = false

    init() { isRead = false }

    init(_ properties: ObjectMirror.Properties) {
        isRead = true
        advertisements = PeripheralAdvertisements(properties)
        let facts = DeviceFacts(properties)
        (identifier, hasRandomAddress) = (facts.identifier, facts.hasRandomAddress)
        (name, rssi, isBonded, isSighted) = (facts.name, facts.rssi, facts.isBonded, facts.isSighted)
    }

    /// Takes in properties that changed; `all` has the others, too.
    mutating func renew(_ set: ObjectMirror.Properties, without invalidated: [String], of all: ObjectMirror.Properties)
    {
        guard isRead else { return }
        advertisements.renew(set, without: invalidated)
        let facts = DeviceFacts(all)
        (identifier, hasRandomAddress) = (facts.identifier, facts.hasRandomAddress)
        (name, rssi, isBonded, isSighted) = (facts.name, facts.rssi, facts.isBonded, facts.isSighted)
    }

    mutating func renew(_ property: PropertiesChanged.Property, of packet: PropertiesChanged) {
        if packet.isNamed(Device1.rssi.name, property), let strength = packet.int16(of: property) {
            rssi = DeviceFacts.rssi(strength)
            isSighted = true
        } else if let name = Device1.ofPackets(packet.name(of: property)), let value = packet.value(of: property) {
            renew(name, value)
        }
    }

    /// Takes in a property of ``Device1/ofPackets``.
    mutating func renew(_ name: String, _ value: DBusValue) {
        guard Device1.rssi ~= name else { return advertisements.renew(name, value) }
        rssi = DeviceFacts.rssi(value)
        isSighted = true
    }

    /// The sighting, with the advertisements; nil when no running discovery has received the device, and for one
    /// without an address.
    var sighting: Sighting? {
        guard isSighted, let identifier else { return nil }
        var sighting = Sighting(
            peripheral: identifier, name: name, advertisements: advertisements, rssi: rssi, isBonded: isBonded)
        sighting.hasRandomAddress = hasRandomAddress
        return sighting
    }
}
#endif
