// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension Conformance {
    /// Centrals that connect, are told apart, and leave.
    static let linksOfCentrals: [Behaviour] = [
        Behaviour("a central that connects and subscribes is among the centrals until it disconnects") { world in
            try await PeripheralScene.linked(in: world) { scene, events in
                let central = try require(scene.manager.centrals().first, "the central")
                try expectEqual(scene.manager.centrals().count, 1, "the number of centrals")
                try expect(central.identifier != nil, "the central has no identifier")
                try await scene.far.disconnect()
                let (ended, end) = try await events.linkEnd()
                try expectEqual(ended.identifier, central.identifier, "whose link ended")
                guard case .lost = end.reason else { throw ConformanceFailure("the reason: \(end.reason)") }
                try expectEqual(scene.manager.centrals(), [], "the centrals after it")
                try expect(!end.leftWorkUnfinished, "work was left unfinished: \(end)")
            }
        },
        Behaviour("a request and a subscription name a central that is connected") { world in
            try await PeripheralScene.linked(in: world) { scene, _ in
                let connected = scene.manager.centrals().map(\.identifier)
                async let answer = scene.write([5])
                let request = try require(await scene.writes.first { _ in true }, "the request")
                try expectEqual([request.central?.identifier], connected, "who writes")
                request.accept()
                try expectAnswer(try await answer, nil, "the write")
                let named = scene.local().subscribers.filter { !$0.isAggregate }.map(\.identifier)
                if !named.isEmpty { try expectEqual(named, connected, "who is subscribed") }
            }
        },
        Behaviour("the app ends the link of a central, which learns of it") { world in
            try await PeripheralScene.linked(in: world) { scene, events in
                let central = try require(scene.manager.centrals().first, "the central")
                if let limit = world.limit(.centralDisconnection) {
                    return try await expectThrows(for: [try require(limit.error, "its error")], "the call") {
                        try await scene.manager.disconnect(central)
                    }
                }
                try await scene.manager.disconnect(central)
                let (ended, end) = try await events.linkEnd()
                try expectEqual(ended.identifier, central.identifier, "whose link ended")
                try expectEqual(end.reason, .disconnected, "the reason")
                // The central has no link to read over.
                try await settle("the central knows of it") { (try? await scene.read().get()) == nil }
                try expectEqual(scene.manager.centralLinkStatistics.forcedDisconnectionCount, 1, "the count")
                // There is nothing to end any more.
                try await scene.manager.disconnect(central)
            }
        },
        Behaviour("a central beyond the limit is refused, and the first one stays connected") { world in
            try await PeripheralScene.linked(limit: 1, in: world) { scene, events in
                let first = scene.manager.centrals()
                let second = try await world.farCentral(1)
                let heard = try await second.hear { $0.localName == PeripheralScene.name }
                if world.limit(.centralDisconnection) != nil {
                    // The limit has no effect.
                    let found = try await second.connect(to: heard)
                    try await second.subscribe(
                        to: try require(found.characteristic(0), "the characteristic").id, indications: false)
                    return try await settle("both are connected") { scene.manager.centrals().count == 2 }
                }
                async let connecting = try? second.connect(to: heard)
                let refused = try await events.first { $0.kind == .refused }
                try expect(refused.central.identifier != first.first?.identifier, "the first one is refused")
                try expectEqual(scene.manager.centrals().map(\.identifier), first.map(\.identifier), "the centrals")
                try expect(scene.manager.centralLinkStatistics.refusedCount > 0, "none is counted")
                try expectEqual(scene.manager.centralLinkStatistics.connectionCount, 1, "the connections")
                try expectEqual(try await scene.read(), .success([4]), "the value that the first one reads")
            }
        },
        Behaviour("under a limit of one another central connects when the first has left") { world in
            try await PeripheralScene.linked(limit: 1, in: world) { scene, events in
                let first = scene.manager.centrals()
                try await scene.far.disconnect()
                _ = try await events.linkEnd()
                let second = try await world.farCentral(1)
                let heard = try await second.hear { $0.localName == PeripheralScene.name }
                let found = try await second.connect(to: heard)
                let remote = try require(found.characteristic(0), "the characteristic")
                try await second.subscribe(to: remote.id, indications: false)
                try await settle("the second is connected") { !scene.manager.centrals().isEmpty }
                try expect(scene.manager.centrals().map(\.identifier) != first.map(\.identifier), "it is the first one")
                try expectEqual(try await second.read(remote.id), .success([4]), "the value")
                try expectEqual(scene.manager.centralLinkStatistics.refusedCount, 0, "the refused ones")
            }
        },
        Behaviour("two centrals are told apart, and the end of one leaves the other connected") { world in
            try await PeripheralScene.linked(in: world) { scene, events in
                let first = try require(scene.manager.centrals().first, "the first central")
                let second = try await world.farCentral(1)
                let heard = try await second.hear { $0.localName == PeripheralScene.name }
                let found = try await second.connect(to: heard)
                let remote = try require(found.characteristic(0), "the characteristic")
                try await second.subscribe(to: remote.id, indications: false)
                try await settle("both are connected") { scene.manager.centrals().count == 2 }
                try await scene.far.disconnect()
                let (ended, _) = try await events.linkEnd()
                try expectEqual(ended.identifier, first.identifier, "whose link ended")
                try expectEqual(scene.manager.centrals().count, 1, "the number that is left")
                try expectEqual(try await second.read(remote.id), .success([4]), "the value")
            }
        },
        Behaviour("a request tells the security of its link, before and after pairing") { world in
            let (scene, requests) = try await PeripheralScene.pairable(in: world)
            let reads = scene.local(5).readRequests()
            async let open = scene.read(5)
            let first = try require(await reads.first { _ in true }, "the first request")
            let isUnknown = world.limit(.linkSecurity) != nil
            try expectEqual(first.central?.security, isUnknown ? nil : .unencrypted, "the security before")
            first.respond([1])
            _ = try await open
            async let isPaired = scene.far.pair()
            try require(await requests.first { _ in true }, "the request to pair").accept()
            try expect(try await isPaired, "the central did not pair")
            try expectEqual(try await scene.read(), .success([7]), "the value that needs encryption")
            async let secured = scene.read(5)
            let second = try require(await reads.first { _ in true }, "the second request")
            try expectEqual(second.central?.security, isUnknown ? nil : .encrypted, "the security after")
            second.respond([2])
            try expectEqual(try await secured, .success([2]), "the answer")
            if isUnknown { return }
            try expectEqual(scene.manager.centrals().map(\.security), [.encrypted], "that of the central")
        },
        Behaviour("a central that leaves while its request waits leaves it unfinished, and is told so") { world in
            try await PeripheralScene.linked(in: world) { scene, events in
                async let answer = try? scene.write([5])
                let request = try require(await scene.writes.first { _ in true }, "the request")
                let isTold = world.limit(.abandonedWork) == nil
                if !isTold {
                    request.accept()
                    _ = await answer
                }
                try await scene.far.disconnect()
                let (_, end) = try await events.linkEnd()
                try expectEqual(end.openRequestCount, isTold ? 1 : 0, "the number of unfinished requests")
                try expect(!request.accept(), "the request could be answered")
                let count = scene.manager.centralLinkStatistics.abandonedRequestCount
                try expectEqual(count, isTold ? 1 : 0, "their count")
                try expectEqual(scene.local().value, isTold ? [4] : [5], "the value")
                _ = await answer
            }
        },
        Behaviour("a long write that ends with its link writes nothing, and its parts are told") { world in
            try await PeripheralScene.linked(in: world) { scene, events in
                let isTold = world.limit(.preparedWrites) == nil
                async let answer = try? scene.write(isTold ? .pattern(count: 400) : [5])
                // Two of three parts have passed by then.
                if isTold {
                    try await world.elapse(.milliseconds(200))
                } else {
                    try require(await scene.writes.first { _ in true }, "the request").accept()
                    _ = await answer
                }
                try await scene.far.disconnect()
                let (_, end) = try await events.linkEnd()
                try expectEqual(
                    end.preparedWrites.map(\.characteristic), isTold ? [scene.local()] : [], "what was being written")
                try expect(end.preparedWrites.allSatisfy { $0.partCount > 0 }, "no parts are told")
                try expectEqual(
                    scene.manager.centralLinkStatistics.abandonedWriteCount, isTold ? 1 : 0, "the count of such writes")
                try expectEqual(scene.local().value, isTold ? [4] : [5], "the value")
                _ = await answer
            }
        },
        Behaviour("a central that comes back is connected again, with a link of its own") { world in
            try await PeripheralScene.linked(in: world) { scene, events in
                let first = scene.manager.centrals().map(\.identifier)
                try await scene.far.disconnect()
                _ = try await events.linkEnd()
                let heard = try await scene.far.hear { $0.localName == PeripheralScene.name }
                _ = try await scene.far.connect(to: heard)
                try await scene.subscribe()
                try await settle("it is connected again") { !scene.manager.centrals().isEmpty }
                try expectEqual(scene.manager.centrals().map(\.identifier), first, "who is connected")
                try expectEqual(events.all.count { $0.kind == .connected }, 2, "the number of connections told")
                let statistics = scene.manager.centralLinkStatistics
                try expectEqual(statistics.connectionCount, 2, "the connections")
                try expectEqual(statistics.disconnectionCount, 1, "the disconnections")
                try expect(
                    statistics.cumulativeConnectedDuration >= statistics.finishedConnectedDuration,
                    "the times: \(statistics)")
            }
        },
        Behaviour("the radio that goes off ends the links of centrals") { world in
            try await PeripheralScene.linked(in: world) { scene, events in
                try await world.setPower(false)
                let (_, end) = try await events.linkEnd()
                // A platform may tell the ends of the links before that of the radio.
                if end.reason == .disconnected { throw ConformanceFailure("the reason: \(end.reason)") }
                try expectEqual(scene.manager.centrals(), [], "the centrals")
                try await world.setPower(true)
                try await scene.manager.whenPoweredOn()
            }
        },
    ]
}

