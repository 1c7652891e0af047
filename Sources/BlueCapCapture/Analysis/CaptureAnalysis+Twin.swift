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
    /// notifications of several links follow one another.
    public func twin(of device: PeerIdentifier) -> Twin? {
        guard let trace = trace(of: device) else { return nil }
        let services = TwinBuilder(database: trace.database).services
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
            recorded: trace.firstSeen, advertisement: advertisement, mtu: trace.mtu, services: services
        ).withinLimits()
    }
}

/// Makes services of the observed attributes, in time and memory that grow with their number.
private struct TwinBuilder {
    private let database: ObservedDatabase
    /// In the order of their handles.
    private let characteristics: [ObservedDatabase.Characteristic]
    private let handles: [UInt16]

    init(database: ObservedDatabase) {
        self.database = database
        characteristics = database.characteristics.values.sorted { $0.declaration < $1.declaration }
        handles = database.types.keys.sorted()
    }

    var services: [TwinService] {
        let all = database.allServices
        return all.map { service in
            let includes = database.includes.filter { service.range.contains($0.key) }.sorted { $0.key < $1.key }
                .compactMap { include in all.firstIndex { $0.range.first == include.value.range.first } }
            return TwinService(
                service.uuid, handle: service.range.first, isPrimary: service.isPrimary, includes: includes,
                characteristics: characteristics(in: service.range))
        }
    }

    private func characteristics(in range: HandleRange) -> [TwinCharacteristic] {
        let found = characteristics.within(range.first, range.last, by: \.declaration).filter {
            range.contains($0.value)
        }
        return found.enumerated().map { index, characteristic in
            let last = index + 1 < found.count ? found[index + 1].declaration - 1 : range.last
            return twin(of: characteristic, last: last)
        }
    }

    private func twin(of found: ObservedDatabase.Characteristic, last: UInt16) -> TwinCharacteristic {
        let behind = handles.within(found.value, last, by: \.self).drop { $0 == found.value }
        let demand = database.demands[found.value]
        return TwinCharacteristic(
            found.uuid, handle: found.value, properties: found.properties, value: database.values[found.value],
            readSecurity: demand?.read, writeSecurity: demand?.write,
            descriptors: behind.compactMap { handle in
                guard let uuid = database.types[handle], uuid != .clientConfiguration,
                    !BluetoothUUID.declarations.contains(uuid)
                else { return nil }
                return TwinDescriptor(uuid, handle: handle, value: database.values[handle])
            },
            notifications: notifications(of: found, last: last))
    }

    /// The notifications of a characteristic, each with the time from the subscription that it came by.
    private func notifications(of found: ObservedDatabase.Characteristic, last: UInt16) -> [TwinNotification] {
        let sent = database.notifications[found.value] ?? []
        guard !sent.isEmpty else { return [] }
        let handles = database.subscriptions.keys.filter { handle in
            handle > found.value && handle <= last
                && (database.types[handle] ?? .clientConfiguration) == .clientConfiguration
        }
        let subscriptions = handles.flatMap { database.subscriptions[$0] ?? [] }.sorted()
        var notifications: [TwinNotification] = []
        // Where the present subscription stands in the twin's time, and when it was.
        var begin = Duration.zero
        var base = subscriptions.first ?? sent.first?.time
        var next = subscriptions.dropFirst()
        for value in sent {
            let latest = notifications.last?.after ?? .zero
            while let time = value.time, let subscription = next.first, subscription <= time {
                next = next.dropFirst()
                begin = latest
                base = subscription
            }
            var after = latest
            if let time = value.time, let base { after = max(latest, begin + (time - base)) }
            notifications.append(TwinNotification(after: after, value: value.value))
        }
        return notifications
    }
}

extension Array {
    /// The elements of a sorted array whose handles are from one to another, both included.
    fileprivate func within(
        _ first: UInt16, _ last: UInt16, by handle: (Element) -> UInt16
    ) -> ArraySlice<Element> {
        func start(where isReached: (UInt16) -> Bool) -> Int {
            var (low, high) = (0, count)
            while low < high {
                let middle = (low + high) / 2
                if isReached(handle(self[middle])) { high = middle } else { low = middle + 1 }
            }
            return low
        }
        let begin = start { $0 >= first }
        return self[begin..<Swift.max(begin, start { $0 > last })]
    }
}
