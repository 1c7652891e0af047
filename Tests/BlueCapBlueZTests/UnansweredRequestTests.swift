// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapPrivateBus
import BlueCapSerDe
import Testing

extension OverABus {
    /// Requests that BlueZ never answers while the link stands, as a read that the peer refuses with 0x05 after pairing
    /// (`security-errors.trace` of 5.66).
    @Suite(.timeLimit(.minutes(60)))
    struct UnansweredRequestTests {
        private static let limit = Duration.seconds(40)
        private static let read = CentralOperation.read(Stage.id, Stage.valueID)
        private static let operations: [(CentralOperation, String)] = [
            (read, "ReadValue"), (.read(Stage.id, AttributeID(handle: 0x16)), "ReadValue"),
            (.write(Stage.id, Stage.controlID, [1], .withResponse), "WriteValue"),
            (.setNotifying(Stage.id, Stage.valueID, true, .standard), "StartNotify"),
        ]

        /// A link to a device with keys.
        private func bonded() async throws -> Stage {
            let stage = try await Stage.connected()
            await stage.stub.run {
                $0.set(Stage.device, BlueZInterface.device, ["Paired": .bool(true), "Bonded": .bool(true)])
            }
            guard case .bondChanged(Stage.id, true) = try await stage.events.next() else { throw Unexpected("no bond") }
            return stage
        }

        /// Sends a request that is not answered until the call is.
        private func send(_ operation: CentralOperation, _ member: String, _ stage: Stage) async throws -> (
            RequestID, StubCall
        ) {
            let id = await stage.request(operation)
            return (id, try await stage.stub.call(member))
        }

        /// Lets time pass in which nothing is reported.
        private func pass(_ duration: Duration, _ stage: Stage) async throws {
            stage.clock.advance(by: duration)
            try await stage.settle()
        }

        private func expectFailure(of id: RequestID, _ stage: Stage) async throws {
            guard case .failure(.backend(let failure)) = try await stage.answer(to: id) else {
                throw Unexpected("no failure")
            }
            #expect(failure.name == "BlueCap.Unanswered")
        }

        @Test(arguments: operations)
        func `a request that BlueZ does not answer fails after 40 s, also where there are keys`(
            operation: CentralOperation, member: String
        ) async throws {
            let stage = try await bonded()
            let (id, call) = try await send(operation, member, stage)
            try await pass(Self.limit - .milliseconds(1), stage)
            stage.clock.advance(by: .milliseconds(1))
            try await expectFailure(of: id, stage)
            withExtendedLifetime(call) {}
        }

        @Test func `the link of such a request is ended, and a late answer is none`() async throws {
            let stage = try await bonded()
            let (id, late) = try await send(Self.read, "ReadValue", stage)
            stage.clock.advance(by: Self.limit)
            try await expectFailure(of: id, stage)
            let disconnect = try await stage.stub.call("Disconnect")
            await stage.stub.run { stub in
                late.reply(.bytes([1]))
                stub.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)])
                disconnect.reply()
            }
            guard case .disconnected(Stage.id, let failure) = try await stage.events.next() else {
                throw Unexpected("not disconnected")
            }
            #expect(failure?.name == "BlueCap.Unanswered")
        }

        @Test func `what was to be switched on and is given up is taken back`() async throws {
            let stage = try await bonded()
            let (id, call) = try await send(
                .setNotifying(Stage.id, Stage.valueID, true, .standard), "StartNotify", stage)
            stage.clock.advance(by: Self.limit)
            try await expectFailure(of: id, stage)
            #expect(try await stage.stub.call("StopNotify").path == Stage.value)
            withExtendedLifetime(call) {}
        }

        @Test func `a request behind others has its time from their answers on`() async throws {
            let stage = try await bonded()
            let (first, slow) = try await send(Self.read, "ReadValue", stage)
            let (second, slower) = try await send(.read(Stage.id, Stage.controlID), "ReadValue", stage)
            try await pass(.seconds(29), stage)
            slow.reply(.bytes([1]))
            #expect(try await stage.answer(to: first) == .success(.value([1])))
            try await pass(.seconds(29), stage)
            slower.reply(.bytes([2]))
            #expect(try await stage.answer(to: second) == .success(.value([2])))
        }

        @Test func `each part of a long value has its time`() async throws {
            let stage = try await bonded()
            await stage.stub.run { $0.set(Stage.value, BlueZInterface.characteristic, ["MTU": .uint16(23)]) }
            guard case .maximumTransmissionUnitChanged(_, 23) = try await stage.events.next() else {
                throw Unexpected("another MTU")
            }
            let (id, call) = try await send(Self.read, "ReadValue", stage)
            // 512 bytes by 22.
            try await pass(.seconds(24 * 30), stage)
            call.reply(.bytes([1]))
            #expect(try await stage.answer(to: id) == .success(.value([1])))
        }

        @Test func `a short request is not held up by the time of a long one`() async throws {
            let stage = try await bonded()
            await stage.stub.run { $0.set(Stage.value, BlueZInterface.characteristic, ["MTU": .uint16(23)]) }
            guard case .maximumTransmissionUnitChanged(_, 23) = try await stage.events.next() else {
                throw Unexpected("another MTU")
            }
            let (_, long) = try await send(Self.read, "ReadValue", stage)
            let (id, short) = try await send(
                .write(Stage.id, Stage.controlID, [1], .withResponse), "WriteValue", stage)
            stage.clock.advance(by: Self.limit)
            try await expectFailure(of: id, stage)
            withExtendedLifetime((long, short)) {}
        }

        @Test func `a request has its time from the app's answer to a question on`() async throws {
            let stage = try await Stage.connected()
            await stage.command { $0.setPairingCapability(.displayYesNo) }
            let agent = try await stage.stub.call("RegisterAgent")
            agent.reply()
            try await stage.stub.call("RequestDefaultAgent").reply()
            let (id, call) = try await send(Self.read, "ReadValue", stage)
            async let reply = stage.stub.ask(agent, "RequestConfirmation", [.objectPath(Stage.device), .uint32(1)])
            guard case .pairingRequested(let prompt) = try await stage.events.next() else {
                throw Unexpected("not asked")
            }
            try await pass(Self.limit + .seconds(20), stage)
            await stage.command { $0.answerPairing(prompt.id, .accept) }
            _ = try await reply.get()
            try await pass(Self.limit - .milliseconds(1), stage)
            stage.clock.advance(by: .milliseconds(1))
            try await expectFailure(of: id, stage)
            withExtendedLifetime(call) {}
        }
    }
}
#endif
