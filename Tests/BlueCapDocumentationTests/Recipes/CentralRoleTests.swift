// SPDX-License-Identifier: MIT

// What the article shows stands here as it stands there.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Testing

@Suite("The article about the central role", .timeLimit(.minutes(5)))
struct CentralRoleTests {
    @Test func `waits for the radio`() async throws {
        try await Lab.run { lab in
            @Sendable func CentralManager() -> BlueCapCore.CentralManager { lab.makeCentral() }
            let central = CentralManager()
            try await central.whenPoweredOn(timeout: .seconds(5))
            #expect(central.isPoweredOn)
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
