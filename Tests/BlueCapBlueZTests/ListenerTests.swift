// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus
import BlueCapPrivateBus
import BlueCapRuntime
import Testing

extension OverABus {
    @Suite(.timeLimit(.minutes(60)))
    struct ListenerTests {
        private static let descriptor = Stage.value + "/desc0013"

        /// A daemon that knows a device which some program is connected to.
        private func connected(_ stub: StubBlueZ) async throws {
            await stub.run { stub in
                stub.add(StubBlueZ.adapter, Stage.adapter())
                stub.add(Stage.device, Stage.deviceProperties())
                stub.add(Stage.service, Stage.service("180f"))
                var value = Stage.characteristic("2a19", ["read", "notify"])
                value[BlueZInterface.characteristic]?["Value"] = .bytes([99])
                value[BlueZInterface.characteristic]?["Notifying"] = .bool(true)
                stub.add(Stage.value, value)
                stub.add(
                    Self.descriptor,
                    [BlueZInterface.descriptor: ["UUID": .string("2901"), "Value": .bytes([0x41])]])
                stub.add(Stage.control, Stage.characteristic("2a39", ["write"]))
            }
            try await stub.start()
        }

        private func stage() async throws -> (PrivateBus, StubBlueZ, BlueZListener) {
            let bus = try PrivateBus()
            let stub = try StubBlueZ(on: bus)
            try await connected(stub)
            return (bus, stub, BlueZListener(bus: bus.address, clock: ManualClock().clock))
        }

        @Test
        func `a device is known with its database, and with the values that bluetoothd has at hand`() async throws {
            let (bus, stub, listener) = try await stage()
            let peer = try #require(try await listener.peer(Stage.id.text))
            #expect(peer.address == Stage.id)
            #expect(peer.services.map(\.uuid) == ["180F"])
            #expect(peer.services.map(\.handle) == [0x10])
            let characteristics = peer.services[0].characteristics
            #expect(characteristics.map(\.uuid) == ["2A19", "2A39"])
            #expect(characteristics.map(\.handle) == [0x12, 0x15])
            #expect(characteristics.map(\.properties) == [[.read, .notify], .write])
            #expect(characteristics.map(\.value) == [[99], nil])
            #expect(characteristics[0].descriptors.map(\.uuid) == ["2901"])
            #expect(characteristics[0].descriptors.map(\.value) == [[0x41]])
            // Nothing was asked of the device.
            #expect(await stub.run { $0.log } == [])
            withExtendedLifetime((bus, stub)) {}
        }

        @Test
        func `a device is found by its name, in capitals or not, and one that is not known is nil`() async throws {
            let (bus, stub, listener) = try await stage()
            let name = try #require(try await listener.peer(Stage.id.text)?.name)
            #expect(try await listener.peer(name.uppercased())?.address == Stage.id)
            #expect(try await listener.peer("Toaster") == nil)
            withExtendedLifetime((bus, stub)) {}
        }

        @Test func `an attribute that makes no sense is left out, and moves no other one's handle`() async throws {
            let (bus, stub, listener) = try await stage()
            await stub.run { stub in
                stub.set(Stage.value, BlueZInterface.characteristic, ["UUID": .string("nonsense")])
                stub.add(Stage.control + "/desc0015", [BlueZInterface.descriptor: ["UUID": .string("nonsense")]])
                stub.add(Stage.control + "/desc0016", [BlueZInterface.descriptor: ["UUID": .string("2901")]])
            }
            let peer = try #require(try await listener.peer(Stage.id.text))
            let characteristics = try #require(peer.services.first?.characteristics)
            #expect(characteristics.map(\.handle) == [0x15])
            #expect(characteristics.map(\.properties) == [.write])
            #expect(characteristics.first?.descriptors.map(\.handle) == [0x16])
            withExtendedLifetime((bus, stub)) {}
        }

        @Test
        func `values are passed on as they are announced, and whether a program is subscribed`() async throws {
            let (bus, stub, listener) = try await stage()
            _ = try await listener.ready()
            var values = await listener.values(of: Stage.id.text).makeAsyncIterator()
            await stub.run { stub in
                stub.notify(Stage.value, [1])
                stub.notify(Stage.value, [2])
                stub.set(Stage.value, BlueZInterface.characteristic, ["Notifying": .bool(false)])
                stub.notify(Stage.value, [3])
            }
            for (value, isNotification) in [([1], true), ([2], true), ([3], false)] as [(Bytes, Bool)] {
                let next = await values.next()
                #expect(next?.characteristic == 0x12)
                #expect(next?.value == value)
                #expect(next?.isNotification == isNotification)
            }
            #expect(await stub.run { $0.log } == [])
            withExtendedLifetime((bus, stub)) {}
        }

        @Test func `a daemon that starts again says anew whether a program is subscribed`() async throws {
            let (bus, stub, listener) = try await stage()
            _ = try await listener.peer(Stage.id.text)
            var values = await listener.values(of: Stage.id.text).makeAsyncIterator()
            try await stub.leave()
            while await listener.hasDaemon, !Task.isCancelled { await Task.yield() }
            await stub.run { $0.keep(Stage.value, BlueZInterface.characteristic, ["Notifying": .bool(false)]) }
            try await stub.start()
            while try await listener.ready().tree.isEmpty {}
            await stub.run { $0.notify(Stage.value, [1]) }
            #expect(await values.next()?.isNotification == false)
            withExtendedLifetime((bus, stub)) {}
        }

