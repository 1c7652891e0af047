// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
import BlueCapCore

/// The keys of sensors, and the counters of their newest frames.
package struct FrameVault {
    /// The contents of a frame.
    enum Content<Frame> {
        /// The frame as it is when it is clear, the number by which a new packet is known, nil where it has none, and
        /// whether an earlier run has read it.
        case frame(Frame, number: UInt64?, wasRead: Bool)
        /// The frame that was read last: each is sent several times.
        case again
        /// Nothing that can be read, and the reason if it was not reported before.
        case unread(String?)
    }

    package private(set) var counts = FrameCounts()
    /// How many frames were read.
    private(set) var readCount = 0
    #if Crypto
    /// A device does not send 128 frames within this time: a counter of one byte is not new again. One that does is
    /// refused for no longer than this.
    private static let timeOfCounters = Duration.seconds(60)

    private struct Entry {
        let key: BindKey
        var decryptor: BTHomeDecryptor
        /// When a frame was read; nil before the first.
        var readAt: Duration?
        /// The reasons that were reported.
        var reported: Set<String> = []
    }

    /// There are no more of them than rules with keys.
    private var entries: [PeerIdentifier: Entry] = [:]
    #endif
    /// The counters of an earlier run whose devices were not heard since.
    private var earlier: [PeerIdentifier: FrameCounter] = [:]

    /// The counters of all devices with a key, in a fixed order.
    var counters: [FrameCounter] {
        #if Crypto
        // Until a frame is read, the counter of the earlier run stays, as the decryptor takes one frame of before.
        let own = entries.filter { earlier[$0.key] == nil }.compactMap { device, entry in
            entry.decryptor.newestCounter.map {
                FrameCounter(device: device, key: BTHomeKey.fingerprint(of: entry.key.bytes), counter: $0)
            }
        }
        return (own + earlier.values).sorted { $0.device < $1.device }
        #else
        return []
        #endif
    }

    /// Takes the counters of an earlier run.
    mutating func restore(_ counters: [FrameCounter], rules: GatewayRules) {
        for counter in counters where rules.key(of: counter.device) != nil { earlier[counter.device] = counter }
    }

    /// Decrypts a frame where it is encrypted.
    ///
    /// - Parameter key: The key of the device; with one, clear frames are refused, which everyone can send.
    mutating func open(
        _ frame: BTHome, of device: PeerIdentifier, key: BindKey?, at time: Duration
    ) -> Content<BTHome> {
        guard let key else { return take(frame, isEncrypted: frame.isEncrypted, frame.packetNumber.map(UInt64.init)) }
        #if Crypto
        return open(of: device, key, at: time) { decryptor, _ throws(BTHomeError) in
            let frame = try decryptor.decrypt(frame)
            return (frame, (frame.packetNumber.map(UInt32.init) ?? decryptor.newestCounter).map(UInt64.init))
        }
        #else
        return .unread(nil)
        #endif
    }

    /// Decrypts a reading of another format where it is encrypted.
    ///
    /// - Parameter key: The key of the device; with one, clear readings are refused.
    mutating func open(
        _ reading: SensorReading, of device: PeerIdentifier, key: BindKey?, at time: Duration
    ) -> Content<SensorReading> {
        guard let key else { return take(reading, isEncrypted: reading.isEncrypted, reading.counter) }
        #if Crypto
        return open(of: device, key, at: time) { decryptor, readAt throws(BTHomeError) in
            let isThere = readAt.map { time - $0 < Self.timeOfCounters } ?? false
            let reading = try decryptor.decrypt(reading, isThere: isThere)
            return (reading, reading.counter)
        }
        #else
        return .unread(nil)
        #endif
    }

    /// Takes a frame of a device without a key.
    private mutating func take<Frame>(_ frame: Frame, isEncrypted: Bool, _ number: UInt64?) -> Content<Frame> {
        if isEncrypted {
            counts.encrypted += 1
            return .unread(nil)
        }
        readCount += 1
        return .frame(frame, number: number, wasRead: false)
    }

    #if Crypto
    private mutating func open<Frame>(
        of device: PeerIdentifier, _ key: BindKey, at time: Duration,
        _ decrypt: (inout BTHomeDecryptor, _ readAt: Duration?) throws(BTHomeError) -> (Frame, UInt64?)
    ) -> Content<Frame> {
        guard var entry = entry(of: device, key) else { return .unread(nil) }
        defer { entries[device] = entry }
        let reason: String
        do {
            let (frame, number) = try decrypt(&entry.decryptor, entry.readAt)
            entry.readAt = time
            let old = earlier.removeValue(forKey: device)?.counter
            readCount += 1
            let wasRead = entry.decryptor.newestCounter.map { newest in old.map { newest <= $0 } ?? false } ?? false
            return .frame(frame, number: number, wasRead: wasRead)
        } catch .repeated {
            return .again
        } catch .replayed {
            counts.replayed += 1
            reason = "they were sent before, or the sensor has new batteries: take its key out, reload, and put it back"
        } catch .notAuthentic {
            counts.refused += 1
            reason = "they do not belong to the key: correct it in its rule"
        } catch {
            counts.refused += 1
            reason = "\(error)"
        }
        return .unread(entry.reported.insert(reason).inserted ? reason : nil)
    }
    #endif

    /// Forgets the keys that no rule has any more, with their counters. The counters of others stay.
    mutating func keepKeys(of rules: GatewayRules) {
        #if Crypto
        var keys: [PeerIdentifier: BindKey] = [:]
        for rule in rules.all {
            if let address = rule.match.address, let key = rule.key { keys[address] = key }
        }
        entries = entries.filter { keys[$0.key] == $0.value.key }
        earlier = earlier.filter { keys[$0.key] != nil }
        #endif
    }

    #if Crypto
    private func entry(of device: PeerIdentifier, _ key: BindKey) -> Entry? {
        if let entry = entries[device], entry.key == key { return entry }
        let old = earlier[device].flatMap { $0.key == BTHomeKey.fingerprint(of: key.bytes) ? $0.counter : nil }
        // The newest frame is read once more: a sensor may repeat it until its values change.
        let newest = old.flatMap { $0 == 0 ? nil : $0 - 1 }
        return BTHomeKey(key.bytes).map {
            Entry(key: key, decryptor: BTHomeDecryptor(key: $0, device: device, newestCounter: newest))
        }
    }
    #endif
}
#endif
