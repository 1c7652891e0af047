// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapDBus
import BlueCapLoop
import BlueCapPrivateBus

/// Finds out which properties of an advertisement the bed's bluetoothd reads: it refuses a property of a wrong type,
/// and ignores one that it does not read.
enum AdvertisingTrial {
    private static let path = "/trial"

    static func reads(_ property: String) async throws -> Bool {
        let loop = try EventLoop()
        let answer: Result<Bool, any Error>
        do {
            let connection = try await BusConnection.open(BusAddress(BedWorld.bus), on: loop)
            do { answer = .success(try await reads(property, connection)) } catch { answer = .failure(error) }
            await connection.close()
        } catch {
            answer = .failure(error)
        }
        await loop.stop()
        return try answer.get()
    }

    private static func reads(_ property: String, _ connection: BusConnection) async throws -> Bool {
        let link = connection.link
        try await connection.loop.run { Result { try export(property, on: link) } }.get()
        // The bus forgets the client and with it the advertisement.
        let register = try Message.methodCall(
            to: "org.bluez", path: "/org/bluez/hci0", interface: "org.bluez.LEAdvertisingManager1",
            member: "RegisterAdvertisement", body: [.objectPath(path), .properties([:])])
        do throws(DBusError) {
            _ = try await connection.call(register)
            return false
        } catch {
            guard case .remote("org.bluez.Error.Failed", "Failed to parse advertisement.") = error else { throw error }
            return true
        }
    }

    /// On the loop's thread.
    private static func export(_ property: String, on link: BusLink) throws(DBusError) {
        var interface = ExportedInterface("org.bluez.LEAdvertisement1")
        interface.property("Type", "s") { .string("broadcast") }
        interface.property(property, "s") { .string("") }
        interface.method("Release") { $0.reply() }
        try link.export([interface], at: path)
    }
}
#endif
