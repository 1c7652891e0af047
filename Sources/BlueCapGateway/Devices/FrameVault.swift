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
    /// What was reported of a device; there are no more of them than rules with keys.
    private var reported: [PeerIdentifier: Set<String>] = [:]
    #if Crypto
    private var decryptors: [PeerIdentifier: (key: BindKey, decryptor: BTHomeDecryptor)] = [:]
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
        guard var decryptor = decryptor(of: device, key) else { return nil }
        do {
            let clear = try decryptor.decrypt(frame)
            decryptors[device] = (key, decryptor)
            return clear
        } catch .repeated {
            // Each frame is sent several times.
            return nil
        } catch .replayed {
            counts.replayed += 1
            let advice = "recorded frames, or a sensor with new batteries: start the gateway again for that"
            refuse(device, "its counter is older than the newest (\(advice))", report)
        } catch .notAuthentic {
            counts.refused += 1
            refuse(device, "they do not belong to the key: correct it in its rule", report)
        } catch {
            counts.refused += 1
            refuse(device, "\(error)", report)
        }
        #endif
        return nil
    }

    /// Forgets the keys that no rule has any more, with their counters. The counters of others stay.
    mutating func keepKeys(of rules: GatewayRules) {
        var keys: [PeerIdentifier: BindKey] = [:]
        for rule in rules.all {
            if let address = rule.match.address, let key = rule.key { keys[address] = key }
        }
        #if Crypto
        for (device, entry) in decryptors where keys[device] != entry.key {
            (decryptors[device], reported[device]) = (nil, nil)
        }
        #endif
        reported = reported.filter { keys[$0.key] != nil }
    }

    #if Crypto
    private func decryptor(of device: PeerIdentifier, _ key: BindKey) -> BTHomeDecryptor? {
        if let entry = decryptors[device], entry.key == key { return entry.decryptor }
        return BTHomeKey(key.bytes).map { BTHomeDecryptor(key: $0, device: device) }
    }
    #endif

    private mutating func refuse(_ device: PeerIdentifier, _ reason: String, _ report: (DeviceGateway.Event) -> Void) {
        if reported[device, default: []].insert(reason).inserted { report(.unread(device, reason)) }
    }
}
