// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapSerDe
import Testing

extension OverABus {
    /// Links that stand before the manager asks for them.
    @Suite(.timeLimit(.minutes(60)))
    struct JoiningTests {
        private static let device = "dev_C0_00_00_00_00_01"

        /// A device with a link that another program made.
        private func standing(
            isResolved: Bool = true, isPublic: Bool = false, flags: UInt8? = nil, hasServices: Bool = true
        ) async throws -> Stage {
            let stage = try await Stage()
            await stage.stub.run { stub in
                var properties = Stage.deviceProperties(isConnected: true, isResolved: isResolved)
                properties[BlueZInterface.device]?["AddressType"] = .string(isPublic ? "public" : "random")
                if let flags { properties[BlueZInterface.device]?["AdvertisingFlags"] = .bytes([flags]) }
                stub.add(Stage.device, properties)
                if hasServices { stub.addDatabase() }
            }
            try await stage.settle()
            return stage
        }

        private func expectConnected(_ stage: Stage, _ unit: Int? = 517) async throws {
            let event = try await stage.events.next()
            guard case .connected(Stage.id, maximumTransmissionUnit: unit) = event else { throw Unexpected("\(event)") }
        }

        private func calls(_ stage: Stage) async -> [String] {
            await stage.stub.settle()
            return await stage.stub.run { $0.log }
        }

        @Test func `a link that stands is taken over without a call, and stays when the manager ends`() async throws {
            let stage = try await standing()
            await stage.command { $0.connect(Stage.id) }
            try await expectConnected(stage)
            await stage.command { $0.invalidate() }
            #expect(await calls(stage) == [])
        }

