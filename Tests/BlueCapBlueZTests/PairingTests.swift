// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus
import BlueCapPrivateBus
import Testing

extension OverABus {
    @Suite(.timeLimit(.minutes(60)))
    struct PairingTests {
        private static let other = StubBlueZ.adapter + "/dev_C0_00_00_00_00_09"

        @Test func `each callback of the agent reaches the manager, and its answer the daemon`() async throws {
            let (stage, agent) = try await Stage.agreeing(.keyboardDisplay)
            let device = DBusValue.objectPath(Stage.device)
            let service = DBusValue.string("0000180d-0000-1000-8000-00805f9b34fb")
            let asked: [(String, [DBusValue], PairingRequest.Kind, PairingAnswer, [DBusValue])] = [
                ("RequestConfirmation", [device, .uint32(42)], .confirm(passkey: 42), .accept, []),
                ("RequestPasskey", [device], .enterPasskey, .passkey(999_999), [.uint32(999_999)]),
                ("RequestAuthorization", [device], .authorize, .accept, []),
                ("AuthorizeService", [device, service], .authorizeService("180D"), .accept, []),
            ]
            for (member, body, kind, answer, expected) in asked {
                async let reply = stage.stub.ask(agent, member, body)
                let prompt = try await stage.prompt()
                #expect(prompt.kind == kind)
                #expect(prompt.peer == Stage.id)
                await stage.command { $0.answerPairing(prompt.id, answer) }
                // A second answer is one too many, and is not sent.
                await stage.command { $0.answerPairing(prompt.id, .reject) }
                #expect(try await reply.get() == expected)
            }
        }

        @Test func `a refusal reaches the daemon as such`() async throws {
            let (stage, agent) = try await Stage.agreeing(.displayYesNo)
            async let reply = stage.stub.ask(agent, "RequestConfirmation", [.objectPath(Stage.device), .uint32(1)])
            let prompt = try await stage.prompt()
            await stage.command { $0.answerPairing(prompt.id, .reject) }
            #expect(await reply.errorName == "org.bluez.Error.Rejected")
        }

        @Test func `yes is no passkey: it is refused`() async throws {
            let (stage, agent) = try await Stage.agreeing(.keyboardOnly)
            async let reply = stage.stub.ask(agent, "RequestPasskey", [.objectPath(Stage.device)])
            let prompt = try await stage.prompt()
            await stage.command { $0.answerPairing(prompt.id, .accept) }
            #expect(await reply.errorName == "org.bluez.Error.Rejected")
        }

        @Test
        func `a passkey of more than six digits, a PIN code and a path that is no device's are refused unasked`()
            async throws
        {
            let (stage, agent) = try await Stage.agreeing(.keyboardDisplay)
            let device = DBusValue.objectPath(Stage.device)
            let asked: [(String, [DBusValue])] = [
                ("RequestConfirmation", [device, .uint32(1_000_000)]),
                ("DisplayPasskey", [device, .uint32(1_000_000), .uint16(0)]),
                ("RequestPinCode", [device]), ("DisplayPinCode", [device, .string("0000")]),
                ("RequestAuthorization", [.objectPath("/")]),
                ("RequestAuthorization", [.objectPath("/org/bluez/hci0/dev_nonsense")]),
                ("AuthorizeService", [device, .string("no UUID")]),
            ]
            for (member, body) in asked {
                #expect(
                    await stage.stub.ask(agent, member, body).errorName == "org.bluez.Error.Rejected", "\(member)")
            }
            #expect(stage.events.count == 0)
        }

        @Test func `a question about a device that the manager is not connected to is refused unasked`() async throws {
            let (stage, agent) = try await Stage.agreeing(.noInputNoOutput)
            let reply = await stage.stub.ask(agent, "RequestAuthorization", [.objectPath(Self.other)])
            #expect(reply.errorName == "org.bluez.Error.Rejected")
            #expect(stage.events.count == 0)
        }

        @Test func `Cancel ends the question that is open`() async throws {
            let (stage, agent) = try await Stage.agreeing(.noInputNoOutput)
            async let reply = stage.stub.ask(agent, "RequestAuthorization", [.objectPath(Stage.device)])
            let prompt = try await stage.prompt()
            #expect(try await stage.stub.ask(agent, "Cancel", []).get().isEmpty)
            guard case .pairingRequestEnded(prompt.id) = try await stage.events.next() else {
                throw Unexpected("not ended")
            }
            #expect(await reply.errorName == "org.bluez.Error.Canceled")
        }

