// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus
import BlueCapPrivateBus
import Testing

extension OverABus {
    /// Calls of programs other than bluetoothd; for the pairing agent see `PairingTests`.
    @Suite(.timeLimit(.minutes(60)))
    struct StrangerTests {
        private static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"

        private func stranger(on bus: PrivateBus) async throws -> StubBlueZ {
            let stranger = try StubBlueZ(on: bus)
            try await stranger.connect()
            return stranger
        }

        @Test(arguments: [
            ("ReadValue", [DBusValue.properties([:])]), ("WriteValue", [.bytes([1]), .properties([:])]),
            ("StartNotify", []), ("StopNotify", []), ("AcquireNotify", [.properties([:])]),
        ])
        func `another program cannot read, write or subscribe to a served characteristic`(
            member: String, body: [DBusValue]
        ) async throws {
            let stage = try await PeripheralStage()
            let served = try await stage.serve([.read, .write, .notify])
            let path = try await served.characteristic()
            let stranger = try await stranger(on: stage.bus)
            let reply = await stranger.invoke(served.client, path, BlueZInterface.characteristic, member, body)
            #expect(reply.errorName == Self.accessDenied)
        }

        @Test func `another program cannot take an advertisement down`() async throws {
            let stage = try await PeripheralStage()
            let id = await stage.request(.advertise(AdvertisementID(rawValue: 1), Advertisement(localName: "a")))
            let call = try await stage.stub.call("RegisterAdvertisement")
            call.reply()
            try await stage.answer(to: id).get()
            let path = try #require(call.arguments[0].objectPathValue)
            let stranger = try await stranger(on: stage.bus)
            let reply = await stranger.invoke(call.call.sender, path, BlueZInterface.advertisement, "Release")
            #expect(reply.errorName == Self.accessDenied)
        }
    }
}
#endif
