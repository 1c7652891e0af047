// SPDX-License-Identifier: MIT

// The code of the article, word for word.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Testing

@MainActor
final class AccelerometerModel {
    private(set) var z = 0.0

    func follow(_ peripheral: Peripheral) async throws {
        try await peripheral.stayConnected(discovering: [TISensorTag.AccelerometerService.uuid]) { @MainActor tag in
            let data = try tag.characteristic(TISensorTag.AccelerometerService.Data.self)
            for try await sample in try await data.notifications() { self.z = sample.z }
        }
    }
}

@Suite("The article about the central role", .timeLimit(.minutes(60)))
struct CentralRoleTests {
    @Test func `waits for the radio`() async throws {
        try await Lab.run { lab in
            @Sendable func CentralManager() -> BlueCapCore.CentralManager { lab.makeCentral() }
            let elapsed = try await lab.switchingOn(lab.radio.adapter()) {
                let central = CentralManager()
                try await central.whenPoweredOn(timeout: .seconds(5))
                #expect(central.isPoweredOn)
            }
            #expect(elapsed == .seconds(2))
        }
    }

    @Test func `scans until a device is found`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            lab.radio.add(VirtualPeripheral(name: "Strap", services: [VirtualService("180D", characteristics: [])]))
            let central = try await lab.central()
            for try await discovery in central.scan(for: ["180D"], timeout: .seconds(10)) {
                print(discovery.kind, discovery.peripheral.displayName, discovery.rssi ?? 0)
                if discovery.peripheral.name == "Strap" { break }
            }
            #expect(printed.lines.count == 1)
            #expect(printed.lines.first?.hasPrefix("discovered Strap -") ?? false)
        }
    }

    @Test func `connects`() async throws {
        try await Lab.run { lab in
            let discovery = try await lab.central().firstDiscovery()
            let peripheral = discovery.peripheral
            try await peripheral.connect(timeout: .seconds(5))
            #expect(peripheral.state == .connected)
        }
    }

    @Test func `mends the connection until the policy gives up`() async throws {
        try await Lab.run { lab in
            let central = try await lab.central()
            let peripheral = try await central.firstDiscovery().peripheral
            let events = peripheral.connectionEvents()
            async let losing: Void = {
                try await lab.radio.clock.sleep(for: .seconds(1))
                try await peripheral.connect()
                for await event in events {
                    if event == .connected { lab.tag.disconnect() }
                    if event == .gaveUp { break }
                }
            }()
            peripheral.reconnectPolicy = ReconnectPolicy(
                maximumTimeouts: 5, maximumDisconnections: 5,
                backoff: .exponential(initial: .seconds(1), maximum: .seconds(60)))
            for await event in peripheral.connectionEvents() where event == .gaveUp { break }
            try await losing
            #expect(lab.tag.totalConnectionCount > 1)
        }
    }

    @Test func `stays connected`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let peripheral = try await lab.central().firstDiscovery().peripheral
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    let policy = ReconnectPolicy(backoff: .exponential(initial: .seconds(1), maximum: .seconds(60)))
                    try await peripheral.stayConnected(policy, discovering: [TISensorTag.AccelerometerService.uuid]) { tag in
                        let data = try tag.characteristic(TISensorTag.AccelerometerService.Data.self)
                        for try await sample in try await data.notifications() { print(sample.x, sample.y, sample.z) }
                    }
                }
                try await lab.radio.clock.sleep(for: .seconds(10))
                lab.tag.disconnect()
                try await lab.radio.clock.sleep(for: .seconds(10))
                group.cancelAll()
            }
            // Three samples for each subscription.
            #expect(printed.lines.count == 6)
        }
    }

    @Test func `gives what the body over the link returns`() async throws {
        try await Lab.run { lab in
            let peripheral = try await lab.central().firstDiscovery().peripheral
            let sample = try await peripheral.stayConnected(discovering: [TISensorTag.AccelerometerService.uuid]) { tag in
                try await tag.characteristic(TISensorTag.AccelerometerService.Data.self).read(timeout: .seconds(5))
            }
            #expect(sample.z == 1)
            #expect(peripheral.state == .disconnected)
        }
    }

    @Test func `fills a model of the main actor`() async throws {
        try await Lab.run { lab in
            let peripheral = try await lab.central().firstDiscovery().peripheral
            let model = AccelerometerModel()
            try await lab.during {
                try await model.follow(peripheral)
            } _: {
                while await model.z != 1 { try await lab.radio.clock.sleep(for: .seconds(1)) }
            }
        }
    }

    @Test func `ends for good where the database changes`() async throws {
        try await Lab.run { lab in
            let peripheral = try await lab.central().firstDiscovery().peripheral
            let services = lab.tag.services
            async let changed: Void = {
                try await lab.tag.wait { [data = lab.data] _ in data.subscriptionCount > 0 }
                lab.tag.changeServices(to: [])
                try await lab.radio.clock.sleep(for: .seconds(1))
                lab.tag.changeServices(to: services)
            }()
            await #expect(throws: CharacteristicError.notDiscovered(TISensorTag.AccelerometerService.Data.uuid)) {
                try await peripheral.stayConnected(discovering: [TISensorTag.AccelerometerService.uuid]) { tag in
                    let data = try tag.characteristic(TISensorTag.AccelerometerService.Data.self)
                    for try await _ in try await data.notifications() {}
                }
            }
            try await changed
        }
    }

    @Test func `counts attempts, connections, timeouts and losses`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let peripheral = try await lab.central().firstDiscovery().peripheral
            try await peripheral.connect()
            let events = peripheral.connectionEvents()
            lab.tag.disconnect()
            for await event in events { if case .disconnected = event { break } }
            try await peripheral.connect()
            let statistics = peripheral.statistics
            print(statistics)                                                // 2 attempts, 2 connections, 0 timeouts, 1 disconnection
            print(statistics.cumulativeConnectedDuration, statistics.cumulativeDisconnectedDuration)
            #expect(printed.lines.first == "2 attempts, 2 connections, 0 timeouts, 1 disconnection")

            await peripheral.disconnect()                                    // one's own is no loss
            #expect(peripheral.statistics.disconnectionCount == 1)
            lab.tag.refuseConnections()                                      // an attempt, and nothing else
            await #expect(throws: PeripheralError.self) { try await peripheral.connect(timeout: .seconds(30)) }
            #expect("\(peripheral.statistics)" == "3 attempts, 2 connections, 0 timeouts, 1 disconnection")
            lab.tag.vanish()
            await #expect(throws: PeripheralError.connectionTimeout) { try await peripheral.connect(timeout: .seconds(5)) }
            #expect("\(peripheral.statistics)" == "4 attempts, 2 connections, 1 timeout, 1 disconnection")
        }
    }

    @Test func `discovers a service`() async throws {
        try await Lab.run { lab in
            let central = try await lab.central()
            let peripheral = try await central.firstDiscovery().peripheral
            try await peripheral.connect(timeout: .seconds(5))
            try await peripheral.discover(["F000AA10-0451-4000-B000-000000000000"], timeout: .seconds(10))
            #expect(peripheral.services.first?.characteristics.count == 2)
        }
    }

    @Test func `reads, writes and listens`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let central = try await lab.central()
            let peripheral = try await lab.connect(central)
            async let ended: Void = lab.endAfterSubscription()
            await #expect(throws: CharacteristicError.disconnected) {
                let enabled = try peripheral.characteristic(TISensorTag.AccelerometerService.Enabled.self)
                try await enabled.write(.yes, timeout: .seconds(2))

                let data = try peripheral.characteristic(TISensorTag.AccelerometerService.Data.self)
                for try await sample in try await data.notifications(capacity: .newest(10)) {
                    print(sample.x, sample.y, sample.z)
                }
            }
            try await ended
            #expect(lab.enabled.value == [1])
            #expect(printed.lines.count == 3)
        }
    }

    @Test func `listens on after a connection was lost`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let peripheral = try await lab.connect(try await lab.central())
            let data = try peripheral.characteristic(TISensorTag.AccelerometerService.Data.self)
            try await lab.during {
                peripheral.reconnectPolicy = .forever
                for try await sample in try await data.notifications(onDisconnect: .resubscribe) {
                    print(sample.x, sample.y, sample.z)
                }
            } _: {
                try await lab.endAfterSubscription()
                // Three samples for each subscription.
                while printed.lines.count < 6 { try await lab.radio.clock.sleep(for: .seconds(1)) }
            }
            #expect(printed.lines.count == 6)
        }
    }

    @Test func `listens to texts`() async throws {
        try await Lab.run { lab in
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let central = lab.makeCentral(profiles: .sensorTag)
            try await central.whenPoweredOn()
            let peripheral = try await lab.connect(central)
            async let ended: Void = lab.endAfterSubscription()
            await #expect(throws: CharacteristicError.disconnected) {
                let untyped = try peripheral.characteristic(TISensorTag.AccelerometerService.Data.uuid)
                for try await values in try await untyped.stringNotifications() {
                    print(values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
                }
            }
            try await ended
            #expect(printed.lines.count == 3)
        }
    }

    @Test func `finds a peripheral by an identifier that was kept as text`() async throws {
        try await Lab.run { lab in
            let central = try await lab.central()
            let peripheral = try await central.firstDiscovery().peripheral
            let kept = peripheral.identifier.text                            // C0:DE:00:00:01:01; on Apple's platforms a UUID
            let identifier = PeerIdentifier(kept)
            let known = try await central.retrievePeripherals(withIdentifiers: [identifier], timeout: .seconds(5))
            #expect(known.first === peripheral)
        }
    }

    @Test func `pairs by comparison`() async throws {
        try await Lab.run(pairing: .comparing) { lab in
            let user = User()
            let manager = try await lab.central()
            let peripheral = try await lab.connect(manager)
            let requests = manager.pairingRequests(capability: .displayYesNo)
            async let _: Void = {
                for await request in requests {
                    switch request.kind {
                    case .confirm(let passkey) where await user.agrees(to: passkey): request.accept()
                    default: request.reject()
                    }
                }
            }()
            try await peripheral.pair(timeout: .seconds(30))
            #expect(peripheral.isBonded == true)
        }
    }

    @Test func `logs as much as it is asked to`() {
        var configuration = CentralManager.Configuration()
        configuration.logLevel = .debug
        configuration.logPrivacy = .plain                                // addresses and names as they are, not as pseudonyms
        #expect(configuration.logLevel == .debug)
        #expect(CentralManager.Configuration().logPrivacy == .redacted)
    }

    @Test func `ends at once where the radio is off before the first connection`() async throws {
        try await Lab.run { lab in
            let peripheral = try await lab.central().firstDiscovery().peripheral
            lab.radio.adapter().powerOff()
            await #expect(throws: PeripheralError.poweredOff) { try await peripheral.stayConnected { _ in } }
        }
    }

    @Test func `an error of a scan that is caught in a function is reported there`() async throws {
        try await Lab.run { lab in
            let central = try await lab.central()
            lab.radio.adapter().powerOff()
            let printed = Printed()
            try await Printed.$inFunctions.withValue(printed) { try await showSightings(central) }
            #expect(printed.lines == ["the scan ended: \(CentralManagerError.poweredOff)"])
        }
    }

    @Test func `tries again what another attempt may mend`() async throws {
        try await Lab.run { lab in
            let central = try await lab.central()
            let peripheral = try await lab.connect(central)
            let enabled = try peripheral.characteristic(TISensorTag.AccelerometerService.Enabled.self)
            lab.enabled.hold(.read)
            async let losing: Void = {
                try await lab.tag.wait { _ in lab.enabled.heldCount(.read) > 0 }
                lab.tag.disconnect()
            }()
            do {
                try await peripheral.connect(timeout: .seconds(5))
                _ = try await enabled.read()
            } catch let error as any BlueCapError where error.isTransient {
                try await peripheral.reconnect(after: .seconds(1))
            }
            try await losing
            #expect(peripheral.state == .connected)
            #expect(lab.tag.totalConnectionCount == 2)
        }
    }
}
