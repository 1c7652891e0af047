// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapSerDe

/// What a twin advertises.
public struct TwinAdvertisement: Sendable, Hashable {
    /// What the advertising packets hold.
    public var data: PeripheralAdvertisements
    /// What the scan response adds; nil where none was heard.
    public var scanResponse: PeripheralAdvertisements?
    /// Whether the packets invite connections.
    public var isConnectable: Bool
    /// About the time from one advertisement to the next; nil where it is not known.
    public var interval: Duration?
    /// The signal strength that it was heard with, in dBm.
    public var rssi: Int?

    /// An advertisement. Of AD structures those are kept that no field holds.
    ///
    /// - Parameters:
    ///   - data: What the advertising packets hold.
    ///   - scanResponse: What the scan response adds.
    ///   - isConnectable: Whether the packets invite connections.
    ///   - interval: The time from one advertisement to the next.
    ///   - rssi: The signal strength in dBm.
    public init(
        data: PeripheralAdvertisements, scanResponse: PeripheralAdvertisements? = nil, isConnectable: Bool = true,
        interval: Duration? = nil, rssi: Int? = nil
    ) {
        self.data = data.withoutRepetition
        self.scanResponse = scanResponse?.withoutRepetition
        self.isConnectable = isConnectable
        self.interval = interval
        self.rssi = rssi
    }

    /// An advertisement of which only the whole is known, as BlueZ reports it: what does not fit into a packet of 31
    /// bytes is taken for the scan response, the name first.
    ///
    /// Once a program has connected, BlueZ adds the services of the database to those that are advertised. Generic
    /// Access and Generic Attribute, which devices do not advertise, are left out, and of the others the last ones
    /// where there is no room.
    ///
    /// - Parameters:
    ///   - whole: The fields of packet and scan response together.
    ///   - rssi: The signal strength in dBm.
    public init(whole: PeripheralAdvertisements, rssi: Int? = nil) {
        var data = whole.withoutRepetition
        var response = PeripheralAdvertisements()
        data.serviceUUIDs.removeAll { $0 == .genericAccess || $0 == .genericAttribute }
        // Flags, which are not always known, take three bytes.
        func isTooLong() -> Bool { data.packet.count + (data.flags == nil ? 3 : 0) > 31 }
        if isTooLong() { (data.localName, response.localName) = (nil, data.localName) }
        if isTooLong() { (data.manufacturerData, response.manufacturerData) = ([:], data.manufacturerData) }
        if isTooLong() { (data.serviceData, response.serviceData) = ([:], data.serviceData) }
        while isTooLong(), !data.serviceUUIDs.isEmpty { data.serviceUUIDs.removeLast() }
        self.init(
            data: data, scanResponse: response == PeripheralAdvertisements() ? nil : response,
            isConnectable: whole.isConnectable ?? true, rssi: rssi)
    }
}