        @Test
        func `a passkey is shown once however often the daemon shows it, until the device is paired`() async throws {
            let (stage, agent) = try await Stage.agreeing(.displayOnly)
            let body: [DBusValue] = [.objectPath(Stage.device), .uint32(7), .uint16(0)]
            for _ in 0..<3 { _ = try await stage.stub.ask(agent, "DisplayPasskey", body).get() }
            let prompt = try await stage.prompt()
            #expect(prompt.kind == .displayPasskey(7))
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Paired": .bool(true)]) }
            let events = [try await stage.events.next(), try await stage.events.next()]
            let hasEnded = events.contains { if case .pairingRequestEnded(prompt.id) = $0 { true } else { false } }
            #expect(hasEnded)
        }

        @Test
        func `a passkey is shown no more 30 s after the daemon last showed it: a pairing that failed may say nothing`()
            async throws
        {
            let (stage, agent) = try await Stage.agreeing(.displayOnly)
            let body: [DBusValue] = [.objectPath(Stage.device), .uint32(7), .uint16(0)]
            _ = try await stage.stub.ask(agent, "DisplayPasskey", body).get()
            let prompt = try await stage.prompt()
            stage.clock.advance(by: .seconds(20))
            _ = try await stage.stub.ask(agent, "DisplayPasskey", body).get()
            stage.clock.advance(by: .seconds(20))
            try await stage.settle()
            stage.clock.advance(by: .seconds(10))
            guard case .pairingRequestEnded(prompt.id) = try await stage.events.next() else {
                throw Unexpected("not ended")
            }
        }

        @Test func `Cancel leaves what is shown about another device alone`() async throws {
            let (stage, agent) = try await Stage.agreeing(.displayOnly)
            let body: [DBusValue] = [.objectPath(Stage.device), .uint32(7), .uint16(0)]
            _ = try await stage.stub.ask(agent, "DisplayPasskey", body).get()
            _ = try await stage.prompt()
            _ = try await stage.stub.ask(agent, "Cancel", []).get()
            try await stage.settle()
        }

        @Test func `who is not asked any more unregisters the agent, and what is open is refused`() async throws {
            let (stage, agent) = try await Stage.agreeing(.noInputNoOutput)
            async let reply = stage.stub.ask(agent, "RequestAuthorization", [.objectPath(Stage.device)])
            _ = try await stage.prompt()
            await stage.command { $0.setPairingCapability(nil) }
            #expect(await reply.errorName == "org.bluez.Error.Rejected")
            let call = try await stage.stub.call("UnregisterAgent")
            #expect(call.arguments == [agent.arguments[0]])
        }

        @Test
        func `an agent that the daemon does not take is told, and tried again after 1 s, then after 2 s`() async throws
        {
            let stage = try await Stage.connected()
            await stage.command { $0.setPairingCapability(.noInputNoOutput) }
            for delay in [1, 2] {
                try await stage.stub.call("RegisterAgent").fail("Failed", "no")
                try await stage.stub.call("RequestDefaultAgent").fail("DoesNotExist", "Does Not Exist")
                guard case .pairingUnavailable(let failure) = try await stage.events.next() else {
                    throw Unexpected("it was not told")
                }
                #expect(failure.message == "no")
                await stage.clock.waitForTimer(within: .seconds(delay))
                stage.clock.advance(by: .seconds(delay))
            }
            try await stage.stub.call("RegisterAgent").reply()
        }

        @Test func `an agent is registered anew with the next daemon`() async throws {
            let (stage, agent) = try await Stage.agreeing(.displayYesNo)
            await stage.stub.kill()
            try await stage.stub.start()
            let call = try await stage.stub.call("RegisterAgent")
            #expect(call.arguments == agent.arguments)
        }

        @Test func `a device that BlueZ forgets takes its bond with it`() async throws {
            let stage = try await Stage()
            await stage.stub.run { stub in
                stub.add(Stage.device, Stage.deviceProperties())
                stub.set(Stage.device, BlueZInterface.device, ["Bonded": .bool(true)])
            }
            guard case .bondChanged(Stage.id, true) = try await stage.events.next() else { throw Unexpected("no bond") }
            await stage.stub.run { $0.remove(Stage.device) }
            guard case .bondChanged(Stage.id, false) = try await stage.events.next() else {
                throw Unexpected("still bonded")
            }
        }

