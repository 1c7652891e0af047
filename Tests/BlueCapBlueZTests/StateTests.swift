// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapLoop
import BlueCapPrivateBus
import BlueCapSerDe
import Testing

extension OverABus {
    @Suite(.timeLimit(.minutes(60)))
    struct StateTests {
        @Test
        func `without bluetoothd Bluetooth is unsupported, and the failure says what is missing, until it comes`()
            async throws
        {
            let stage = try await Stage(isOn: false)
            let (state, failure) = try await stage.events.change()
            #expect(state == .unsupported)
            #expect(failure?.message == "bluetoothd is not running")
            await stage.stub.run { $0.add(StubBlueZ.adapter, Stage.adapter()) }
            try await stage.stub.start()
            try await #expect(stage.events.state() == .poweredOn)
        }

        @Test func `without an adapter Bluetooth is unsupported until one is plugged in`() async throws {
            let stage = try await Stage(isOn: false)
            try await stage.stub.start()
            var (state, failure) = try await stage.events.change()
            if failure?.message == "bluetoothd is not running" { (state, failure) = try await stage.events.change() }
            #expect(state == .unsupported)
            #expect(failure?.name == "org.bluez.Error.NoSuchAdapter")
            await stage.stub.run { $0.add(StubBlueZ.adapter, Stage.adapter(isPowered: false)) }
            try await #expect(stage.events.state() == .poweredOff)
        }

        @Test
        func `a bus that cannot be reached is unsupported, tried again, and the failure names the bus`() async throws {
            let log = EventLog()
            let clock = ManualClock()
            let backend = BlueZCentralBackend(bus: "unix:path=/nonexistent/bus")
            await activate(backend, clock, log)
            let (state, failure) = try await log.change()
            #expect(state == .unsupported)
            #expect(failure?.advice?.contains("DBUS_SYSTEM_BUS_ADDRESS") == true)
            await clock.waitForTimer(within: .seconds(1))
            #expect(clock.nextDeadline == .milliseconds(250))
            clock.advance(by: .milliseconds(250))
            await clock.waitForTimer(within: .seconds(1))
            #expect(clock.nextDeadline == .milliseconds(750))
        }

        @Test func `an address that is none is unsupported and says so`() async throws {
            let log = EventLog()
            let backend = BlueZCentralBackend(bus: "nonsense")
            await activate(backend, ManualClock(), log)
            let (state, failure) = try await log.change()
            #expect(state == .unsupported)
            #expect(failure != nil)
        }

        private func activate(_ backend: isolated BlueZCentralBackend, _ clock: ManualClock, _ log: EventLog) {
            backend.activate(clock: clock.clock, sink: log.sink)
        }

        @Test func `bluetoothd going away is resetting, its return brings the radio back`() async throws {
            let stage = try await Stage()
            await stage.stub.kill()
            let (state, failure) = try await stage.events.change()
            #expect(state == .resetting)
            #expect(failure?.name == ErrorName.nameHasNoOwner)
            try await stage.stub.start()
            try await #expect(stage.events.state() == .poweredOn)
        }

        @Test
        func `calls that bluetoothd never answers take every place only for a minute: then the bus is opened anew`()
            async throws
        {
            let stage = try await Stage.connected()
            for _ in 0..<97 { await stage.request(.write(Stage.id, Stage.controlID, [1], .withoutResponse)) }
            await stage.clock.waitForTimer(within: .seconds(60))
            stage.clock.advance(by: .seconds(60))
            let (state, failure) = try await stage.events.change()
            #expect(state == .resetting)
            #expect(failure?.message == "bluetoothd has answered none of 96 calls for a minute")
            await stage.clock.waitForTimer(within: .seconds(1))
            stage.clock.advance(by: .seconds(1))
            try await #expect(stage.events.state() == .poweredOn)
        }

        @Test func `an answer of the bluetoothd of before is not taken for one of today's`() async throws {
            let stage = try await Stage()
            await stage.stub.run { $0.add(Stage.device, Stage.deviceProperties()) }
            try await stage.settle()
            await stage.command { $0.connect(Stage.id) }
            let call = try await stage.stub.call("Connect")
            await stage.stub.kill()
            try await #expect(stage.events.state() == .resetting)
            call.reply()
            try await stage.stub.start()
            try await #expect(stage.events.state() == .poweredOn)
            try await stage.settle()
        }

        @Test func `the loss of the bus is resetting, and the bus is tried again on the manager's clock`() async throws
        {
            let stage = try await Stage()
            stage.bus.killDaemon()
            try await #expect(stage.events.state() == .resetting)
            await stage.clock.waitForTimer(within: .seconds(1))
            #expect(stage.clock.nextDeadline == .milliseconds(250))
        }

