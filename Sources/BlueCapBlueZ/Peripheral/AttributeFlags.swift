import BlueCapCore

// The flags of `GattCharacteristic1` and `GattDescriptor1` (`src/gatt-database.c`, `parse_chrc_flags`). One that BlueZ does
// not know fails the whole registration.
extension LocalCharacteristic {
    var blueZFlags: [String] {
        var flags: [String] = []
        let table: [(CharacteristicProperties, String)] = [
            (.broadcast, "broadcast"), (.authenticatedSignedWrites, "authenticated-signed-writes"),
        ]
        flags += table.filter { properties.contains($0.0) }.map(\.1)
        if properties.contains(.read) {
            flags.append(permissions.contains(.readEncryptionRequired) ? "encrypt-read" : "read")
        }
        if properties.contains(.write) {
            flags.append(permissions.contains(.writeEncryptionRequired) ? "encrypt-write" : "write")
        }
        if properties.contains(.writeWithoutResponse) {
            flags.append("write-without-response")
            if permissions.contains(.writeEncryptionRequired), !properties.contains(.write) {
                flags.append("encrypt-write")
            }
        }
        if properties.contains(.notifyEncryptionRequired) {
            flags.append("encrypt-notify")
        } else if properties.contains(.notify) {
            flags.append("notify")
        }
        if properties.contains(.indicateEncryptionRequired) {
            flags.append("encrypt-indicate")
        } else if properties.contains(.indicate) {
            flags.append("indicate")
        }
        return flags
    }

    var canNotify: Bool {
        !properties.isDisjoint(with: [.notify, .indicate, .notifyEncryptionRequired, .indicateEncryptionRequired])
    }

    /// Whether values may go out over a socket of `AcquireNotify`, which tells who subscribed. Indications go the other way,
    /// where `Confirm` tells of each one's confirmation.
    var offersNotifySocket: Bool { properties.isDisjoint(with: [.indicate, .indicateEncryptionRequired]) }

    /// Whether writes may come over a socket of `AcquireWrite`: only by request, and only where a write cannot be refused
    /// anyway.
    var offersWriteSocket: Bool {
        usesWriteSocket && properties.contains(.writeWithoutResponse)
            && properties.isDisjoint(with: [.write, .authenticatedSignedWrites])
    }
}

extension LocalDescriptor {
    var blueZFlags: [String] {
        var flags: [String] = []
        if permissions.contains(.readEncryptionRequired) {
            flags.append("encrypt-read")
        } else if permissions.contains(.readable) {
            flags.append("read")
        }
        if permissions.contains(.writeEncryptionRequired) {
            flags.append("encrypt-write")
        } else if permissions.contains(.writeable) {
            flags.append("write")
        }
        return flags
    }
}
