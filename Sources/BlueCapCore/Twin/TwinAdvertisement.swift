// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The advertisement of a twin.
public struct TwinAdvertisement: Sendable, Hashable {
    /// The fields of the advertising packets.
    public var data: PeripheralAdvertisements
    /// The fields of the scan response; nil where none was heard.
    public var scanResponse: PeripheralAdvertisements?
    /// A Boolean value that is true if the packets invite connections.
    public var isConnectable: Bool
    /// The approximate time from one advertisement to the next; nil where it is not known.
    public var interval: Duration?
    /// The signal strength with which the advertisement was heard, in dBm.
    public var rssi: Int?

    /// Creates an advertisement, which keeps those AD structures that no field holds.
    ///
    /// - Parameters:
    ///   - data: The fields of the advertising packets.
    ///   - scanResponse: The fields of the scan response.
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

    /// Creates an advertisement of which only the whole is known, as BlueZ reports it: what does not fit into a packet
    /// of 31 bytes is taken for the scan response, the name first.
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
        data.serviceUUIDs.removeAll(where: \.isOfStack)
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
