// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapPrivateBus
import Testing

/// Calls without an answer when the bus ends: the manager has to be notified of the end of the radio, because it then
/// ends all operations, and brings back its registrations later.
extension OverABus {
    @Suite(.timeLimit(.minutes(60)))
    struct LostBusTests {
        private static let commands: [(String, @Sendable (isolated BlueZCentralBackend) -> Void)] = [
            ("StartDiscovery", { $0.scan(ScanRequest()) }),
            ("StartDiscovery", { $0.connect("C0:00:00:00:00:02") }),
            ("Connect", { $0.connect(Stage.id) }),
            ("RegisterAgent", { $0.setPairingCapability(.noInputNoOutput) }),
        ]

        @Test(arguments: commands.indices)
        func `a scan, a search, a connection and an agent that are being begun end with the radio, and are not refused`(
            index: Int
        ) async throws {
            let (member, command) = Self.commands[index]
            let stage = try await Stage()
            await stage.stub.run { stub in
                _ = stub.accepted.remove("StartDiscovery")
                stub.add(Stage.device, Stage.deviceProperties())
            }
            try await stage.settle()
            await stage.command(command)
            // Kept until the end, because a released call is answered.
            let call = try await stage.stub.call(member)
            stage.bus.killDaemon()
            try await #expect(stage.events.state() == .resetting)
            withExtendedLifetime(call) {}
        }

        private static let registrations: [(String, PeripheralOperation)] = [
            ("RegisterApplication", .add(PeripheralStage.service(1))),
            ("RegisterAdvertisement", .advertise(AdvertisementID(rawValue: 1), Advertisement())),
        ]

        @Test(arguments: registrations.indices)
        func `a service and an advertisement that are being registered again are not refused`(index: Int) async throws {
            let (member, operation) = Self.registrations[index]
            let stage = try await PeripheralStage()
            let id = await stage.request(operation)
            try await stage.stub.call(member).reply()
            try await stage.answer(to: id).get()
            await stage.stub.kill()
            guard case .stateChanged(.resetting, _) = try await stage.next() else { throw Unexpected("not the end") }
            try await stage.stub.start()
            guard case .registrationsLost = try await stage.next() else { throw Unexpected("not forgotten") }
            guard case .stateChanged(.poweredOn, _) = try await stage.next() else { throw Unexpected("not on") }
            // As the manager does, and again once the radio has returned.
            await stage.request(operation)
            let call = try await stage.stub.call(member)
            stage.bus.killDaemon()
            let event = try await stage.next()
            withExtendedLifetime(call) {}
            guard case .stateChanged(.resetting, _) = event else { throw Unexpected("\(event)") }
        }
    }
}
#endif
