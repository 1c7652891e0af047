// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus
import Testing

extension OverABus {
    /// Subscribers that leave, and bonded ones that come back without a report by bluetoothd.
    @Suite(.timeLimit(.minutes(60)))
    struct ReturningTests {
        private static let newest = "usb:v1D6Bp0246d0557"
        private let options: StubBlueZ.Properties = ["device": .objectPath(Stage.device), "mtu": .uint16(185)]
        private let attribute = PeripheralStage.characteristic

        /// A bonded central that is subscribed over a socket of its own.
        private func bondedSubscriber() async throws -> (PeripheralStage, Served, SocketEnd, Central) {
            let stage = try await PeripheralStage(modalias: Self.newest)
            let served = try await stage.serve(.notify)
            await stage.set(["Bonded": .bool(true)])
            let (socket, _) = try await served.acquire("AcquireNotify", options)
            return (stage, served, socket, try await stage.subscriber(of: attribute))
        }

        /// The central connects, and is a subscriber without a name as soon as bluetoothd has read its services.
        private func expectReturn(_ stage: PeripheralStage, _ served: Served) async throws {
            await stage.set(["Connected": .bool(true)])
            // Signals sent before this answer have been handled.
            _ = try await served.characteristic()
            let early = await stage.request(.update(attribute, [0], central: nil))
            #expect(try await stage.failure(of: early) == .disconnected)
            await stage.set(["ServicesResolved": .bool(true)])
            #expect(try await stage.subscriber(of: attribute).isAggregate)
        }

        @Test(arguments: [false, true])
        func `a bonded subscriber that comes back has no name, in whichever order its socket and its link ended`(
            _ endsLinkFirst: Bool
        ) async throws {
            let (stage, served, socket, central) = try await bondedSubscriber()
            // bluetoothd knows of the link's end first, and may say so however late.
            await stage.keep(["Connected": .bool(false)])
            if endsLinkFirst {
                await stage.set(["Connected": .bool(false)])
                _ = try await served.characteristic()
            }
            socket.close()
            guard case .unsubscribed(attribute, central) = try await stage.next() else { throw Unexpected("no end") }
            if !endsLinkFirst {
                _ = try await served.characteristic()
                stage.clock.advance(by: .seconds(10))
                await stage.set(["Connected": .bool(false)])
            }
            try await expectReturn(stage, served)
            let update = await stage.request(.update(attribute, [1], central: nil))
            try await stage.answer(to: update).get()
            // It writes 0, and then 1 again.
            let (other, _) = try await served.acquire("AcquireNotify", options)
            guard case .unsubscribed(attribute, Central(identifier: nil)) = try await stage.next() else {
                throw Unexpected("it is there twice")
            }
            #expect(try await stage.subscriber(of: attribute) == central)
            other.close()
        }

        @Test func `a central whose services bluetoothd does not read is a subscriber a second after its return`()
            async throws
        {
            let (stage, served, socket, _) = try await bondedSubscriber()
            await stage.set(["Connected": .bool(false)])
            socket.close()
            guard case .unsubscribed = try await stage.next() else { throw Unexpected("no end") }
            await stage.set(["Connected": .bool(true)])
            _ = try await served.characteristic()
            await stage.clock.waitForTimer(within: .seconds(1))
            stage.clock.advance(by: .milliseconds(999))
            let early = await stage.request(.update(attribute, [0], central: nil))
            #expect(try await stage.failure(of: early) == .disconnected)
            stage.clock.advance(by: .milliseconds(1))
            #expect(try await stage.subscriber(of: attribute).isAggregate)
        }

        @Test func `a central that has only just come back is no subscriber either when another one leaves`()
            async throws
        {
            let (stage, served, socket, _) = try await bondedSubscriber()
            await stage.addOther()
            await stage.set(["Connected": .bool(false)])
            socket.close()
            guard case .unsubscribed = try await stage.next() else { throw Unexpected("no end") }
            await stage.set(["Connected": .bool(true)])
            await stage.endOther()
            _ = try await served.characteristic()
            let update = await stage.request(.update(attribute, [1], central: nil))
            #expect(try await stage.failure(of: update) == .disconnected)
        }

