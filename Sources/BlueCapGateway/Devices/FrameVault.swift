// SPDX-License-Identifier: MIT

import BlueCapBeacon
import BlueCapCore

/// The keys of sensors, and the counters of their newest frames.
package struct FrameVault {
    /// Numbers of frames that were not read.
    package struct Counts: Hashable, Sendable {
        /// Encrypted, and there is no key.
        package var encrypted = 0
        /// Not of the key, or not encrypted although there is a key: none of the device's, or the key is wrong.
        package var refused = 0
        /// With a counter of before: recorded and sent again.
        package var replayed = 0
    }

    package private(set) var counts = Counts()
    #if Crypto
    private struct Entry {
        let key: BindKey
        var decryptor: BTHomeDecryptor
        /// The reasons that were reported.
        var reported: Set<String> = []
    }

    /// There are no more of them than rules with keys.
    private var entries: [PeerIdentifier: Entry] = [:]
    #endif

    /// The frame as it is when it is clear; nil if it is not read.
    ///
    /// - Parameters:
    ///   - key: The key of the device; with one, clear frames are refused, which everyone can send.
    ///   - report: Takes each reason for which frames of a device are refused, once.
    mutating func open(
        _ frame: BTHome, of device: PeerIdentifier, key: BindKey?, report: (DeviceGateway.Event) -> Void
    ) -> BTHome? {
        guard let key else {
            if !frame.isEncrypted { return frame }
            counts.encrypted += 1
            return nil
        }
        #if Crypto
        guard var entry = entry(of: device, key) else { return nil }
        defer { entries[device] = entry }
        let reason: String
        do {
            return try entry.decryptor.decrypt(frame)
        } catch .repeated {
            // Each frame is sent several times.
            return nil
        } catch .replayed {
            counts.replayed += 1
            reason = "they were sent before, or the sensor has new batteries: start the gateway again for that"
        } catch .notAuthentic {
            counts.refused += 1
            reason = "they do not belong to the key: correct it in its rule"
        } catch {
            counts.refused += 1
            reason = "\(error)"
        }
        if entry.reported.insert(reason).inserted { report(.unread(device, reason)) }
        #endif
        return nil
    }

    /// Forgets the keys that no rule has any more, with their counters. The counters of others stay.
    mutating func keepKeys(of rules: GatewayRules) {
        #if Crypto
        var keys: [PeerIdentifier: BindKey] = [:]
        for rule in rules.all {
            if let address = rule.match.address, let key = rule.key { keys[address] = key }
        }
        entries = entries.filter { keys[$0.key] == $0.value.key }
        #endif
    }

    #if Crypto
    private func entry(of device: PeerIdentifier, _ key: BindKey) -> Entry? {
        if let entry = entries[device], entry.key == key { return entry }
        return BTHomeKey(key.bytes).map { Entry(key: key, decryptor: BTHomeDecryptor(key: $0, device: device)) }
    }
    #endif
}
