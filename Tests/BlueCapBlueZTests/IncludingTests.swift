// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapDBus
import BlueCapPrivateBus
import Testing

extension OverABus {
    @Suite("BlueZ: services that include others", .timeLimit(.minutes(60)))
    struct IncludingTests {
        private static let readable = LocalCharacteristic(
            id: PeripheralStage.characteristic, uuid: "2A37", properties: [.read, .notify], permissions: .readable)
        private let inner = PeripheralStage.service(1, readable)
        private let outer = PeripheralStage.service(10, including: [1])

        /// Shows that the daemon has an application and that a read of its characteristic reaches the backend.
        private func expectServed(_ served: Served, _ stage: PeripheralStage) async throws {
            let call = try await served.begin("ReadValue", [.properties([:])])
            let access = try await stage.access()
            #expect(access.attribute == PeripheralStage.characteristic)
            await stage.command { $0.respond(to: access.id, .success([9])) }
            #expect(try await call.value.get().body() == [.bytes([9])])
        }

        private func registrations(_ stage: PeripheralStage) async -> [String] {
            await stage.stub.run { $0.log.filter { $0.contains("Application") } }
        }

        private func unregistered(_ stage: PeripheralStage) async throws -> String {
            try stage.root(of: try await stage.stub.call("UnregisterApplication"))
        }

        /// The paths of objects that the backend says it has taken away.
        private func removals(_ stage: PeripheralStage) async throws -> Mailbox<String, Never> {
            let box = Mailbox<String, Never>(capacity: .unbounded)
            let rule = try MatchRule(interface: StandardInterface.objectManager, member: "InterfacesRemoved")
            await stage.stub.run { stub in
                stub.link?.onSignal(.namespace("/org/bluecap"), interface: StandardInterface.objectManager) { signal in
                    guard let body = try? signal.body(expecting: "oas") else { return }
                    _ = box.push(body[0].objectPathValue ?? "")
                }
                _ = stub.link?.addMatch(rule) { _ in _ = box.push("") }
            }
            // The rule is in force.
            _ = await box.next()
            return box
        }

        @Test func `a service shares an application with those that it includes, which names them`() async throws {
            let stage = try await PeripheralStage()
            let first = try await stage.add(inner)
            let second = try await stage.add(outer)
            #expect(first.root != second.root)
            let services = try await second.objects(BlueZInterface.service)
            #expect(services.count == 2)
            let path = try #require(services.keys.first { $0.hasSuffix("service1") })
            #expect(services[path]?["Includes"] == .objectPaths([]))
            let including = services.first { $0.key != path }?.value
            #expect(including?["Includes"] == .objectPaths([path]))
            #expect(try await unregistered(stage) == first.root)
            try await expectServed(second, stage)
        }

        @Test func `a service that the daemon does not take leaves the one that it includes where it was`() async throws
        {
            let stage = try await PeripheralStage()
            let first = try await stage.add(inner)
            let (socket, _) = try await first.acquire("AcquireNotify", ["device": .objectPath(Stage.device)])
            _ = try await stage.subscriber(of: PeripheralStage.characteristic)
            let id = await stage.request(.add(outer))
            let call = try await stage.stub.call("RegisterApplication")
            call.fail("Failed", "Failed to create entry in database")
            guard case .failure(.backend) = try await stage.answer(to: id) else { throw Unexpected("not refused") }
            try await expectServed(first, stage)
            #expect(await registrations(stage) == ["RegisterApplication hci0", "RegisterApplication hci0"])
            let update = await stage.request(.update(PeripheralStage.characteristic, [7], central: nil))
            try await stage.answer(to: update).get()
            #expect(try socket.receive() == [7])
            // It can be tried again.
            let again = await stage.request(.add(outer))
            let second = try await stage.stub.call("RegisterApplication")
            second.reply()
            #expect(try await unregistered(stage) == first.root)
            guard case .unsubscribed(PeripheralStage.characteristic, _) = try await stage.next() else {
                throw Unexpected("still subscribed to what was taken back")
            }
            try await stage.answer(to: again).get()
            let served = Served(client: first.client, root: try stage.root(of: second), stub: stage.stub)
            #expect(try await served.objects(BlueZInterface.service).count == 2)
        }

        @Test
        func `a service stays where it is, with its subscribers, when the one that included it is removed`()
            async throws
        {
            let stage = try await PeripheralStage()
            try await stage.add(inner)
            let served = try await stage.add(outer)
            let (socket, _) = try await served.acquire("AcquireNotify", ["device": .objectPath(Stage.device)])
            _ = try await stage.subscriber(of: PeripheralStage.characteristic)
            let before = await registrations(stage)
            let gone = try await removals(stage)
            let id = await stage.request(.remove(outer.id))
            try await stage.answer(to: id).get()
            #expect(await gone.next() == "\(served.root)/service10")
            #expect(await registrations(stage) == before)
            #expect(try await served.objects(BlueZInterface.service).count == 1)
            try await expectServed(served, stage)
            let update = await stage.request(.update(PeripheralStage.characteristic, [7], central: nil))
            try await stage.answer(to: update).get()
            #expect(try socket.receive() == [7])
            // The remaining service is removed together with the application.
            let last = await stage.request(.remove(inner.id))
            guard case .unsubscribed(PeripheralStage.characteristic, _) = try await stage.next() else {
                throw Unexpected("still subscribed to what was taken back")
            }
            try await stage.answer(to: last).get()
            #expect(await registrations(stage) == before + ["UnregisterApplication hci0"])
        }

        @Test(arguments: [nil, "DoesNotExist", "Failed"])
        func `a service is removed once the daemon has taken it back, and not if it refuses`(refusal: String?)
            async throws
        {
            let stage = try await PeripheralStage()
            let served = try await stage.add(inner)
            await stage.stub.run { _ = $0.accepted.remove("UnregisterApplication") }
            let id = await stage.request(.remove(inner.id))
            let call = try await stage.stub.call("UnregisterApplication")
            #expect(try stage.root(of: call) == served.root)
            try await expectUnanswered(stage)
            if let refusal { call.fail(refusal) } else { call.reply() }
            let isRemoved = if case .success = try await stage.answer(to: id) { true } else { false }
            #expect(isRemoved == (refusal != "Failed"))
        }

        @Test
        func `a service that is registered anew is there once the daemon has taken its old place back`() async throws {
            let stage = try await PeripheralStage()
            try await stage.add(inner)
            await stage.stub.run { _ = $0.accepted.remove("UnregisterApplication") }
            let id = await stage.request(.add(outer))
            try await stage.stub.call("RegisterApplication").reply()
            let call = try await stage.stub.call("UnregisterApplication")
            try await expectUnanswered(stage)
            call.reply()
            try await stage.answer(to: id).get()
        }

        /// Expects that a request of now is answered first.
        private func expectUnanswered(_ stage: PeripheralStage) async throws {
            let unknown = await stage.request(.remove(AttributeID(rawValue: 99)))
            guard case .failure = try await stage.answer(to: unknown) else { throw Unexpected("an unknown service") }
        }

        @Test func `services that include one another in a chain share one application`() async throws {
            let stage = try await PeripheralStage()
            try await stage.add(inner)
            try await stage.add(outer)
            let served = try await stage.add(PeripheralStage.service(20, including: [10, 1]))
            let services = try await served.objects(BlueZInterface.service)
            #expect(services.keys.map { BlueZPath.name(of: $0) }.sorted() == ["service1", "service10", "service20"])
        }
    }
}
#endif