        @Test func `a bonded central is a subscriber when it comes back, if its socket closed as the radio went off`()
            async throws
        {
            let (stage, served, socket, _) = try await bondedSubscriber()
            await stage.keep(["Connected": .bool(false)])
            socket.close()
            guard case .unsubscribed = try await stage.next() else { throw Unexpected("no end") }
            try await stage.passPowerOff()
            try await expectReturn(stage, served)
        }

        @Test func `a bonded central that ended its subscription is no subscriber when it comes back`() async throws {
            let (stage, served, socket, central) = try await bondedSubscriber()
            socket.close()
            guard case .unsubscribed(attribute, central) = try await stage.next() else { throw Unexpected("no end") }
            // Its question whether the link has ended was answered before this.
            _ = try await served.characteristic()
            await stage.set(["Connected": .bool(false)])
            await stage.set(["Connected": .bool(true), "ServicesResolved": .bool(true)])
            _ = try await served.characteristic()
            let update = await stage.request(.update(attribute, [1], central: nil))
            #expect(try await stage.failure(of: update) == .disconnected)
        }

        @Test func `of a bonded subscriber that was forgotten, a value is signalled once nobody is there`()
            async throws
        {
            let (stage, served, socket, _) = try await bondedSubscriber()
            await stage.set(["Connected": .bool(false)])
            socket.close()
            guard case .unsubscribed = try await stage.next() else { throw Unexpected("no end") }
            await stage.addOther()
            let changes = try await stage.stub.changes()
            await stage.stub.run { $0.remove(Stage.device) }
            // A signal caused by this would come before the answer.
            _ = try await served.characteristic()
            #expect(changes.count == 0)
            await stage.endOther()
            #expect(await changes.next() == "Value")
        }

        @Test func `of a subscriber that was not bonded nothing is signalled when it is forgotten`() async throws {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.indicate)
            _ = try await served.call("StartNotify")
            _ = try await stage.subscriber(of: attribute)
            await stage.set(["Connected": .bool(false)])
            let changes = try await stage.stub.changes()
            await stage.stub.run { $0.remove(Stage.device) }
            _ = try await served.characteristic()
            #expect(changes.count == 0)
        }

