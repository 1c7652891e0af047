// SPDX-License-Identifier: MIT

import BlueCapSerDe
import BlueCapTestExecutor
import Testing

@testable import BlueCapCore

@Suite("Links of centrals", .timeLimit(.minutes(60)))
struct CentralLinkTests {
    private static let features: PeripheralFeatures = [
        .severalAdvertisements, .individualSubscribers, .centralLinks, .centralDisconnection,
    ]
    private static let one = PeripheralWorld.one
    private static let two = PeripheralWorld.two
    private static let idOne: PeerIdentifier = "C0:DE:00:00:00:01"
    private static let idTwo: PeerIdentifier = "C0:DE:00:00:00:02"

    private func left(_ id: PeerIdentifier, prepared: [AttributeID: Int] = [:]) -> PeripheralEvent {
        .centralDisconnected(id, nil, prepared: prepared)
    }

    @Test func `centrals are there from their connection to its end, in the order of their coming`() async throws {
        try await PeripheralWorld.run(features: Self.features) { world in
            let events = world.manager.centralEvents()
            await world.emit(.centralConnected(Self.one))
            await world.emit(.centralConnected(Self.two))
            #expect(world.manager.centrals() == [Self.one, Self.two])
            await world.advance(by: .seconds(3))
            await world.emit(left(Self.idOne))
            #expect(world.manager.centrals() == [Self.two])
            let statistics = world.manager.centralLinkStatistics
            #expect(statistics.connectionCount == 2)
            #expect(statistics.disconnectionCount == 1)
            #expect(statistics.finishedConnectedDuration == .seconds(3))
            #expect(statistics.cumulativeConnectedDuration == .seconds(6))
            var iterator = events.makeAsyncIterator()
            #expect(await iterator.next() == CentralLinkEvent(kind: .connected, central: Self.one))
            #expect(await iterator.next() == CentralLinkEvent(kind: .connected, central: Self.two))
            guard case .disconnected(let end)? = await iterator.next()?.kind else {
                Issue.record("no end")
                return
            }
            #expect(end.reason == .lost(nil))
            #expect(end.duration == .seconds(3))
            #expect(!end.leftWorkUnfinished)
        }
    }

    @Test func `facts that are not known again stay, and a changed identifier is the same central's`() async throws {
        try await PeripheralWorld.run(features: Self.features) { world in
            let events = world.manager.centralEvents()
            await world.emit(.centralConnected(Central(identifier: Self.idOne, security: .unencrypted)))
            await world.emit(.centralChanged(Self.idOne, Central(identifier: Self.idOne, maximumUpdateLength: 182)))
            await world.emit(.centralChanged(Self.idOne, Central(identifier: Self.idTwo, security: .encrypted)))
            let known = Central(identifier: Self.idTwo, maximumUpdateLength: 182, security: .encrypted)
            #expect(world.manager.centrals() == [known])
            #expect(world.manager.centralLinkStatistics.connectionCount == 1)
            var identifiers: [PeerIdentifier?] = []
            for await event in events.prefix(3) { identifiers.append(event.previousIdentifier) }
            #expect(identifiers == [nil, nil, Self.idOne])
        }
    }

    @Test func `the end of a link names the control points whose procedures the central did not await`() async throws {
        try await PeripheralWorld.run(features: Self.features) { world in
            let events = world.manager.centralEvents()
            await world.emit(.centralConnected(Self.one))
            let (point, requests) = try await ControlPointRequestTests.point(in: world)
            try await world.subscribe(to: point)
            _ = try await world.write([1], to: point)
            await world.emit(left(Self.idOne))
            let last = try #require(await events.first { if case .disconnected = $0.kind { true } else { false } })
            guard case .disconnected(let end) = last.kind else { return }
            #expect(end.openProcedures == [point])
            #expect(end.leftWorkUnfinished)
            #expect(world.manager.centralLinkStatistics.abandonedProcedureCount == 1)
            withExtendedLifetime(requests) {}
        }
    }

