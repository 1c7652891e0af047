// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe

// The flags of `GattCharacteristic1` and `GattDescriptor1` (`src/gatt-database.c`, `parse_chrc_flags`). A flag that
// BlueZ does not know fails the whole registration.
extension LocalCharacteristic {
    var blueZFlags: [String] {
        var flags: [String] = []
        let table: [(CharacteristicProperties, String)] = [
            (.broadcast, "broadcast"), (.authenticatedSignedWrites, "authenticated-signed-writes"),
        ]
        flags += table.filter { properties.contains($0.0) }.map(\.1)
        if properties.contains(.read) {
            flags.append((permissions.readLevel ?? .open).blueZFlag("read"))
        }
        if properties.contains(.write) {
            flags.append((permissions.writeLevel ?? .open).blueZFlag("write"))
        }
        if properties.contains(.writeWithoutResponse) {
            flags.append("write-without-response")
            // There is no flag for a command that needs security: this one says it, and shows writes with response too.
            if let level = permissions.writeLevel, level > .open, !properties.contains(.write) {
                flags.append(level.blueZFlag("write"))
            }
        }
        for (plain, encrypted, name) in [
            (CharacteristicProperties.notify, CharacteristicProperties.notifyEncryptionRequired, "notify"),
            (.indicate, .indicateEncryptionRequired, "indicate"),
        ] where !properties.isDisjoint(with: [plain, encrypted]) {
            flags.append(permissions.subscriptionLevel(isEncrypted: properties.contains(encrypted)).blueZFlag(name))
        }
        return flags
    }

    /// Whether a value is confirmed by the central rather than merely sent.
    var isIndicated: Bool { properties.isDisjoint(with: [.notify, .notifyEncryptionRequired]) }

    var canNotify: Bool {
        !properties.isDisjoint(with: [.notify, .indicate, .notifyEncryptionRequired, .indicateEncryptionRequired])
    }

    /// Whether values may go out over a socket of `AcquireNotify`, which shows the central that subscribed. Indications
    /// go the other way, where `Confirm` reports each one's confirmation.
    var offersNotifySocket: Bool { properties.isDisjoint(with: [.indicate, .indicateEncryptionRequired]) }

    /// Whether writes may come over a socket of `AcquireWrite`: only by request, and only where a write cannot be
    /// refused anyway.
    var offersWriteSocket: Bool {
        usesWriteSocket && properties.contains(.writeWithoutResponse)
            && properties.isDisjoint(with: [.write, .authenticatedSignedWrites])
    }
}

extension LocalDescriptor {
    var blueZFlags: [String] {
        var flags: [String] = []
        if let level = permissions.readLevel { flags.append(level.blueZFlag("read")) }
        if let level = permissions.writeLevel { flags.append(level.blueZFlag("write")) }
        return flags
    }
}

extension SecurityLevel {
    /// The flag for an access that needs this.
    fileprivate func blueZFlag(_ access: String) -> String {
        switch self {
        case .open: access
        case .encrypted: "encrypt-" + access
        case .authenticated: "encrypt-authenticated-" + access
        case .secureConnections: "secure-" + access
        }
    }
}
#endif
