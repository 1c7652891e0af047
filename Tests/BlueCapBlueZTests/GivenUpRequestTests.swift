// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapPrivateBus
import BlueCapSerDe
import Testing

extension OverABus {
    /// Requests that BlueZ gives up although the peer has not refused them, and requests that it forgets.
    @Suite(.timeLimit(.minutes(60)))
    struct GivenUpRequestTests {
        private static let operations: [(CentralOperation, String)] = [
            (.read(Stage.id, Stage.valueID), "ReadValue"), (.read(Stage.id, AttributeID(handle: 0x16)), "ReadValue"),
            (.write(Stage.id, Stage.controlID, [1], .withResponse), "WriteValue"),
            (.setNotifying(Stage.id, Stage.valueID, true, .standard), "StartNotify"),
        ]

        private func fail(_ call: StubCall) { call.fail("Failed", "Operation failed with ATT error: 0x0e") }

        private func succeed(_ call: StubCall) {
            if call.call.message.member == "ReadValue" { call.reply(.bytes([7])) } else { call.reply() }
        }

        private func setPaired(_ isPaired: Bool, _ stage: Stage) async throws {
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Paired": .bool(isPaired)]) }
            let event = try await stage.events.next()
            guard case .bondChanged(Stage.id, isPaired) = event else { throw Unexpected("\(event)") }
        }

        private func connected() async throws -> Stage {
            let stage = try await Stage.connected()
            try await setPaired(false, stage)
            return stage
        }

        @Test(arguments: operations)
        func `what BlueZ gives up with 0x0E to pair is sent once more when the devices are paired`(
            operation: CentralOperation, member: String
        ) async throws {
            let stage = try await connected()
            let id = await stage.request(operation)
            fail(try await stage.stub.call(member))
            try await stage.settle()
            try await setPaired(true, stage)
            succeed(try await stage.stub.call(member))
            guard case .success = try await stage.answer(to: id) else { throw Unexpected("failed") }
        }

        @Test func `what fails again after the pairing has failed`() async throws {
            let stage = try await connected()
            let id = await stage.request(.read(Stage.id, Stage.valueID))
            fail(try await stage.stub.call("ReadValue"))
            try await stage.settle()
            try await setPaired(true, stage)
            fail(try await stage.stub.call("ReadValue"))
            try await stage.settle()
            stage.clock.advance(by: .milliseconds(200))
            #expect(try await stage.answer(to: id) == .failure(.att(.unlikelyError)))
        }

        @Test func `a program with an agent waits a second for a pairing of which nobody is asked`() async throws {
            let stage = try await connected()
            await stage.command { $0.setPairingCapability(.noInputNoOutput) }
            try await stage.stub.call("RegisterAgent").reply()
            try await stage.stub.call("RequestDefaultAgent").reply()
            let id = await stage.request(.read(Stage.id, Stage.valueID))
            fail(try await stage.stub.call("ReadValue"))
            try await stage.settle()
            stage.clock.advance(by: .milliseconds(999))
            try await stage.settle()
            stage.clock.advance(by: .milliseconds(1))
            #expect(try await stage.answer(to: id) == .failure(.att(.unlikelyError)))
        }

        @Test func `a request that BlueZ gave up waits for the app's answer to the pairing`() async throws {
            let stage = try await connected()
            await stage.command { $0.setPairingCapability(.displayYesNo) }
            let agent = try await stage.stub.call("RegisterAgent")
            agent.reply()
            try await stage.stub.call("RequestDefaultAgent").reply()
            let id = await stage.request(.read(Stage.id, Stage.valueID))
            fail(try await stage.stub.call("ReadValue"))
            async let reply = stage.stub.ask(agent, "RequestConfirmation", [.objectPath(Stage.device), .uint32(1)])
            guard case .pairingRequested(let prompt) = try await stage.events.next() else {
                throw Unexpected("not asked")
            }
            // Longer than a pairing that asks no app may take.
            for _ in 0..<5 {
                try await stage.settle()
                stage.clock.advance(by: .seconds(1))
            }
            try await stage.settle()
            await stage.command { $0.answerPairing(prompt.id, .accept) }
            _ = try await reply.get()
            try await setPaired(true, stage)
            succeed(try await stage.stub.call("ReadValue"))
            guard case .success = try await stage.answer(to: id) else { throw Unexpected("failed") }
        }

        // MARK: Sockets

        private let socket = CentralOperation.setNotifying(Stage.id, Stage.valueID, true, .socket)

        private func calls(_ stage: Stage) async -> [String] {
            await stage.stub.run { $0.log.filter { $0.contains("Notify") } }
        }

        @Test func `a socket that BlueZ does not answer for is given up after ten seconds, and the bus used`()
            async throws
        {
            let stage = try await Stage.connected()
            let id = await stage.request(socket)
            let forgotten = try await stage.stub.call("AcquireNotify")
            await stage.clock.waitForTimer(within: .seconds(10))
            stage.clock.advance(by: .milliseconds(9_999))
            try await stage.settle()
            #expect(await calls(stage) == ["AcquireNotify char0011"])
            stage.clock.advance(by: .milliseconds(1))
            try await stage.stub.call("StartNotify").reply()
            #expect(try await stage.answer(to: id) == .success(.done))
            // Its late answer changes nothing, and nothing was sent that would crash bluetoothd.
            let end = try await stage.stub.hand(forgotten, mtu: 517)
            try await stage.settle()
            #expect(try end.isClosed())
            #expect(await calls(stage) == ["AcquireNotify char0011", "StartNotify char0011"])
            await stage.stub.run { $0.notify(Stage.value, [1]) }
            try await #expect(stage.events.value() == [1])
        }

        @Test func `a bluetoothd that answers each refusal is given its time for a socket`() async throws {
            let stage = try await Stage.connected()
            await stage.stub.run {
                $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Modalias": .string("usb:v1D6Bp0246d0554")])
            }
            try await stage.settle()
            let id = await stage.request(socket)
            let call = try await stage.stub.call("AcquireNotify")
            stage.clock.advance(by: .seconds(60))
            try await stage.settle()
            _ = try await stage.stub.hand(call, mtu: 517)
            #expect(try await stage.answer(to: id) == .success(.done))
        }
    }
}
#endif
