// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Peripheral manager: the time of an advertisement, and what is told of it", .timeLimit(.minutes(60)))
struct PeripheralAirTimeTests {
    private static let timed = Advertisement(localName: "a", timeout: .seconds(10))

    @Test
    func `an advertisement whose time is over is taken down, and nothing is advertised any more`() async throws {
        try await PeripheralWorld.run { world in
            await world.backend.answerAll(true)
            let failures = await world.recorder(world.manager.registrationFailures())
            let events = await world.recorder(world.manager.advertisingEvents())
            try await world.manager.startAdvertising(Self.timed)
            await world.advance(by: .milliseconds(9999))
            #expect(world.manager.isAdvertising)
            await world.advance(by: .milliseconds(1))
            #expect(!world.manager.isAdvertising)
            #expect(await world.backend.summary() == ["advertise a", "stop"])
            #expect(events.all.map(\.kind) == [.started, .ended(.timeOver)])
            #expect(events.all.map(\.advertisement) == [Self.timed, Self.timed])
            #expect(failures.all.isEmpty)
            try await world.manager.startAdvertising("b")
            await world.cyclePower(forgetting: true)
            #expect(await world.backend.summary(from: 2) == ["advertise b", "advertise b"])
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test func `the platform is told nothing of the time, which it would forget`() async throws {
        try await PeripheralWorld.run { world in
            await world.backend.answerAll(true)
            try await world.manager.startAdvertising(Self.timed)
            try await world.manager.updateAdvertisement(Advertisement(localName: "b", timeout: .seconds(5)))
            let told = await world.backend.operations.compactMap { operation in
                switch operation {
                case .advertise(_, let advertisement), .updateAdvertisement(_, let advertisement): advertisement
                default: nil
                }
            }
            #expect(told == [Advertisement(localName: "a"), Advertisement(localName: "b")])
        }
    }

    @Test func `time passes while the platform is gone: what is left of it counts after the return`() async throws {
        try await PeripheralWorld.run { world in
            await world.backend.answerAll(true)
            try await world.manager.startAdvertising(Self.timed)
            await world.advance(by: .seconds(4))
            await world.emit(.stateChanged(.resetting, nil))
            await world.advance(by: .seconds(3))
            await world.emit(.registrationsLost)
            await world.emit(.stateChanged(.poweredOn, nil))
            #expect(world.manager.isAdvertising)
            await world.advance(by: .milliseconds(2999))
            #expect(world.manager.isAdvertising)
            await world.advance(by: .milliseconds(1))
            #expect(!world.manager.isAdvertising)
            #expect(await world.backend.summary() == ["advertise a", "advertise a", "stop"])
        }
    }

    @Test
    func `a time that is over while the platform is gone is told then, and the advertisement does not return`()
        async throws
    {
        try await PeripheralWorld.run { world in
            await world.backend.answerAll(true)
            let events = await world.recorder(world.manager.advertisingEvents())
            try await world.manager.startAdvertising(Self.timed)
            await world.emit(.stateChanged(.poweredOff, nil))
            await world.advance(by: .seconds(10))
            #expect(events.all.map(\.kind) == [.started, .interrupted(.poweredOff), .ended(.timeOver)])
            await world.emit(.registrationsLost)
            await world.emit(.stateChanged(.poweredOn, nil))
            #expect(await world.backend.summary() == ["advertise a"])
            #expect(events.all.count == 3)
            try await world.manager.startAdvertising("b")
        }
    }

    @Test
    func `a change begins the time anew; one that is refused does not, nor does one without a time leave it`()
        async throws
    {
        try await PeripheralWorld.run { world in
            let start = await world.start { try await world.manager.startAdvertising(Self.timed) }
            await world.answer()
            #expect(start.value != nil)
            await world.advance(by: .seconds(9))
            let change = await world.start { try await world.manager.updateAdvertisement(Self.timed) }
            await world.answer()
            #expect(change.value != nil)
            await world.advance(by: .seconds(9))
            #expect(world.manager.isAdvertising)
            let refused = await world.start {
                try await world.manager.updateAdvertisement(Advertisement(localName: "b", timeout: .seconds(10)))
            }
            await world.refuse()
            #expect(refused.error as? PeripheralManagerError == .backend(.refused))
            await world.advance(by: .milliseconds(999))
            #expect(world.manager.isAdvertising)
            let endless = await world.start { try await world.manager.updateAdvertisement(Advertisement()) }
            await world.answer()
            #expect(endless.value != nil)
            await world.advance(by: .seconds(100))
            #expect(world.manager.isAdvertising)
        }
    }

    // MARK: Events

    @Test
    func `an interruption is told with its reason before the state, and the return when it is on the air again`()
        async throws
    {
        try await PeripheralWorld.run { world in
            await world.backend.answerAll(true)
            let events = await world.recorder(world.manager.advertisingEvents())
            try await world.manager.startAdvertising("a")
            let handle = try await world.manager.advertise(Advertisement(localName: "b"))
            await world.emit(.stateChanged(.poweredOff, nil))
            await world.emit(.stateChanged(.poweredOn, nil))
            await world.emit(.stateChanged(.resetting, .refused))
            try await handle.stop()
            await world.emit(.registrationsLost)
            await world.emit(.stateChanged(.poweredOn, nil))
            let lost = AdvertisingEvent.Kind.interrupted(.backend(.refused))
            let off = AdvertisingEvent.Kind.interrupted(.poweredOff)
            #expect(
                events.all.filter { $0.id == handle.id }.map(\.kind)
                    == [.started, off, .started, lost, .ended(.stopped)])
            #expect(
                events.all.filter { $0.id != handle.id }.map(\.kind) == [.started, off, .started, lost, .started])
        }
    }