        @Test func `a subscriber of an indication that left for good is none any more`() async throws {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.indicate)
            _ = try await served.call("StartNotify")
            _ = try await stage.subscriber(of: attribute)
            let update = await stage.request(.update(attribute, [1], central: nil))
            await stage.set(["Connected": .bool(false)])
            guard case .unsubscribed(attribute, Central(identifier: nil)) = try await stage.next() else {
                throw Unexpected("still there")
            }
            #expect(try await stage.failure(of: update) == .disconnected)
            try await expectReturn(stage, served)
        }

        @Test func `an indication that is not confirmed in 31 seconds has reached nobody`() async throws {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.indicate)
            _ = try await served.call("StartNotify")
            _ = try await stage.subscriber(of: attribute)
            let update = await stage.request(.update(attribute, [1], central: nil))
            await stage.clock.waitForTimer(within: .seconds(31))
            stage.clock.advance(by: .seconds(31))
            #expect(try await stage.failure(of: update) == .disconnected)
        }

        @Test func `the subscriptions of before the radio was off are there when a central comes back`() async throws {
            let (stage, served, socket, _) = try await bondedSubscriber()
            try await stage.passPowerOff()
            try await expectReturn(stage, served)
            #expect(try socket.isClosed())
        }

        @Test func `where one socket serves all, it goes on serving them after the radio was off, until it is closed`()
            async throws
        {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.notify)
            let (socket, _) = try await served.acquire("AcquireNotify", options)
            _ = try await stage.subscriber(of: attribute)
            try await stage.passPowerOff()
            try await expectReturn(stage, served)
            let update = await stage.request(.update(attribute, [1], central: nil))
            try await stage.answer(to: update).get()
            #expect(try socket.receive() == [1])
            socket.close()
            guard case .unsubscribed(attribute, Central(identifier: nil)) = try await stage.next() else {
                throw Unexpected("no end")
            }
        }

        @Test func `nobody becomes a subscriber while the radio is off`() async throws {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.indicate)
            await stage.addOther()
            _ = try await served.call("StartNotify")
            _ = try await stage.subscriber(of: attribute)
            // Of the next event it is checked that it is the radio's.
            try await stage.passPowerOff()
        }

        @Test func `an indication for one that was away does not hold back those behind it, though others were there`()
            async throws
        {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.indicate)
            await stage.addOther()
            _ = try await served.call("StartNotify")
            _ = try await stage.subscriber(of: attribute)
            await stage.set(["Bonded": .bool(true), "Connected": .bool(false)])
            _ = try await served.characteristic()
            let update = await stage.request(.update(attribute, [1], central: nil))
            await stage.set(["Connected": .bool(true), "ServicesResolved": .bool(true)])
            #expect(try await stage.failure(of: update) == .disconnected)
            #expect(try await stage.subscriber(of: attribute).isAggregate)
        }

        @Test func `an indication waits for its confirmation, though a device comes that has no bond`() async throws {
            let stage = try await PeripheralStage()
            let served = try await stage.serve(.indicate)
            _ = try await served.call("StartNotify")
            _ = try await stage.subscriber(of: attribute)
            let update = await stage.request(.update(attribute, [1], central: nil))
            await stage.addOther()
            await stage.stub.run {
                $0.set(PeripheralStage.other, BlueZInterface.device, ["ServicesResolved": .bool(true)])
            }
            #expect(try await stage.subscriber(of: attribute).isAggregate)
            _ = try await served.call("Confirm")
            try await stage.answer(to: update).get()
        }

        @Test func `a central whose bond has ended is no subscriber when it comes back`() async throws {
            let (stage, served, socket, _) = try await bondedSubscriber()
            await stage.set(["Connected": .bool(false)])
            socket.close()
            guard case .unsubscribed = try await stage.next() else { throw Unexpected("no end") }
            try await expectReturn(stage, served)
            await stage.set(["Bonded": .bool(false)])
            await stage.set(["Connected": .bool(false), "ServicesResolved": .bool(false)])
            guard case .unsubscribed = try await stage.next() else { throw Unexpected("it stays") }
            await stage.set(["Connected": .bool(true), "ServicesResolved": .bool(true)])
            _ = try await served.characteristic()
            let update = await stage.request(.update(attribute, [1], central: nil))
            #expect(try await stage.failure(of: update) == .disconnected)
        }

        @Test func `the end of all subscriptions is the end of those with a name, too`() async throws {
            let stage = try await PeripheralStage(modalias: Self.newest)
            let served = try await stage.serve(.notify)
            let (socket, _) = try await served.acquire("AcquireNotify", options)
            let central = try await stage.subscriber(of: attribute)
            _ = try await served.call("StartNotify")
            _ = try await stage.subscriber(of: attribute)
            _ = try await served.call("StopNotify")
            guard case .unsubscribed(attribute, central) = try await stage.next() else { throw Unexpected("it stays") }
            guard case .unsubscribed(attribute, Central(identifier: nil)) = try await stage.next() else {
                throw Unexpected("all stay")
            }
            socket.close()
        }

        @Test func `an empty value does not go over a socket, which it would end`() async throws {
            let stage = try await PeripheralStage(modalias: Self.newest)
            let served = try await stage.serve(.notify)
            let (socket, _) = try await served.acquire("AcquireNotify", options)
            _ = try await stage.subscriber(of: attribute)
            let all = await stage.request(.update(attribute, [], central: nil))
            try await stage.answer(to: all).get()
            let one = await stage.request(.update(attribute, [], central: Stage.id))
            #expect(try await stage.failure(of: one) == .unsupported)
            let next = await stage.request(.update(attribute, [1], central: nil))
            try await stage.answer(to: next).get()
            #expect(try socket.receive() == [1])
        }
    }
}
#endif
