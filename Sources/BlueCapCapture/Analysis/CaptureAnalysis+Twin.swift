// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

extension CaptureAnalysis {
    /// Returns the twin of a device from the packets that were added by now, or nil if the capture does not show the
    /// device.
    ///
    /// Its database is the part that a central discovered during the capture. A central that knew the device from
    /// before discovers nothing: then there are no services, and ``CapturedDevice/unexplainedCount`` is not 0.
    /// Attributes that were discovered without their service are left out, and counted in
    /// ``CapturedDevice/unplacedCount``. The time of each notification counts from the write that switched it on;
    /// notifications of several links follow one another. A PSM plays the first of its channels over which the device
    /// sent something.
    public func twin(of device: PeerIdentifier) -> Twin? {
        guard let trace = trace(of: device) else { return nil }
        var builder = TwinBuilder(database: trace.database)
        let services = builder.services()
        var advertisement: TwinAdvertisement?
        if trace.advertisements != nil {
            advertisement = TwinAdvertisement(
                data: PeripheralAdvertisements(packets: [trace.data].compactMap { $0 }),
                scanResponse: trace.scanResponse.map { PeripheralAdvertisements(packets: [$0]) },
                isConnectable: trace.isConnectable ?? true, interval: trace.interval, rssi: trace.rssi)
        }
        let hasAddress = DeviceAddress(text: trace.identifier.text, isRandom: false) != nil
        return Twin(
            address: hasAddress ? trace.identifier : nil, isAddressRandom: trace.isRandom, name: trace.name,
            recorded: trace.firstSeen, advertisement: advertisement, mtu: trace.mtu, services: services,
            channels: TwinChannel.channels(channels(of: device))
        ).withinLimits()
    }
}