    @Test func `the response to a control point reaches a central whose identifier has changed meanwhile`() async throws
    {
        try await PeripheralWorld.run(features: Self.features) { world in
            await world.emit(.centralConnected(Self.one))
            let (point, requests) = try await ControlPointRequestTests.point(in: world)
            try await world.subscribe(to: point)
            _ = try await world.write([1], to: point)
            await world.emit(.centralChanged(Self.idOne, Self.two))
            let request = try #require(requests.all.first)
            #expect(request.respond())
            await world.idle()
            let id = try #require(point.registration?.id)
            #expect(
                await world.backend.outstanding.map(\.operation) == [.update(id, [0x80, 1, 1], central: Self.idTwo)])
        }
    }

    @Test func `a changed identifier is that of the central's subscriptions and open requests, too`() async throws {
        try await PeripheralWorld.run(features: Self.features) { world in
            let characteristic = try await world.characteristic()
            let events = world.manager.centralEvents()
            let writes = characteristic.writeRequests()
            await world.emit(.centralConnected(Self.one))
            try await world.subscribe(Self.one, to: characteristic)
            _ = try await world.write([1], from: Self.one, to: characteristic)
            await world.emit(.centralChanged(Self.idOne, Central(identifier: Self.idTwo, maximumUpdateLength: 182)))
            #expect(characteristic.subscribers == [Central(identifier: Self.idTwo, maximumUpdateLength: 182)])
            await world.emit(left(Self.idTwo))
            let last = try #require(await events.first { if case .disconnected = $0.kind { true } else { false } })
            guard case .disconnected(let end) = last.kind else { return }
            #expect(end.openRequestCount == 1)
            withExtendedLifetime(writes) {}
        }
    }

    @Test func `updates for a central alone reach it when its identifier has changed while they waited`() async throws {
        try await PeripheralWorld.run(features: Self.features) { world in
            await world.emit(.centralConnected(Self.one))
            let (point, values, requests) = try await ControlPointRequestTests.pointAndValues(in: world)
            try values.update([1])
            try values.update([2], for: Self.one)
            _ = try await world.write([1], to: point)
            let request = try #require(requests.all.first)
            #expect(request.respond())
            await world.idle()
            await world.emit(.centralChanged(Self.idOne, Self.two))
            await world.answer()
            let value = try #require(values.registration?.id)
            #expect(await world.backend.outstanding.map(\.operation) == [.update(value, [2], central: Self.idTwo)])
            await world.answer()
            let id = try #require(point.registration?.id)
            #expect(
                await world.backend.outstanding.map(\.operation) == [.update(id, [0x80, 1, 1], central: Self.idTwo)])
            #expect(values.droppedCount == 0 && point.droppedCount == 0)
        }
    }

    @Test func `a manager that has ended has no centrals, and counts their time no more`() async throws {
        try await PeripheralWorld.run(features: Self.features) { world in
            await world.emit(.centralConnected(Self.one))
            await world.advance(by: .seconds(3))
            await world.manager.invalidate()
            await world.advance(by: .seconds(3))
            #expect(world.manager.centrals() == [])
            #expect(world.manager.centralLinkStatistics.cumulativeConnectedDuration == .seconds(3))
        }
    }

    @Test func `a request has what is known of its central's link`() async throws {
        try await PeripheralWorld.run(features: Self.features) { world in
            let characteristic = try await world.characteristic()
            var requests = characteristic.writeRequests().makeAsyncIterator()
            await world.emit(.centralConnected(Central(identifier: Self.idOne, security: .encrypted)))
            _ = try await world.write([1], to: characteristic)
            let request = try #require(await requests.next())
            #expect(
                request.central == Central(identifier: Self.idOne, maximumUpdateLength: 20, security: .encrypted))
            #expect(world.manager.centrals() == [request.central])
        }
    }

    @Test func `a lost central's requests and prepared parts are told, and answered no more`() async throws {
        try await PeripheralWorld.run(features: Self.features) { world in
            let characteristic = try await world.characteristic()
            let id = try #require(characteristic.registration?.id)
            let events = world.manager.centralEvents()
            var requests = characteristic.writeRequests().makeAsyncIterator()
            await world.emit(.centralConnected(Self.one))
            let access = try await world.write([1], to: characteristic)
            let request = try #require(await requests.next())
            await world.emit(left(Self.idOne, prepared: [id: 2, AttributeID(rawValue: 999): 1]))
            await world.emit(.accessCancelled(access))
            #expect(!request.isOpen)
            #expect(!request.accept())
            #expect(await world.answers(to: access).isEmpty)
            let last = try #require(await events.first { if case .disconnected = $0.kind { true } else { false } })
            guard case .disconnected(let end) = last.kind else { return }
            #expect(end.openRequestCount == 1)
            #expect(end.preparedWrites == [.init(characteristic: characteristic, partCount: 2)])
            #expect(end.leftWorkUnfinished)
            let statistics = world.manager.centralLinkStatistics
            #expect(statistics.abandonedRequestCount == 1)
            #expect(statistics.abandonedWriteCount == 1)
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test func `a central beyond the limit is ended with its reason, and nothing of it reaches the app`() async throws {
        try await PeripheralWorld.run(features: Self.features, maximumCentrals: 1) { world in
            let characteristic = try await world.characteristic()
            let events = world.manager.centralEvents()
            let writes = characteristic.writeRequests()
            await world.emit(.centralConnected(Self.one))
            await world.emit(.centralConnected(Self.two))
            #expect(world.manager.centrals() == [Self.one])
            #expect(await world.backend.pending == [.disconnect(Self.idTwo, .lowResources)])
            let access = try await world.write([1], from: Self.two, to: characteristic)
            // As the platform cannot send 0x11, it sends 0x0E by itself.
            #expect(await world.answers(to: access) == [.failure(.insufficientResources)])
            try await world.subscribe(Self.two, to: characteristic)
            #expect(characteristic.subscribers.isEmpty)
            await world.emit(left(Self.idTwo))
            await world.answer()
            #expect(world.manager.centralLinkStatistics.refusedCount == 1)
            #expect(world.manager.centralLinkStatistics.disconnectionCount == 0)
            // The place is free when the first has left.
            await world.emit(left(Self.idOne))
            await world.emit(.centralConnected(Self.two))
            #expect(world.manager.centrals() == [Self.two])
            var kinds: [CentralLinkEvent.Kind] = []
            for await event in events {
                kinds.append(event.kind)
                if kinds.count == 4 { break }
            }
            #expect(kinds[0] == .connected && kinds[1] == .refused && kinds[3] == .connected)
            withExtendedLifetime(writes) {}
        }
    }

    @Test func `a disconnect ends with the platform's answer, and its event says who wanted it`() async throws {
        try await PeripheralWorld.run(features: Self.features) { world in
            let events = world.manager.centralEvents()
            // There is nothing to end.
            try await world.manager.disconnect(Self.one)
            await world.emit(.centralConnected(Self.one))
            let call = await world.start { try await world.manager.disconnect(Self.one) }
            #expect(await world.backend.pending == [.disconnect(Self.idOne, .userTerminated)])
            await world.emit(left(Self.idOne))
            await world.answer()
            _ = try call.get()
            let last = try #require(await events.first { if case .disconnected = $0.kind { true } else { false } })
            guard case .disconnected(let end) = last.kind else { return }
            #expect(end.reason == .disconnected)
            #expect(world.manager.centralLinkStatistics.forcedDisconnectionCount == 1)
        }
    }

    @Test func `a disconnect that the platform refuses, or does not answer, throws`() async throws {
        try await PeripheralWorld.run(features: Self.features) { world in
            await world.emit(.centralConnected(Self.one))
            let refused = await world.start { try await world.manager.disconnect(Self.one) }
            await world.refuse()
            #expect(refused.error as? PeripheralManagerError == .backend(.refused))
            let late = await world.start { try await world.manager.disconnect(Self.one, timeout: .seconds(2)) }
            await world.advance(by: .seconds(2))
            #expect(late.error as? PeripheralManagerError == .disconnectCentralTimeout)
            #expect(world.manager.centrals() == [Self.one])
        }
    }

    @Test func `the radio's end is the end of every link, with its reason`() async throws {
        try await PeripheralWorld.run(features: Self.features) { world in
            let events = world.manager.centralEvents()
            await world.emit(.centralConnected(Self.one))
            await world.emit(.stateChanged(.poweredOff, nil))
            #expect(world.manager.centrals().isEmpty)
            let last = try #require(await events.first { if case .disconnected = $0.kind { true } else { false } })
            guard case .disconnected(let end) = last.kind else { return }
            #expect(end.reason == .radioLost(.poweredOff))
        }
    }

    @Test func `where the platform reports no links, a central counts while it is subscribed to anything`() async throws
    {
        try await PeripheralWorld.run(maximumCentrals: 1) { world in
            let first = MutableCharacteristic(uuid: "2A19", properties: .notify)
            let second = MutableCharacteristic(uuid: "2A1A", properties: .notify)
            let service = MutableService(uuid: "180F")
            service.characteristics = [first, second]
            try await world.add(service)
            let events = world.manager.centralEvents()
            try await world.subscribe(to: first)
            try await world.subscribe(to: second)
            // The limit has no effect.
            try await world.subscribe(Self.two, to: first)
            #expect(world.manager.centrals() == [Self.one, Self.two])
            try await world.unsubscribe(from: first)
            #expect(world.manager.centrals() == [Self.one, Self.two])
            try await world.unsubscribe(from: second)
            #expect(world.manager.centrals() == [Self.two])
            let last = try #require(await events.first { if case .disconnected = $0.kind { true } else { false } })
            #expect(last.central == Self.one)
            await #expect(throws: PeripheralManagerError.disconnectingCentralsNotSupported) {
                try await world.manager.disconnect(Self.two)
            }
        }
    }
}
