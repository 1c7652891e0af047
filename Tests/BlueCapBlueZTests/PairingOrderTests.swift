// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapPrivateBus
import Testing

extension OverABus {
    /// The order of agent, link and pairing, on which from BlueZ 5.81 on depends how strong a pairing is and whether it
    /// lasts.
    @Suite(.timeLimit(.minutes(60)))
    struct PairingOrderTests {
        private static let version581 = "0551"

        private func stage(pairable isPairable: Bool = true, version: String = version581) async throws -> Stage {
            let stage = try await Stage()
            await stage.stub.run { stub in
                let modalias = DBusValue.string("usb:v1D6Bp0246d\(version)")
                stub.set(
                    StubBlueZ.adapter, BlueZInterface.adapter, ["Pairable": .bool(isPairable), "Modalias": modalias])
                stub.add(Stage.device, Stage.deviceProperties())
            }
            return stage
        }

        private func listen(_ stage: Stage, _ capability: PairingCapability = .noInputNoOutput) async throws {
            await stage.command { $0.setPairingCapability(capability) }
            try await stage.stub.call("RegisterAgent").reply()
            try await stage.stub.call("RequestDefaultAgent").reply()
        }

        private func setPairable(_ isPairable: Bool, _ stage: Stage) async throws {
            await stage.stub.run {
                $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Pairable": .bool(isPairable)])
            }
            try await stage.settle()
        }

        private func calls(_ stage: Stage, _ member: String) async -> Int {
            await stage.stub.run { stub in stub.log.count { $0.hasPrefix(member) } }
        }

        /// Lets time pass, in which a member is not called.
        private func expectNothing(of member: String, _ stage: Stage, for duration: Duration) async throws {
            try await stage.settle()
            stage.clock.advance(by: duration)
            try await stage.settle()
            #expect(await calls(stage, member) == 0)
        }

        @Test func `pairing, and what may lead to it, waits until BlueZ keeps the keys`() async throws {
            let stage = try await stage(pairable: false)
            try await stage.connect()
            await stage.stub.run { $0.addDatabase() }
            try await listen(stage)
            await stage.request(.read(Stage.id, Stage.valueID))
            await stage.request(.pair(Stage.id))
            try await stage.settle()
            #expect(await calls(stage, "Pair") == 0)
            #expect(await calls(stage, "ReadValue") == 0)
            try await setPairable(true, stage)
            _ = try await stage.stub.call("ReadValue")
            _ = try await stage.stub.call("Pair")
        }

        @Test func `pairing waits half a second at most for BlueZ to keep the keys`() async throws {
            let stage = try await stage(pairable: false)
            try await stage.connect()
            try await listen(stage)
            await stage.request(.pair(Stage.id))
            await stage.clock.waitForTimer(within: .milliseconds(500))
            try await expectNothing(of: "Pair", stage, for: .milliseconds(499))
            stage.clock.advance(by: .milliseconds(1))
            _ = try await stage.stub.call("Pair")
        }

        @Test func `a link is made only once BlueZ has told the kernel what the app can show and take`() async throws {
            let stage = try await stage(pairable: false)
            try await listen(stage, .displayYesNo)
            await stage.command { $0.connect(Stage.id) }
            try await stage.settle()
            #expect(await calls(stage, "Connect") == 0)
            try await setPairable(true, stage)
            _ = try await stage.stub.call("Connect")
        }

        @Test func `a link waits half a second at most, though another agent follows meanwhile`() async throws {
            let stage = try await stage(pairable: false)
            try await listen(stage, .displayYesNo)
            // Where the backend does not know the device yet, the connection begins to wait only once it does.
            try await stage.settle()
            await stage.command { $0.connect(Stage.id) }
            await stage.command { $0.setPairingCapability(.noInputNoOutput) }
            try await stage.stub.call("UnregisterAgent").reply()
            try await stage.stub.call("RegisterAgent").reply()
            try await stage.stub.call("RequestDefaultAgent").reply()
            try await expectNothing(of: "Connect", stage, for: .milliseconds(499))
            stage.clock.advance(by: .milliseconds(1))
            _ = try await stage.stub.call("Connect")
        }

        @Test func `a link does not wait for an agent of which BlueZ has taken leave`() async throws {
            let stage = try await stage(pairable: false)
            await stage.command { $0.setPairingCapability(.displayYesNo) }
            let registration = try await stage.stub.call("RegisterAgent")
            registration.reply()
            try await stage.stub.call("RequestDefaultAgent").reply()
            await stage.command { $0.connect(Stage.id) }
            try await stage.settle()
            #expect(await calls(stage, "Connect") == 0)
            _ = try await stage.stub.ask(registration, "Release", []).get()
            _ = try await stage.stub.call("Connect")
        }

        @Test func `an agent that follows another waits for BlueZ to keep keys again`() async throws {
            let stage = try await stage()
            try await stage.connect()
            try await listen(stage)
            await stage.command { $0.setPairingCapability(nil) }
            try await stage.stub.call("UnregisterAgent").reply()
            try await listen(stage)
            await stage.request(.pair(Stage.id))
            try await setPairable(false, stage)
            #expect(await calls(stage, "Pair") == 0)
            try await setPairable(true, stage)
            _ = try await stage.stub.call("Pair")
        }

        @Test
        func `pairing that still waits for BlueZ is taken back without a call, which would cost the link`() async throws
        {
            let stage = try await stage(pairable: false)
            try await stage.connect()
            try await listen(stage)
            let pairing = await stage.request(.pair(Stage.id))
            let cancelling = await stage.request(.cancelPairing(Stage.id))
            #expect(try await stage.answer(to: pairing) == .failure(.pairing(.cancelled)))
            #expect(try await stage.answer(to: cancelling) == .success(.done))
            try await setPairable(true, stage)
            #expect(await calls(stage, "Pair") + calls(stage, "CancelPairing") == 0)
        }

        @Test
        func `from 5.81 on an app that listens only after it connected is told, as BlueZ would pair without a word`()
            async throws
        {
            let stage = try await stage()
            try await stage.connect()
            try await listen(stage, .displayYesNo)
            guard case .failure(.backend(let failure)) = try await stage.perform(.pair(Stage.id)) else {
                throw Unexpected("no failure")
            }
            #expect(failure.name == "BlueCap.ListenedTooLate")
            #expect(await calls(stage, "Pair") == 0)
        }

        @Test(arguments: [true, false])
        func `what BlueZ takes in time is paired with`(isNew: Bool) async throws {
            let stage = try await stage(version: isNew ? Self.version581 : "0550")
            if isNew { try await listen(stage, .displayYesNo) }
            try await stage.connect()
            if !isNew { try await listen(stage, .displayYesNo) }
            await stage.request(.pair(Stage.id))
            _ = try await stage.stub.call("Pair")
        }
    }
}
#endif
