// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// The data that a capture shows of one device, as it is gathered.
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
    /// The connection-oriented channels that it was asked for, by their numbers in the capture.
    private(set) var channels: [Int: CapturedChannel] = [:]
    /// Its place among all devices in the order in which they were first heard.
    var place = 0
    private var lastAdvertisement: Timestamp?
    /// How many databases have been put before the one that the device had.
    private var earlierCount = 0
    /// Each of them costs as much as the device has. A hostile file has thousands; behind as many as this, one that is
    /// earlier is taken for a later one.
    private static let maximumEarlierCount = 16

    init(_ identifier: PeerIdentifier) { self.identifier = identifier }

    /// Whether the capture shows more of it than advertisements.
    var hasMoreThanAdvertised: Bool { isOwn || connectionCount > 0 || !database.isEmpty || !channels.isEmpty }

    /// Takes the type of an address, unless it is one that the device has beside that of its name.
    mutating func isNamed(_ address: DeviceAddress) {
        if address.identifier == identifier { isRandom = address.isRandom }
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
        isNamed(report.address)
        if report.isScanResponse {
            answersScans(with: Bytes(report.data))
            return
        }
        // ADV_DIRECT_IND has no data, and is no invitation to all.
        if data?.isEmpty != false || !report.data.isEmpty { isConnectable = report.isConnectable }
        advertises(Bytes(report.data))
        if let time {
            if let last = lastAdvertisement, time - last >= Self.shortestInterval {
                interval = min(interval ?? time - last, time - last)
            }
            if lastAdvertisement.map({ time - $0 >= Self.shortestInterval }) ?? true { lastAdvertisement = time }
        }
    }

    /// Takes data of an advertisement. Empty ones take nothing away: some packets can carry none, and a host empties
    /// them when it stops.
    mutating func advertises(_ new: Bytes) { if data == nil || !new.isEmpty { data = new } }

    /// Takes data of a scan response; empty ones take nothing away.
    mutating func answersScans(with new: Bytes) { if scanResponse == nil || !new.isEmpty { scanResponse = new } }

    /// Takes over the data gathered under an address that turns out to be this device's.
    ///
    /// - Returns: How many entries of databases were looked at.
    mutating func merge(_ other: DeviceTrace) -> Int {
        let isEarlier = other.lastSeen.map { time in lastSeen.map { time < $0 } ?? true } ?? true
        seen(at: other.firstSeen)
        seen(at: other.lastSeen)
        isOwn = isOwn || other.isOwn
        advertisementCount += other.advertisementCount
        connectionCount += other.connectionCount
        rssi = rssi ?? other.rssi
        isConnectable = isConnectable ?? other.isConnectable
        if data?.isEmpty != false { data = other.data ?? data }
        if scanResponse?.isEmpty != false { scanResponse = other.scanResponse ?? scanResponse }
        interval = interval ?? other.interval
        mtu = mtu ?? other.mtu
        // No number is used twice, and their order is that of time.
        var (few, many) = (other.channels, channels)
        if few.count > many.count { swap(&few, &many) }
        channels = many.merging(few) { channel, _ in channel }
        if other.database.isEmpty { return 0 }
        if database.isEmpty {
            database = other.database
            return 0
        }
        guard isEarlier, earlierCount < Self.maximumEarlierCount else {
            database.merge(other.database)
            return other.database.entryCount
        }
        earlierCount += 1
        let later = database
        database = other.database
        database.merge(later)
        return later.entryCount
    }

    /// Takes an event of a channel.
    ///
    /// - Returns: The unit that it completes.
    mutating func take(
        _ event: ChannelConversation.Event, time: Timestamp?, isEncrypted: Bool
    ) -> CapturedChannel.Unit? {
        if case .asked(let psm, let terms) = event.kind {
            channels[event.channel] = CapturedChannel(
                time: time, psm: psm, isEncrypted: isEncrypted, peer: CapturedChannel.End(terms))
            return nil
        }
        return channels[event.channel]?.take(event.kind, time: time)
    }

    /// The device's advertisements; nil where none was heard.
    var advertisements: PeripheralAdvertisements? {
        data == nil && scanResponse == nil
            ? nil : PeripheralAdvertisements(packets: [data, scanResponse].compactMap { $0 })
    }

    /// The name that was read from the device, or else the one that it advertises.
    var name: String? { database.name ?? advertisements?.localName }

    var summary: CapturedDevice {
        CapturedDevice(
            identifier: identifier, isRandom: isRandom, isOwn: isOwn, name: name, firstSeen: firstSeen,
            lastSeen: lastSeen, rssi: rssi, advertisementCount: advertisementCount, connectionCount: connectionCount,
            serviceCount: database.services.count, notificationCount: database.notificationCount,
            unexplainedCount: database.unexplainedCount, unplacedCount: database.unplacedCount,
            channelCount: channels.count)
    }
}
