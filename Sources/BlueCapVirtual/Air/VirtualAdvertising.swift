// SPDX-License-Identifier: MIT

public import BlueCapCore

/// The packets that a virtual peripheral advertises, and their timing.
public struct VirtualAdvertising: Sendable, Hashable {
    /// The time between two advertising events. The radio adds up to 10 ms of chance to each, as the specification has
    /// it (Core Specification, Vol 6, Part B, 4.4.2.2).
    public var interval: Duration
    /// The time from the start of advertising to the first event.
    public var delay: Duration
    /// The fields of the advertising packets.
    public var data: PeripheralAdvertisements
    /// The fields that the scan response adds for scanners that request it; nil sends none. A scanner reports both as
    /// one sighting.
    public var scanResponse: PeripheralAdvertisements?
    /// A Boolean value that is true if the packets invite connections.
    public var isConnectable: Bool
    /// A Boolean value that is true if advertising goes on while the peripheral has as many connections as it accepts.
    /// The packets do not invite connections then.
    public var alsoWhenConnected: Bool
    /// The modulation of the data in extended advertising, which all adapters of the radio hear; nil for legacy
    /// advertising.
    public var secondaryPHY: SecondaryPHY?

    /// Creates a description of advertising.
    ///
    /// - Parameters:
    ///   - interval: The time between two advertising events, to which the radio adds up to 10 ms of chance.
    ///   - delay: The time from the start of advertising to the first event.
    ///   - data: The fields of the advertising packets.
    ///   - scanResponse: The fields of the scan response; nil sends none.
    ///   - isConnectable: Whether the packets invite connections.
    ///   - alsoWhenConnected: Whether advertising goes on, without inviting connections, while the peripheral has as
    ///     many connections as it accepts.
    ///   - secondaryPHY: The modulation of the data in extended advertising; nil for legacy advertising.
    public init(
        interval: Duration = .milliseconds(100), delay: Duration = .zero,
        data: PeripheralAdvertisements = PeripheralAdvertisements(), scanResponse: PeripheralAdvertisements? = nil,
        isConnectable: Bool = true, alsoWhenConnected: Bool = false, secondaryPHY: SecondaryPHY? = nil
    ) {
        self.interval = interval
        self.delay = delay
        self.data = data
        self.scanResponse = scanResponse
        self.isConnectable = isConnectable
        self.alsoWhenConnected = alsoWhenConnected
        self.secondaryPHY = secondaryPHY
    }
}

extension VirtualAdvertising {
    /// Creates a description of how the virtual radio sends an advertisement of a `PeripheralManager`.
    ///
    /// As with BlueZ, the name goes into the scan response, unless extended advertising has none, and a connectable
    /// advertisement stays on the air while centrals are connected. The interval is the shortest that the advertisement
    /// allows. Its `duration` and its `timeout` are the manager's to keep and are passed over.
    ///
    /// - Parameter advertisement: The advertisement to send.
    public init(_ advertisement: Advertisement) {
        let isConnectable = advertisement.kind == .connectable
        var data = PeripheralAdvertisements(
            manufacturerData: advertisement.manufacturerData,
            txPower: advertisement.includesTxPower ? advertisement.txPower ?? 0 : nil,
            serviceUUIDs: advertisement.serviceUUIDs, serviceData: advertisement.serviceData,
            solicitedServiceUUIDs: advertisement.solicitedServiceUUIDs, appearance: advertisement.appearance)
        if advertisement.isDiscoverable ?? isConnectable {
            data.flags = [.generalDiscoverable, .noBREDR]
        } else if isConnectable {
            data.flags = .noBREDR
        }
        // A structure is heard as the field that it is.
        data = data.merging(PeripheralAdvertisements(structures: advertisement.structures).parsed)
        var response = PeripheralAdvertisements(structures: advertisement.scanResponse).parsed
        if advertisement.secondaryPHY == nil {
            response.localName = advertisement.localName ?? response.localName
        } else {
            data.localName = advertisement.localName ?? data.localName
        }
        self.init(
            interval: advertisement.interval?.lowerBound ?? .milliseconds(100), data: data,
            scanResponse: response == PeripheralAdvertisements() ? nil : response, isConnectable: isConnectable,
            alsoWhenConnected: true, secondaryPHY: advertisement.secondaryPHY)
    }
}

extension PeripheralAdvertisements {
    /// These advertisements with a scan response's fields added.
    func merging(_ response: PeripheralAdvertisements) -> PeripheralAdvertisements {
        var merged = self
        merged.localName = response.localName ?? localName
        merged.manufacturerData.merge(response.manufacturerData) { $1 }
        merged.txPower = response.txPower ?? txPower
        merged.serviceUUIDs += response.serviceUUIDs.filter { !serviceUUIDs.contains($0) }
        merged.serviceData.merge(response.serviceData) { $1 }
        merged.overflowServiceUUIDs += response.overflowServiceUUIDs.filter { !overflowServiceUUIDs.contains($0) }
        merged.solicitedServiceUUIDs += response.solicitedServiceUUIDs.filter { !solicitedServiceUUIDs.contains($0) }
        merged.appearance = response.appearance ?? appearance
        merged.flags = response.flags ?? flags
        merged.structures += response.structures
        return merged
    }
}