        @Test(arguments: [AdapterSelection.default, .name("hci0"), .address("C0:DE:00:00:00:01")])
        func `an adapter that is unplugged is resetting; it is known again by its address under another name`(
            selection: AdapterSelection
        ) async throws {
            let stage = try await Stage(adapter: selection)
            await stage.stub.run { $0.remove(StubBlueZ.adapter) }
            try await #expect(stage.events.state() == .resetting)
            await stage.stub.run {
                $0.add(StubBlueZ.adapter, Stage.adapter(address: "C0:DE:00:00:00:99"))
                $0.add("/org/bluez/hci1", Stage.adapter())
            }
            try await #expect(stage.events.state() == .poweredOn)
            await stage.command { $0.scan(ScanRequest()) }
            await stage.passGrace()
            #expect(try await stage.stub.call("StartDiscovery").path == "/org/bluez/hci1")
        }

        @Test func `the adapter follows its power; one that is about to switch off counts as off`() async throws {
            let stage = try await Stage()
            let adapter = BlueZInterface.adapter
            await stage.stub.run { $0.set(StubBlueZ.adapter, adapter, ["PowerState": .string("on-disabling")]) }
            try await #expect(stage.events.state() == .poweredOff)
            await stage.stub.run { stub in
                stub.set(StubBlueZ.adapter, adapter, ["PowerState": .string("off"), "Powered": .bool(false)])
                stub.set(StubBlueZ.adapter, adapter, ["PowerState": .string("off-enabling")])
                stub.set(StubBlueZ.adapter, adapter, ["PowerState": .string("on"), "Powered": .bool(true)])
            }
            try await #expect(stage.events.state() == .poweredOn)
        }

        @Test func `signals of anyone but bluetoothd are ignored`() async throws {
            let stage = try await Stage()
            let other = try await BusConnection.open(BusAddress(stage.bus.address), on: stage.stub.loop)
            await stage.stub.run { stub in
                try? other.link.emitPropertiesChanged(
                    at: StubBlueZ.adapter, interface: BlueZInterface.adapter, changed: ["Powered": .bool(false)])
                stub.add(Stage.device, Stage.deviceProperties())
            }
            try await stage.settle()
            #expect(stage.events.count == 0)
            await other.close()
        }

        @Test func `what is announced while the objects are being read is not lost`() async throws {
            let stage = try await Stage(isOn: false)
            try await #expect(stage.events.state() == .unsupported)
            await stage.stub.run { $0.holdsObjects = true }
            try await stage.stub.start()
            let reading = try await stage.stub.call("GetManagedObjects")
            await stage.stub.run { stub in
                let before = stub.managed
                stub.add(StubBlueZ.adapter, Stage.adapter(isPowered: false))
                stub.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(true)])
                reading.reply(before)
            }
            try await #expect(stage.events.state() == .poweredOn)
        }

        @Test func `managers of one bus share a connection with few match rules`() async throws {
            let stage = try await Stage()
            let first = try BlueZSession.shared(at: BusAddress(stage.bus.address))
            let second = try BlueZSession.shared(at: BusAddress(stage.bus.address))
            #expect(first === second)
            #expect(await first.loop.run { first.link?.matchCount ?? 0 } == 4)
        }

        @Test(arguments: [
            (AdapterSelection.default, "/org/bluez/hci2"), (.name("hci10"), "/org/bluez/hci10"),
            (.address("c0:de:00:00:00:02"), "/org/bluez/hci2"),
        ])
        func `the adapter is the first that is on, or one by name or address`(selection: AdapterSelection, path: String)
            async throws
        {
            let stage = try await Stage(adapter: selection, isOn: false)
            try await #expect(stage.events.state() == .unsupported)
            await stage.stub.run { stub in
                stub.add("/org/bluez/hci0", Stage.adapter(address: "C0:DE:00:00:00:00", isPowered: false))
                stub.add("/org/bluez/hci10", Stage.adapter(address: "C0:DE:00:00:00:10"))
                stub.add("/org/bluez/hci2", Stage.adapter(address: "C0:DE:00:00:00:02"))
            }
            try await stage.stub.start()
            try await #expect(stage.events.state() == .poweredOn)
            await stage.command { $0.scan(ScanRequest()) }
            await stage.passGrace()
            #expect(try await stage.stub.call("StartDiscovery").path == path)
        }
    }
}
#endif