/// A central that is connected and subscribed to a characteristic of the value 4, and its writes.
struct LinkedScene: Sendable {
    let scene: PeripheralScene
    let writes: AsyncStream<WriteRequest>

    var manager: PeripheralManager { scene.manager }
    var far: any FarCentral { scene.far }
    func local() -> MutableCharacteristic { scene.local() }
    func read() async throws -> Result<Bytes, ATTError> { try await scene.read() }
    func write(_ value: Bytes) async throws -> Result<Void, ATTError> { try await scene.write(value) }
    func subscribe() async throws { try await scene.subscribe() }
}

extension PeripheralScene {
    /// Runs a body with a central that is connected and subscribed, and the events of links since before it came.
    fileprivate static func linked(
        limit: Int? = nil, in world: any ConformanceWorld,
        _ body: @escaping @Sendable (LinkedScene, EventRecorder<CentralLinkEvent>) async throws -> Void
    ) async throws {
        let manager = try await world.makePoweredPeripheralManager()
        await manager.limitCentrals(to: limit)
        try await withEventRecorder(of: manager.centralEvents()) { events in
            let service = MutableService(uuid: .service(0))
            service.characteristics = [MutableCharacteristic(0, [.read, .write, .notify], value: [4])]
            let writes = service.characteristics[0].writeRequests()
            try await manager.add(service)
            try await manager.startAdvertising(name)
            let scene = try await PeripheralScene.connected(to: manager, service, in: world)
            try await scene.subscribe()
            _ = try await events.first { $0.kind == .connected }
            try await body(LinkedScene(scene: scene, writes: writes), events)
        }
    }
}

extension EventRecorder<CentralLinkEvent> {
    /// The first end of a link, and whose link it is.
    fileprivate func linkEnd() async throws -> (central: Central, end: CentralLinkEnd) {
        let event = try await first { if case .disconnected = $0.kind { true } else { false } }
        guard case .disconnected(let end) = event.kind else { throw ConformanceFailure("no end: \(event)") }
        return (event.central, end)
    }
}
