// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapLoop
import BlueCapSerDe
import BlueCapDBus

/// One attribute that a program registered; on the fake's thread only.
final class FakeObject {
    let client: String
    let path: String
    let interface: String
    let properties: [String: DBusValue]
    /// The handle by which centrals know it.
    let id: AttributeID
    /// The number of subscribed centrals.
    var subscribers = 0
    /// The single socket of 5.66 for notifications to all subscribed centrals.
    var notifySocket: PacketReader?
    /// The single socket of 5.66 for the writes of all centrals.
    var writeSocket: PacketWriter?

    init(client: String, path: String, interface: String, properties: [String: DBusValue], id: AttributeID) {
        self.client = client
        self.path = path
        self.interface = interface
        self.properties = properties
        self.id = id
    }

    var uuid: String? { properties["UUID"]?.stringValue }

    var bluetoothUUID: BluetoothUUID? { uuid.flatMap { try? BluetoothUUID(text: $0) } }

    var isPrimary: Bool { properties["Primary"]?.boolValue ?? false }

    var flags: Set<String> { Set(properties["Flags"]?.stringsValue ?? []) }

    var offersNotifySocket: Bool { properties["NotifyAcquired"] != nil }

    var offersWriteSocket: Bool { properties["WriteAcquired"] != nil }

    /// Whether `read`, `write`, `notify` or `indicate` is offered at all, on a link of any security.
    func offers(_ access: String) -> Bool {
        ["", "encrypt-", "encrypt-authenticated-", "secure-"].contains { flags.contains($0 + access) }
    }

    /// The error that denies an access to a central; nil if it is allowed. A key from Just Works only encrypts
    /// (`serve-pairing.trace`).
    func denial(_ access: String, isPaired: Bool) -> ATTError? {
        for prefix in ["encrypt-authenticated-", "secure-"] where flags.contains(prefix + access) {
            return .insufficientAuthentication
        }
        return flags.contains("encrypt-" + access) && !isPaired ? .insufficientEncryption : nil
    }

    /// The error that denies a subscription to a central; nil if it is allowed.
    func subscriptionDenial(isPaired: Bool) -> ATTError? {
        denial("notify", isPaired: isPaired) ?? denial("indicate", isPaired: isPaired)
    }

    func closeNotifySocket() {
        notifySocket?.close()
        notifySocket = nil
    }

    func closeSockets() {
        closeNotifySocket()
        writeSocket?.close()
        writeSocket = nil
        subscribers = 0
    }

    var characteristicProperties: CharacteristicProperties {
        let table: [(String, CharacteristicProperties)] = [
            ("broadcast", .broadcast), ("read", .read), ("write-without-response", .writeWithoutResponse),
            ("write", .write), ("notify", .notify), ("indicate", .indicate),
        ]
        return CharacteristicProperties(table.filter { offers($0.0) }.map(\.1))
    }
}
#endif