    @Test
    func `a platform that forgets while it is on interrupts the advertisement until it has taken it again`()
        async throws
    {
        try await PeripheralWorld.run { world in
            let events = await world.recorder(world.manager.advertisingEvents())
            let start = await world.start { try await world.manager.startAdvertising("a") }
            await world.answer()
            #expect(start.value != nil)
            await world.emit(.registrationsLost)
            #expect(events.all.count == 2)
            guard case .interrupted(.backend(let failure))? = events.all.last?.kind else { throw CancellationError() }
            #expect(failure.isTransient)
            await world.answer()
            #expect(events.all.last?.kind == .started)
        }
    }

    @Test
    func `an advertisement that the platform takes down, or does not take again, has ended with the reason`()
        async throws
    {
        try await PeripheralWorld.run { world in
            await world.backend.answerAll(true)
            let failures = await world.recorder(world.manager.registrationFailures())
            let events = await world.recorder(world.manager.advertisingEvents())
            try await world.manager.startAdvertising("a")
            guard case .advertise(let first, _)? = await world.backend.operations.last else {
                throw CancellationError()
            }
            await world.emit(.advertisingEnded(first, .refused))
            #expect(!world.manager.isAdvertising)
            #expect(events.all.map(\.kind) == [.started, .ended(.refused(.backend(.refused)))])
            #expect(failures.all.map(\.subject) == [.advertisement(Advertisement(localName: "a"))])
            try await world.manager.startAdvertising("b")
            await world.backend.answerAll(false)
            await world.cyclePower(forgetting: true)
            await world.refuse()
            #expect(events.all.count == 5)
            #expect(events.all.last?.kind == .ended(.refused(.backend(.refused))))
            #expect(failures.all.map(\.error) == [.backend(.refused), .backend(.refused)])
            await world.cyclePower(forgetting: true)
            #expect(await world.backend.summary() == ["advertise a", "advertise b", "advertise b"])
        }
    }

    @Test func `of an advertisement that never was on the air nothing is told`() async throws {
        try await PeripheralWorld.run { world in
            let events = await world.recorder(world.manager.advertisingEvents())
            let start = await world.start { try await world.manager.startAdvertising("a") }
            await world.refuse()
            #expect(start.error != nil)
            #expect(events.all.isEmpty)
        }
    }

    @Test
    func `a change that is lost with the radio is one interruption, however the manager makes sure of it afterwards`()
        async throws
    {
        try await PeripheralWorld.run { world in
            let events = await world.recorder(world.manager.advertisingEvents())
            let start = await world.start { try await world.manager.startAdvertising("a") }
            await world.answer()
            #expect(start.value != nil)
            _ = await world.start { try await world.manager.updateAdvertisement(Advertisement(localName: "b")) }
            await world.backend.answerAll(true)
            await world.cyclePower()
            #expect(await world.backend.summary(from: 1) == ["change to b", "stop", "advertise a"])
            #expect(events.all.map(\.kind) == [.started, .interrupted(.poweredOff), .started])
        }
    }

    @Test func `the events end with the manager`() async throws {
        try await PeripheralWorld.run { world in
            await world.backend.answerAll(true)
            let events = await world.recorder(world.manager.advertisingEvents())
            try await world.manager.startAdvertising(Self.timed)
            await world.manager.invalidate()
            await world.idle()
            #expect(events.hasEnded)
            #expect(events.all.map(\.kind) == [.started])
            #expect(world.clock.timerCount == 0)
        }
    }
}
