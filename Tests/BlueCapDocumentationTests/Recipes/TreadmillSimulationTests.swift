// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTesting
import Synchronization
import Testing

/// The article about control points, with a treadmill that is set twice over each connection, while everything goes
/// wrong that can.
private struct Treadmill: SimulatedApp {
    typealias Message = FitnessMachineService.ControlPoint

    struct NotSet: Error {}
    struct Mistaken: Error { let response: Message }

    /// The time when the treadmill was set last, and responses that belong to another request.
    private final class Facts: Sendable {
        private let lastSetting = Mutex(Duration.zero)
        private let mistaken = Mutex<Message?>(nil)

        var last: Duration { lastSetting.withLock { $0 } }
        var mistake: Message? { mistaken.withLock { $0 } }

        func set(at time: Duration) { lastSetting.withLock { $0 = time } }
        func take(_ response: Message) { mistaken.withLock { $0 = response } }
    }

    private let central: CentralManager
    private let facts = Facts()

    init(in world: SimulatedWorld) async throws {
        central = world.makeCentral()
        let point = VirtualCharacteristic(
            Message.uuid, properties: [.write, .notify],
            onWrite: { characteristic, bytes in
                guard let request = try? SerDe.deserialize(bytes, as: Message.self) else {
                    return .failure(.invalidAttributeValueLength)
                }
                // The speed comes back as data, so that each request knows its own response.
                let response = ControlPointResponse(to: request.opCode, .success, parameter: request.parameter)
                characteristic.notify(SerDe.serialize(Message(response: response)))
                return .success(())
            })
        world.radio.add(
            VirtualPeripheral(
                name: "Treadmill", services: [VirtualService(FitnessMachineService.uuid, characteristics: [point])]))
    }

    func run() async throws {
        while !Task.isCancelled {
            do {
                try await central.whenPoweredOn()
                let found = try await central.firstDiscovery(for: [FitnessMachineService.uuid], timeout: .seconds(10))
                try await found.peripheral.connect(timeout: .seconds(5))
                try await found.peripheral.discover(timeout: .seconds(10))
                try await use(found.peripheral)
            } catch let error as Mistaken {
                facts.take(error.response)
            } catch {}
            await central.disconnectAllPeripherals()
            try? await central.clock.sleep(for: .seconds(5))
        }
    }

    private func use(_ treadmill: Peripheral) async throws {
        let machine = try treadmill.controlPoint(Message.self)
        try await machine.request(.requestControl, timeout: .seconds(5))
        for speed in [8.5, 9, 10, 11] {
            let request = Message.set(.speed(try Scaled(speed)))
            let response = try await machine.request(request, timeout: .seconds(5))
            if response.response?.parameter != request.parameter { throw Mistaken(response: response) }
            facts.set(at: central.clock.elapsed)
            try await central.clock.sleep(for: .seconds(1))
        }
    }

    func check() async throws {
        if let response = facts.mistake { throw Mistaken(response: response) }
        if central.clock.elapsed - facts.last > .seconds(60) { throw NotSet() }
    }
}

@Suite("A treadmill under simulation", .timeLimit(.minutes(60)))
struct TreadmillSimulationTests {
    @Test func `a treadmill is set again after every fault, and each request has its own response`() async {
        await SimulationSeeds.play(Treadmill.self, in: Self.self)
    }
}