        @Test func `another program than bluetoothd is refused`() async throws {
            let (stage, agent) = try await Stage.agreeing(.noInputNoOutput)
            let stranger = try StubBlueZ(on: stage.bus)
            try await stranger.connect()
            let reply = await stranger.ask(agent, "RequestAuthorization", [.objectPath(Stage.device)])
            #expect(reply.errorName == "org.freedesktop.DBus.Error.AccessDenied")
            #expect(stage.events.count == 0)
        }

        /// A read that BlueZ has sent and wants to pair for, which the app has just refused.
        private func refused() async throws -> (Stage, RequestID, StubCall) {
            let (stage, agent) = try await Stage.agreeing(.noInputNoOutput)
            let id = await stage.request(.read(Stage.id, Stage.valueID))
            let read = try await stage.stub.call("ReadValue")
            try await stage.refuse(agent)
            return (stage, id, read)
        }

        @Test
        func `a read that is stuck after a refusal to pair fails as insecure, and the link is ended`() async throws {
            let (stage, id, read) = try await refused()
            await stage.clock.waitForTimer(within: .milliseconds(200))
            stage.clock.advance(by: .milliseconds(200))
            #expect(try await stage.answer(to: id) == .failure(.att(.insufficientAuthentication)))
            let disconnect = try await stage.stub.call("Disconnect")
            await stage.stub.run { stub in
                // The daemon's own answer comes late, and is not another one.
                read.reply(.bytes([1]))
                stub.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)])
                disconnect.reply()
            }
            // BlueZ does not pair this device any more, and crashes on it, so it is forgotten before a program can
            // connect to it.
            let removal = try await stage.stub.call("RemoveDevice")
            #expect(removal.arguments == [.objectPath(Stage.device)])
            #expect(stage.events.count == 0)
            removal.reply()
            guard case .disconnected(Stage.id, let failure) = try await stage.events.next() else {
                throw Unexpected("not disconnected")
            }
            #expect(failure?.advice?.contains("scan for it") == true)
        }

        @Test func `a read that is answered after a refusal to pair keeps its link`() async throws {
            let (stage, id, read) = try await refused()
            await stage.stub.run { _ in read.reply(.bytes([1])) }
            #expect(try await stage.answer(to: id) == .success(.value([1])))
            await stage.clock.waitForTimer(within: .milliseconds(200))
            stage.clock.advance(by: .milliseconds(200))
            await stage.request(.read(Stage.id, Stage.valueID))
            _ = try await stage.stub.call("ReadValue")
            let log = await stage.stub.run { $0.log }
            #expect(!log.contains { $0.hasPrefix("Disconnect") })
        }

        @Test
        func `a refusal leaves a link alone on which a request has ended with the service that it was for`()
            async throws
        {
            let (stage, agent) = try await Stage.agreeing(.noInputNoOutput)
            await stage.request(.setNotifying(Stage.id, Stage.valueID, true, .standard))
            // Put off, for 200 ms, of which the renewal takes 150.
            try await stage.stub.call("StartNotify").fail("Failed", "Failed to register notify session")
            await stage.clock.waitForTimer(within: .milliseconds(200))
            try await stage.renewServices()
            stage.clock.advance(by: .milliseconds(50))
            try await stage.settle()
            try await stage.refuse(agent)
            try await stage.settle()
            stage.clock.advance(by: .milliseconds(200))
            try await stage.settle()
            #expect(await stage.stub.run { !$0.log.contains { $0.hasPrefix("Disconnect") } })
        }

        @Test func `a read is stuck after a refusal whatever becomes of commands on their way`() async throws {
            let (stage, agent) = try await Stage.agreeing(.noInputNoOutput)
            let id = await stage.request(.read(Stage.id, Stage.valueID))
            // Kept until the end, because a released call is answered.
            let read = try await stage.stub.call("ReadValue")
            let command = await stage.request(.write(Stage.id, Stage.controlID, [1], .withoutResponse))
            let write = try await stage.stub.call("WriteValue")
            try await stage.refuse(agent)
            await stage.stub.run { _ in write.reply() }
            #expect(try await stage.answer(to: command) == .success(.done))
            await stage.clock.waitForTimer(within: .milliseconds(200))
            stage.clock.advance(by: .milliseconds(200))
            #expect(try await stage.answer(to: id) == .failure(.att(.insufficientAuthentication)))
            withExtendedLifetime(read) {}
        }

        @Test
        func `a refusal of the pairing that was asked for leaves a link with a read on its way alone`() async throws {
            let (stage, agent) = try await Stage.agreeing(.displayYesNo)
            let id = await stage.request(.read(Stage.id, Stage.valueID))
            let read = try await stage.stub.call("ReadValue")
            let pairing = await stage.request(.pair(Stage.id))
            let pair = try await stage.stub.call("Pair")
            try await stage.refuse(agent)
            pair.fail("AuthenticationFailed", "Authentication Failed")
            #expect(try await stage.answer(to: pairing) == .failure(.pairing(.failed)))
            stage.clock.advance(by: .seconds(1))
            await stage.stub.run { _ in read.reply(.bytes([1])) }
            #expect(try await stage.answer(to: id) == .success(.value([1])))
        }

        @Test func `a pairing whose link is lost is taken back, as BlueZ would connect again for it`() async throws {
            let (stage, _) = try await Stage.agreeing(.displayYesNo)
            await stage.request(.pair(Stage.id))
            let pair = try await stage.stub.call("Pair")
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)]) }
            try await stage.stub.call("CancelPairing").reply()
            withExtendedLifetime(pair) {}
        }

        @Test func `a service that is refused to a paired device is no reason to end its link`() async throws {
            let (stage, agent) = try await Stage.agreeing(.noInputNoOutput)
            let id = await stage.request(.read(Stage.id, Stage.valueID))
            let read = try await stage.stub.call("ReadValue")
            let body: [DBusValue] = [.objectPath(Stage.device), .string("0000180d-0000-1000-8000-00805f9b34fb")]
            async let reply = stage.stub.ask(agent, "AuthorizeService", body)
            let prompt = try await stage.prompt()
            await stage.command { $0.answerPairing(prompt.id, .reject) }
            #expect(await reply.errorName == "org.bluez.Error.Rejected")
            stage.clock.advance(by: .seconds(1))
            await stage.stub.run { _ in read.reply(.bytes([1])) }
            #expect(try await stage.answer(to: id) == .success(.value([1])))
        }

        @Test func `a pairing that BlueZ keeps no keys of has failed`() async throws {
            let (stage, _) = try await Stage.agreeing(.noInputNoOutput)
            let id = await stage.request(.pair(Stage.id))
            let pair = try await stage.stub.call("Pair")
            await stage.stub.run { stub in
                stub.set(Stage.device, BlueZInterface.device, ["Paired": .bool(true), "Bonded": .bool(false)])
                pair.reply()
            }
            guard case .bondChanged(_, false) = try await stage.events.next() else { throw Unexpected("bonded") }
            guard case .failure(.backend(let failure)) = try await stage.answer(to: id) else {
                throw Unexpected("no failure")
            }
            #expect(failure.name == "BlueCap.NotBonded")
        }

        // As in `pair-explicitly.trace`.
        @Test
        func `nothing is taken back where no pairing is under way, as BlueZ would forget the keys`() async throws {
            let (stage, _) = try await Stage.agreeing(.noInputNoOutput)
            let cancelling = await stage.request(.cancelPairing(Stage.id))
            // A call would not be answered here.
            #expect(try await stage.answer(to: cancelling) == .success(.done))
        }

        @Test func `a pairing that BlueZ forgot ends when it is taken back`() async throws {
            let (stage, _) = try await Stage.agreeing(.noInputNoOutput)
            let pairing = await stage.request(.pair(Stage.id))
            let pair = try await stage.stub.call("Pair")
            let cancelling = await stage.request(.cancelPairing(Stage.id))
            try await stage.stub.call("CancelPairing").fail("DoesNotExist", "No pairing in progress")
            #expect(try await stage.answer(to: pairing) == .failure(.pairing(.cancelled)))
            #expect(try await stage.answer(to: cancelling) == .success(.done))
            withExtendedLifetime(pair) {}
        }

        @Test
        func `a passkey that nobody can show takes the pairing back, for which the daemon would wait`() async throws {
            let (stage, agent) = try await Stage.agreeing(.displayOnly)
            await stage.stub.run { $0.add(Self.other, Stage.deviceProperties()) }
            let body: [DBusValue] = [.objectPath(Self.other), .uint32(7), .uint16(0)]
            let reply = await stage.stub.ask(agent, "DisplayPasskey", body)
            #expect(reply.errorName == "org.bluez.Error.Rejected")
            _ = try await stage.stub.call("CancelPairing")
        }

        @Test
        func `who stops to be asked changes nothing while the daemon waits for somebody else's answer`() async throws {
            let (stage, agent) = try await Stage.agreeing(.displayYesNo)
            async let reply = stage.stub.ask(agent, "RequestConfirmation", [.objectPath(Stage.device), .uint32(1)])
            let prompt = try await stage.prompt()
            // A changed capability of this manager is such a change, too.
            await stage.command { $0.setPairingCapability(.noInputNoOutput) }
            try await stage.settle()
            await stage.command { $0.answerPairing(prompt.id, .accept) }
            #expect(try await reply.get().isEmpty)
            _ = try await stage.stub.call("UnregisterAgent")
            #expect(try await stage.stub.call("RegisterAgent").arguments.last == .string("NoInputNoOutput"))
        }

        @Test func `an agent that is not made the default one is tried again`() async throws {
            let stage = try await Stage.connected()
            await stage.command { $0.setPairingCapability(.noInputNoOutput) }
            try await stage.stub.call("RegisterAgent").reply()
            try await stage.stub.call("RequestDefaultAgent").fail("Failed", "no")
            guard case .pairingUnavailable = try await stage.events.next() else { throw Unexpected("it was not told") }
            await stage.clock.waitForTimer(within: .seconds(1))
            stage.clock.advance(by: .seconds(1))
            try await stage.stub.call("RegisterAgent").reply()
            try await stage.stub.call("RequestDefaultAgent").reply()
        }

        @Test func `a bond is told again when its adapter is back`() async throws {
            let stage = try await Stage()
            var properties = Stage.deviceProperties()
            properties[BlueZInterface.device]?["Bonded"] = .bool(true)
            let bonded = properties
            await stage.stub.run { $0.add(Stage.device, bonded) }
            guard case .bondChanged(Stage.id, true) = try await stage.events.next() else { throw Unexpected("no bond") }
            await stage.stub.run { stub in
                stub.remove(Stage.device)
                stub.remove(StubBlueZ.adapter)
            }
            guard case .bondChanged(Stage.id, false) = try await stage.events.next() else {
                throw Unexpected("still bonded")
            }
            try await #expect(stage.events.state() == .resetting)
            await stage.stub.run { stub in
                stub.add(Stage.device, bonded)
                stub.add(StubBlueZ.adapter, Stage.adapter())
            }
            guard case .bondChanged(Stage.id, true) = try await stage.events.next() else { throw Unexpected("no bond") }
        }
    }
}

extension Stage {
    /// A connected stage whose agent the stub has taken.
    fileprivate static func agreeing(_ capability: PairingCapability) async throws -> (Stage, StubCall) {
        let stage = try await Stage.connected()
        await stage.command { $0.setPairingCapability(capability) }
        let registration = try await stage.stub.call("RegisterAgent")
        registration.reply()
        try await stage.stub.call("RequestDefaultAgent").reply()
        return (stage, registration)
    }

    /// The next event, which is to be a question.
    fileprivate func prompt() async throws -> PairingPrompt {
        let event = try await events.next()
        guard case .pairingRequested(let prompt) = event else { throw Unexpected("\(event)") }
        return prompt
    }

    /// bluetoothd asks to pair, and the app refuses.
    fileprivate func refuse(_ agent: StubCall) async throws {
        async let reply = stub.ask(agent, "RequestAuthorization", [.objectPath(Stage.device)])
        let prompt = try await prompt()
        await command { $0.answerPairing(prompt.id, .reject) }
        _ = await reply
    }
}

extension Result where Failure == DBusError {
    /// The name of an error that came over the bus.
    var errorName: String? {
        if case .failure(.remote(let name, _)) = self { name } else { nil }
    }
}
#endif