        @Test func `a link whose services are not there yet is taken over when they are`() async throws {
            let stage = try await standing(isResolved: false)
            await stage.command { $0.connect(Stage.id) }
            try await stage.settle()
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["ServicesResolved": .bool(true)]) }
            try await expectConnected(stage)
            #expect(await calls(stage) == [])
        }

        @Test func `a link that has no services after five seconds is asked for`() async throws {
            let stage = try await standing(isResolved: false)
            await stage.command { $0.connect(Stage.id) }
            await stage.clock.waitForTimer(within: .seconds(5))
            stage.clock.advance(by: .milliseconds(4_999))
            try await stage.settle()
            #expect(await calls(stage) == [])
            stage.clock.advance(by: .milliseconds(1))
            try await stage.stub.call("Connect").reply()
            try await expectConnected(stage, nil)
        }

        @Test func `a link that ends before it was taken over is made anew once BlueZ has cleared up`() async throws {
            let stage = try await standing(isResolved: false)
            await stage.command { $0.connect(Stage.id) }
            try await stage.settle()
            await stage.stub.run { $0.set(Stage.device, BlueZInterface.device, ["Connected": .bool(false)]) }
            try await stage.settle()
            #expect(await calls(stage) == [])
            stage.clock.advance(by: .milliseconds(200))
            _ = try await stage.stub.call("Connect")
        }

        @Test func `an attempt that waits for another program's link is taken back without a call`() async throws {
            let stage = try await standing(isResolved: false)
            await stage.command { $0.connect(Stage.id) }
            await stage.command { $0.disconnect(Stage.id) }
            guard case .connectFailed(Stage.id, .disconnected) = try await stage.events.next() else {
                throw Unexpected("not taken back")
            }
            #expect(await calls(stage) == [])
        }

        @Test(arguments: [nil, 0x02, 0x06] as [UInt8?])
        func `a link of a public address is taken over where it has an MTU, which only LE has`(
            flags: UInt8?
        ) async throws {
            let stage = try await standing(isPublic: true, flags: flags)
            await stage.command { $0.connect(Stage.id) }
            try await expectConnected(stage)
            #expect(await calls(stage) == [])
        }

        @Test func `a link that may be one over BR/EDR is not taken for one over LE`() async throws {
            let stage = try await standing(isPublic: true, flags: 0x02, hasServices: false)
            await stage.command { $0.connect(Stage.id) }
            try await stage.stub.call("Connect").reply()
            try await expectConnected(stage, nil)
        }

        @Test func `without services the flags tell that a link of a public address is one over LE`() async throws {
            let stage = try await standing(isPublic: true, flags: 0x06, hasServices: false)
            await stage.command { $0.connect(Stage.id) }
            try await expectConnected(stage, nil)
            #expect(await calls(stage) == [])
        }

        // MARK: A second link

        @Test(arguments: [247, nil] as [UInt16?])
        func `the MTU of a second link is asked for, as BlueZ signals that of the first only`(
            unit: UInt16?
        ) async throws {
            let stage = try await Stage.connected()
            let device = BlueZInterface.device
            await stage.stub.run { stub in
                stub.set(Stage.device, device, ["ServicesResolved": .bool(false), "Connected": .bool(false)])
                // BlueZ does not say so.
                stub.keep(Stage.value, BlueZInterface.characteristic, ["MTU": .uint16(unit ?? 23)])
            }
            while true { if case .disconnected = try await stage.events.next() { break } }
            await stage.clock.waitForTimer(within: .milliseconds(200))
            stage.clock.advance(by: .milliseconds(200))
            await stage.command { $0.connect(Stage.id) }
            let call = try await stage.stub.call("Connect")
            await stage.stub.run { stub in
                stub.set(Stage.device, device, ["Connected": .bool(true)])
                call.reply()
                stub.set(Stage.device, device, ["ServicesResolved": .bool(true)])
            }
            try await expectConnected(stage, nil)
            let request = await stage.request(.discoverServices(Stage.id, nil))
            let event = try await stage.events.next()
            guard case .maximumTransmissionUnitChanged(Stage.id, Int(unit ?? 23)) = event else {
                throw Unexpected("\(event)")
            }
            guard case .reply(request, .success(.services)) = try await stage.events.next() else {
                throw Unexpected("no services")
            }
        }
    }

    /// Devices that may have BR/EDR beside LE.
    @Suite(.timeLimit(.minutes(60)))
    struct BearerTests {
        private func preferring(_ bearer: String) async throws -> Stage {
            let stage = try await Stage()
            await stage.stub.run { stub in
                var properties = Stage.deviceProperties()
                properties[BlueZInterface.device]?["AddressType"] = .string("public")
                properties[BlueZInterface.device]?["PreferredBearer"] = .string(bearer)
                stub.add(Stage.device, properties)
            }
            try await stage.settle()
            return stage
        }

        private func calls(_ stage: Stage) async throws -> [String] {
            await stage.stub.settle()
            return await stage.stub.run { $0.log }
        }

        @Test(arguments: ["last-used", "bredr"])
        func `LE is asked for while it connects, and what was preferred before comes back`(
            bearer: String
        ) async throws {
            let stage = try await preferring(bearer)
            try await stage.connect()
            #expect(
                try await calls(stage) == [
                    "PreferredBearer le", "Connect dev_C0_00_00_00_00_01", "PreferredBearer \(bearer)",
                ])
        }

        @Test func `what prefers LE, or has no choice, is left so`() async throws {
            let stage = try await preferring("le")
            try await stage.connect()
            #expect(try await calls(stage) == ["Connect dev_C0_00_00_00_00_01"])
        }

        @Test(arguments: [("last-used", true), ("last-seen", true), ("bredr", false)])
        func `what was preferred before is back before the answer comes, unless it would end the attempt`(
            bearer: String, isBack: Bool
        ) async throws {
            let stage = try await preferring(bearer)
            await stage.command { $0.connect(Stage.id) }
            // A program that is killed now leaves what the stub has by now.
            let call = try await stage.stub.call("Connect")
            let begin = ["PreferredBearer le", "Connect dev_C0_00_00_00_00_01"]
            #expect(try await calls(stage) == begin + (isBack ? ["PreferredBearer \(bearer)"] : []))
            withExtendedLifetime(call) {}
        }

        @Test(arguments: ["last-seen", "bredr"])
        func `what was preferred before comes back when the manager ends`(bearer: String) async throws {
            let stage = try await preferring(bearer)
            await stage.command { $0.connect(Stage.id) }
            // Kept until the end, because a released call is answered.
            let call = try await stage.stub.call("Connect")
            await stage.command { $0.invalidate() }
            _ = try await stage.stub.call("Disconnect")
            let settings = try await calls(stage).filter { $0.hasPrefix("PreferredBearer") }
            #expect(settings == ["PreferredBearer le", "PreferredBearer \(bearer)"])
            withExtendedLifetime(call) {}
        }
    }
}
#endif
