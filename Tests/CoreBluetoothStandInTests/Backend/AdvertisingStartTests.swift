// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapCoreBluetooth
import BlueCapRuntime
import BlueCapTesting
import CoreBluetooth
import Foundation
import Testing

/// Starts of an advertisement that are answered late, refused for a time, or never answered.
@Suite(.timeLimit(.minutes(60)))
struct AdvertisingStartTests {
    @Test func `H4: the late answer to a start that was given up is none to the next one`() async throws {
        try await LampScene.run { scene in
            try await scene.manager.stopAdvertising()
            scene.world.host.settings.startTime = .seconds(11)
            await #expect(throws: PeripheralManagerError.self) {
                try await scene.manager.startAdvertising("One", timeout: .seconds(15))
            }
            // The answer to the first start comes a second from now, and the one to the second in five.
            scene.world.host.settings.startTime = .seconds(5)
            let start = scene.world.start {
                try await scene.manager.startAdvertising("Two", timeout: .seconds(15))
                return await scene.backend.call { _, manager in manager.isAdvertising }
            }
            #expect(try await start.value == true)
            #expect(await scene.backend.statistics.strayCallbacks == 1)
            let far = try await scene.world.farCentral(0)
            _ = try await far.hear { $0.localName == "Two" }
        }
    }

    @Test func `H4: a start is given up after ten seconds in which the program runs`() async throws {
        try await StandInWorld.run(settings: .init(faults: [.silentStart])) { world in
            let clock = ManualClock()
            let seam = PeripheralSeam(in: world)
            let isOn = try await seam.begin(clock: clock.clock)
            #expect(isOn)
            for (number, jumps) in [(1, []), (2, [.seconds(3600), .seconds(60)])] as [(UInt64, [Duration])] {
                let id = RequestID(rawValue: number)
                let operation = PeripheralOperation.advertise(
                    AdvertisementID(rawValue: UInt32(number)), Advertisement(localName: "Lamp"))
                await seam.backend.perform(PeripheralRequest(id: id, operation: operation))
                // A program that is suspended finds its timers overdue, and has run none of them in between.
                let times = [.seconds(1)] + jumps + Array(repeating: Duration.seconds(1), count: 8 - jumps.count)
                for time in times { await seam.backend.pass(time, on: clock) }
                #expect(seam.result(of: id) == nil)
                await seam.backend.pass(.seconds(1), on: clock)
                guard case .failure(.backend(let failure))? = seam.result(of: id) else {
                    Issue.record("the start \(number) is not given up")
                    return
                }
                #expect(failure.name == "CoreBluetooth.unansweredStart")
            }
            await seam.backend.invalidate()
            await world.close()
        }
    }

    /// An answer of CoreBluetooth to a start.
    enum Answer: CaseIterable {
        case never
        case done
        case refused
    }

    @Test(arguments: Answer.allCases, Answer.allCases)
    func `H4: a start after one that was given up has its own end, whatever becomes of that one`(
        _ late: Answer, _ own: Answer
    ) async throws {
        try await StandInWorld.run(settings: .init(faults: [.silentStart])) { world in
            let clock = ManualClock()
            let seam = PeripheralSeam(in: world)
            let isOn = try await seam.begin(clock: clock.clock)
            #expect(isOn)
            let requests = [1, 2].map { number in
                PeripheralRequest(
                    id: RequestID(rawValue: number),
                    operation: .advertise(AdvertisementID(rawValue: UInt32(number)), Advertisement(localName: "One")))
            }
            await seam.backend.perform(requests[0])
            for _ in 0..<10 { await seam.backend.pass(.seconds(1), on: clock) }
            #expect(seam.result(of: requests[0].id) != nil)
            await seam.backend.perform(requests[1])
            try await Self.answer(late, isOwn: false, of: seam, in: world)
            #expect(seam.result(of: requests[1].id) == nil)
            try await Self.answer(own, isOwn: true, of: seam, in: world)
            // A refusal may be that of the earlier start, until the own answer has stayed away for two seconds.
            let isRefused = own == .refused || own == .never && late == .refused
            for _ in 0..<(isRefused ? 3 : 10) { await seam.backend.pass(.seconds(1), on: clock) }
            switch seam.result(of: requests[1].id) {
            case .success?: #expect(own == .done)
            case .failure(.backend(let failure))?:
                #expect(own != .done)
                #expect(failure.name == (isRefused ? "CBError.unknown" : "CoreBluetooth.unansweredStart"))
            case let other: Issue.record("the start ended with \(String(describing: other))")
            }
            #expect(await seam.backend.call { _, manager in manager.isAdvertising } == (own == .done))
            await seam.backend.invalidate()
            await world.close()
        }
    }

    /// Has CoreBluetooth answer a start, while the advertisement is on the air only by the own one.
    private static func answer(
        _ answer: Answer, isOwn: Bool, of seam: PeripheralSeam, in world: StandInWorld
    ) async throws {
        let isOnAir = answer == .done && isOwn
        await seam.backend.call { _, manager in manager.stopAdvertising() }
        if isOnAir { await seam.backend.call { _, manager in manager.startAdvertising(nil) } }
        #expect(try await world.wait { await seam.backend.call { _, manager in manager.isAdvertising } == isOnAir })
        if answer == .never { return }
        let error = answer == .refused ? NSError(domain: CBErrorDomain, code: 0) : nil
        await seam.backend.call { delegate, manager in
            delegate.peripheralManagerDidStartAdvertising(manager, error: error)
        }
    }

    @Test func `H4: a start during a stop is repeated, though the program was suspended meanwhile`() async throws {
        try await StandInWorld.run(settings: .init(faults: [.slowStop])) { world in
            let clock = ManualClock()
            let seam = PeripheralSeam(in: world)
            let isOn = try await seam.begin(clock: clock.clock)
            #expect(isOn)
            let id = AdvertisementID(rawValue: 1)
            let requests = [
                .advertise(id, Advertisement(localName: "One")), .stopAdvertising(id),
                .advertise(id, Advertisement(localName: "Two")),
            ].enumerated().map { PeripheralRequest(id: RequestID(rawValue: UInt64($0.offset)), operation: $0.element) }
            await seam.backend.perform(requests[0])
            let isStarted = try await world.wait { seam.result(of: requests[0].id) != nil }
            #expect(isStarted)
            // The answer to the second start, a refusal, comes after an hour.
            _ = await seam.backend.eventCount(in: seam) { backend in
                backend.perform(requests[1])
                backend.perform(requests[2])
                clock.advance(by: .seconds(3600))
            }
            for _ in 0..<15 {
                await seam.backend.pass(.milliseconds(100), on: clock)
                try await world.elapse(.milliseconds(100))
            }
            guard case .success? = seam.result(of: requests[2].id) else {
                Issue.record("the start ended with \(String(describing: seam.result(of: requests[2].id)))")
                return
            }
            await seam.backend.invalidate()
            await world.close()
        }
    }

    @Test func `H4: an advertisement that begins after it was given up is taken from the air`() async throws {
        try await StandInWorld.run(settings: .init(faults: [.silentStart])) { world in
            let clock = ManualClock()
            let seam = PeripheralSeam(in: world)
            let isOn = try await seam.begin(clock: clock.clock)
            #expect(isOn)
            let request = PeripheralRequest(
                id: RequestID(rawValue: 1),
                operation: .advertise(AdvertisementID(rawValue: 1), Advertisement(localName: "One")))
            await seam.backend.perform(request)
            for _ in 0..<10 { await seam.backend.pass(.seconds(1), on: clock) }
            #expect(seam.result(of: request.id) != nil)
            world.host.faults = []
            await seam.backend.call { _, manager in manager.startAdvertising(nil) }
            try await world.elapse(.seconds(1))
            #expect(await seam.backend.call { _, manager in manager.isAdvertising } == false)
            #expect(await seam.backend.statistics.strayCallbacks == 1)
            await seam.backend.invalidate()
            await world.close()
        }
    }

    @Test func `H4: a start that is never answered holds up no later one`() async throws {
        try await LampScene.run { scene in
            try await scene.manager.stopAdvertising()
            scene.world.host.faults = [.silentStart]
            await #expect(throws: PeripheralManagerError.self) {
                try await scene.manager.startAdvertising("One", timeout: .seconds(15))
            }
            scene.world.host.faults = []
            try? await scene.manager.stopAdvertising()
            try await scene.manager.startAdvertising("Two", timeout: .seconds(10))
            let far = try await scene.world.farCentral(0)
            _ = try await far.hear { $0.localName == "Two" }
        }
    }
}
