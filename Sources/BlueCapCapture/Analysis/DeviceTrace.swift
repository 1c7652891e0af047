// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// What a capture shows of one device, as it is gathered.
struct DeviceTrace: Sendable {
    /// Two advertisements that are nearer to each other are one, heard on several channels.
    private static let shortestInterval = Duration.milliseconds(20)

    var identifier: PeerIdentifier
    var isRandom: Bool?
    var isOwn = false
    var firstSeen: Timestamp?
    var lastSeen: Timestamp?
    var rssi: Int?
    var advertisementCount = 0
    var connectionCount = 0
    var isConnectable: Bool?
    var data: Bytes?
    var scanResponse: Bytes?
    /// The shortest time from an advertisement to the next.
    var interval: Duration?
    var mtu: Int?
    var database = ObservedDatabase()
    private var lastAdvertisement: Timestamp?

    init(_ identifier: PeerIdentifier, isRandom: Bool? = nil) {
        self.identifier = identifier
        self.isRandom = isRandom
    }

    mutating func seen(at time: Timestamp?) {
        guard let time else { return }
        firstSeen = min(firstSeen ?? time, time)
        lastSeen = max(lastSeen ?? time, time)
    }

    mutating func add(_ report: AdvertisingReport, time: Timestamp?) {
        seen(at: time)
        advertisementCount += 1
        rssi = report.rssi ?? rssi
        isRandom = report.address.isRandom
        if report.isScanResponse {
            scanResponse = Bytes(report.data)
            return
        }
        isConnectable = report.isConnectable
        data = Bytes(report.data)
        if let time {
            if let last = lastAdvertisement, time - last >= Self.shortestInterval {
                interval = min(interval ?? time - last, time - last)
            }
            if lastAdvertisement.map({ time - $0 >= Self.shortestInterval }) ?? true { lastAdvertisement = time }
        }
    }

    /// Takes over what was heard under an address that turns out to be this device's.
    mutating func merge(_ other: DeviceTrace) {
        seen(at: other.firstSeen)
        seen(at: other.lastSeen)
        advertisementCount += other.advertisementCount
        rssi = rssi ?? other.rssi
        isConnectable = isConnectable ?? other.isConnectable
        data = data ?? other.data
        scanResponse = scanResponse ?? other.scanResponse
        interval = interval ?? other.interval
    }

    /// What the device advertises; nil where nothing of it was heard.
    var advertisements: PeripheralAdvertisements? {
        data == nil && scanResponse == nil
            ? nil : PeripheralAdvertisements(packets: [data, scanResponse].compactMap { $0 })
    }

    var name: String? {
        let read = database.value(ofType: .deviceName).flatMap { try? SerDe.deserialize($0, as: String.self) }
        return read ?? advertisements?.localName
    }

    var summary: CapturedDevice {
        CapturedDevice(
            identifier: identifier, isRandom: isRandom, isOwn: isOwn, name: name, firstSeen: firstSeen,
            lastSeen: lastSeen, rssi: rssi, advertisementCount: advertisementCount, connectionCount: connectionCount,
            serviceCount: database.services.count, notificationCount: database.notificationCount,
            unexplainedCount: database.unexplainedCount)
    }
}
