// SPDX-License-Identifier: MIT

public import BlueCapCore

/// How a virtual peripheral advertises.
public struct VirtualAdvertising: Sendable, Hashable {
    /// The time between two advertising events; up to 10 ms of chance are added to each, as on a real radio.
    public var interval: Duration
    /// When the first event comes, after advertising starts.
    public var delay: Duration
    /// What the advertising packets hold.
    public var data: PeripheralAdvertisements
    /// What the scan response adds for scanners that ask; nil sends none. A scanner reports both as one sighting.
    public var scanResponse: PeripheralAdvertisements?
    /// Whether the packets invite connections.
    public var isConnectable: Bool
    /// Whether advertising goes on while the peripheral has as many connections as it takes; the packets do not invite
    /// connections then.
    public var alsoWhenConnected: Bool

    /// Advertising with the given packets.
    public init(
        interval: Duration = .milliseconds(100), delay: Duration = .zero,
        data: PeripheralAdvertisements = PeripheralAdvertisements(), scanResponse: PeripheralAdvertisements? = nil,
        isConnectable: Bool = true, alsoWhenConnected: Bool = false
    ) {
        self.interval = interval
        self.delay = delay
        self.data = data
        self.scanResponse = scanResponse
        self.isConnectable = isConnectable
        self.alsoWhenConnected = alsoWhenConnected
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
