#if BlueZ && canImport(CDBus) && os(Linux)
import BlueCapCore
import BlueCapSerDe
import DBus

/// One attribute that a program registered; on the fake's thread only.
final class FakeObject {
    let client: String
    let path: String
    let interface: String
    let properties: [String: DBusValue]
    /// Under which centrals know it.
    let id: AttributeID
    /// How many centrals are subscribed.
    var subscribers = 0
    /// The one socket of 5.66 for all of them.
    var socket: PacketReader?

    init(client: String, path: String, interface: String, properties: [String: DBusValue], id: AttributeID) {
        self.client = client
        self.path = path
        self.interface = interface
        self.properties = properties
        self.id = id
    }

    var uuid: String? { properties["UUID"]?.stringValue }

    var bluetoothUUID: BluetoothUUID? { uuid.flatMap { try? BluetoothUUID($0) } }

    var isPrimary: Bool { properties["Primary"]?.boolValue ?? false }

    var flags: Set<String> { Set(properties["Flags"]?.stringsValue ?? []) }

    var offersSocket: Bool { properties["NotifyAcquired"] != nil }

    var canRead: Bool { !flags.isDisjoint(with: ["read", "encrypt-read"]) }

    var canWrite: Bool { !flags.isDisjoint(with: ["write", "encrypt-write"]) }

    func closeSocket() {
        socket?.close()
        socket = nil
        subscribers = 0
    }

    var characteristicProperties: CharacteristicProperties {
        let table: [(String, CharacteristicProperties)] = [
            ("broadcast", .broadcast), ("read", .read), ("encrypt-read", .read),
            ("write-without-response", .writeWithoutResponse), ("write", .write), ("encrypt-write", .write),
            ("notify", .notify), ("encrypt-notify", .notify), ("indicate", .indicate), ("encrypt-indicate", .indicate),
        ]
        return CharacteristicProperties(table.filter { flags.contains($0.0) }.map(\.1))
    }
}
#endif