        @Test func `a wait for bluetoothd ends with its task`() async throws {
            let bus = try PrivateBus()
            let clock = ManualClock()
            let listener = BlueZListener(bus: bus.address, clock: BlueCapClock(clock))
            let task = Task { () async -> CentralManagerError? in
                do throws(CentralManagerError) { _ = try await listener.ready() } catch { return error }
                return nil
            }
            while await !listener.waitsForDaemon, !Task.isCancelled { await Task.yield() }
            task.cancel()
            // The clock stands, so no timeout ends it.
            #expect(await task.value == .cancelled)
            withExtendedLifetime(bus) {}
        }

        @Test func `the values end at once where there is no bus, and with the listener`() async throws {
            let deaf = BlueZListener(bus: "no address")
            var none = await deaf.values(of: Stage.id.text).makeAsyncIterator()
            #expect(await none.next() == nil)
            let bus = try PrivateBus()
            var listener: BlueZListener? = BlueZListener(bus: bus.address)
            var values = await listener?.values(of: Stage.id.text).makeAsyncIterator()
            listener = nil
            #expect(await values?.next() == nil)
        }

        @Test
        func `adapters are listed in the order of their numbers, with what bluetoothd says of each`() async throws {
            let bus = try PrivateBus()
            let stub = try StubBlueZ(on: bus)
            await stub.run { stub in
                var first = Stage.adapter(address: "C0:DE:00:00:00:02")
                first[BlueZInterface.adapter]?["Alias"] = .string("desk")
                first[BlueZInterface.adapter]?["Discovering"] = .bool(true)
                first[BlueZInterface.adapter]?["Roles"] = .strings(["central", "peripheral"])
                first[BlueZInterface.advertisingManager] = [
                    "ActiveInstances": .byte(1), "SupportedInstances": .byte(4),
                ]
                stub.add("/org/bluez/hci2", first)
                stub.add("/org/bluez/hci10", Stage.adapter(address: "C0:DE:00:00:00:03", isPowered: false))
            }
            try await stub.start()
            let adapters = try await BlueZListener(bus: bus.address, clock: ManualClock().clock).adapters()
            #expect(adapters.map(\.name) == ["hci2", "hci10"])
            let first = try #require(adapters.first)
            #expect((first.address, first.alias) == ("C0:DE:00:00:00:02", "desk"))
            #expect((first.isPowered, first.isDiscovering, first.isPairable) == (true, true, false))
            #expect(first.roles == ["central", "peripheral"])
            #expect((first.advertisementCount, first.advertisementCapacity) == (1, 5))
            #expect(first.version == "5.66")
            #expect(adapters.last?.isPowered == false)
            #expect(adapters.last?.alias == "C0:DE:00:00:00:03")
            #expect(adapters.last?.advertisementCapacity == nil)
        }

        @Test
        func `bonds are the devices with keys, in the order of their addresses`() async throws {
            let bus = try PrivateBus()
            let stub = try StubBlueZ(on: bus)
            await stub.run { stub in
                stub.add(StubBlueZ.adapter, Stage.adapter())
                for (number, isPaired) in [(3, true), (2, false), (1, true)] {
                    var device = Stage.deviceProperties(address: "C0:00:00:00:00:0\(number)", isConnected: number == 1)
                    device[BlueZInterface.device]?["Paired"] = .bool(isPaired)
                    stub.add(StubBlueZ.adapter + "/dev_C0_00_00_00_00_0\(number)", device)
                }
            }
            try await stub.start()
            let bonds = try await BlueZListener(bus: bus.address, clock: ManualClock().clock).bonds()
            #expect(bonds.map(\.identifier) == ["C0:00:00:00:00:01", "C0:00:00:00:00:03"])
            #expect(bonds.map(\.name) == ["Heart", "Heart"])
            #expect(bonds.map(\.isConnected) == [true, false])
        }

        @Test
        func `without a daemon there is nothing to listen to`() async throws {
            let bus = try PrivateBus()
            let clock = ManualClock()
            let listener = BlueZListener(bus: bus.address, clock: clock.clock)
            async let peer = listener.peer(Stage.id.text)
            while await !listener.waitsForDaemon, !Task.isCancelled { await Task.yield() }
            await clock.waitForTimer(within: .seconds(5))
            clock.advance(by: .seconds(6))
            do {
                _ = try await peer
                Issue.record("there was something")
            } catch {
                #expect(error as? CentralManagerError == .powerOnTimeout)
            }
        }
    }
}

extension BlueZListener {
    /// Whether a call waits and the bus has sent all of its messages.
    fileprivate var waitsForDaemon: Bool { isWaiting && session?.status == .withoutDaemon }

    /// Whether it has read a daemon's objects and not seen the end of it.
    fileprivate var hasDaemon: Bool { session?.status == .ready }
}
#endif
