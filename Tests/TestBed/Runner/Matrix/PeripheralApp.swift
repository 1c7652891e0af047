// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting
import Foundation

/// A program in the peripheral role, and the far central that uses it.
final class PeripheralApp: MatrixApp {
    private static let name = "Ours"

    private let activity: MatrixActivity
    private let world: BedWorld
    private let log: MatrixLog
    private let manager: PeripheralManager
    private let characteristic: MutableCharacteristic
    private let far: BedCentral
    /// The value as the far central found it; nil without a link.
    private let remote = Locked<AttributeID?>(nil)
    private let requests = Locked((count: 0, isAnswered: false))

    init(_ activity: MatrixActivity, in world: BedWorld, _ log: MatrixLog) async throws {
        (self.activity, self.world, self.log) = (activity, world, log)
        manager = try await world.makePeripheralManager()
        try await manager.whenPoweredOn()
        characteristic = MutableCharacteristic(
            uuid: "FFF1", properties: activity == .indicating ? [.read, .indicate] : [.read, .write, .notify],
            value: [1])
        characteristic.updatePolicy = .none
        let service = MutableService(uuid: "FFF0")
        service.characteristics = [characteristic]
        try await manager.add(service)
        far = try await world.makeFarCentral(0)
        if activity == .adding { return }
        try await manager.startAdvertising(Self.name)
        if activity.hasLink { try await connect() }
    }

    func states() -> AsyncStream<ManagerState> { manager.states() }

    func connectionEvents() -> AsyncStream<ConnectionEvent> { AsyncStream { nil } }

    // MARK: The program

    func run() async {
        switch activity {
        case .adding: await addAndRemove()
        case .advertising:
            for await event in manager.advertisingEvents() {
                switch event.kind {
                case .started: log.succeeded()
                case .interrupted(let error), .ended(.refused(let error)): log.failed(error)
                case .ended: log.ended("an end")
                }
            }
        case .servingReads: await serve(characteristic.readRequests()) { $0.respond([1]) }
        case .servingWrites: await serve(characteristic.writeRequests()) { $0.accept() }
        case .notifying, .indicating:
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.update() }
                for await event in characteristic.subscriptions() where event.kind == .unsubscribed {
                    log.ended("unsubscribed")
                }
                group.cancelAll()
            }
        default: break
        }
    }

    private func addAndRemove() async {
        let service = MutableService(uuid: "FFF8")
        service.characteristics = [MutableCharacteristic(uuid: "FFF9")]
        while !Task.isCancelled {
            do {
                try await manager.whenPoweredOn()
                try await manager.add(service)
                log.succeeded()
                try await manager.remove(service)
            } catch {
                log.failed(error)
                // The manager adds again a service that was added before the failure.
                try? await manager.remove(service)
            }
        }
    }

    /// Answers requests, the first ones only after `release`, while a far central sends the first request.
    private func serve<Request: Sendable>(
        _ requests: AsyncStream<Request>, _ answer: @escaping @Sendable (Request) -> Bool
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await self.ask() }
            for await request in requests {
                self.requests.withLock { $0.count += 1 }
                while !self.requests.withLock({ $0.isAnswered }), !Task.isCancelled { try? await pause() }
                if answer(request) { log.succeeded() } else { log.ended("the answer is refused") }
            }
            group.cancelAll()
        }
    }

    private func update() async {
        var number: UInt8 = 0
        while !Task.isCancelled {
            do { try characteristic.update([number]) } catch { log.failed(error) }
            number &+= 1
            try? await pause(.milliseconds(20))
        }
    }

    private func pause(_ duration: Duration = .milliseconds(5)) async throws {
        try await BlueCapClock.continuous.sleep(for: duration)
    }

    // MARK: The far central

    private func connect() async throws {
        let found = try await far.connect(to: try await far.hear { $0.localName == Self.name })
        guard let value = found.flatMap(\.characteristics).first(where: { $0.uuid == "FFF1" }) else {
            throw BedError(description: "the service was not found")
        }
        if activity.flows { try await far.subscribe(to: value.id, indications: activity == .indicating) }
        remote.withLock { $0 = value.id }
    }

    /// Asks for the value that the app offers, and returns when it has come.
    private func ask() async throws {
        guard let attribute = remote.withLock({ $0 }) else { throw BedError(description: "there is no link") }
        switch activity {
        case .notifying, .indicating:
            _ = try await far.received(from: attribute, count: 0)
            _ = try await far.received(from: attribute, count: 1, within: 5)
        case .servingWrites: try await far.write([2], to: attribute, isCommand: false).get()
        default: _ = try await far.read(attribute).get()
        }
    }

    private func isConnected() async throws -> Bool {
        struct Answer: Decodable { let connections: Int }
        let answer = try await world.request("connections")
        return try JSONDecoder().decode(Answer.self, from: answer).connections > 0
    }

    // MARK: The fault

    func isUnderWay() async throws {
        switch activity {
        case .adding: try await log.success()
        case .advertising: _ = try await far.hear { $0.localName == Self.name }
        case .servingReads, .servingWrites: try await log.wait { _ in requests.withLock { $0.count } > 0 }
        default: try await ask()
        }
    }

    func changeServices() async throws {}

    func release() async throws {
        // Which comes first is chance otherwise: the answer, or the end of the link.
        if activity.isServing { try await pause(.milliseconds(100)) }
        requests.withLock { $0.isAnswered = true }
    }

    func works(after fault: MatrixFault) async throws {
        if activity == .adding { return try await log.success() }
        // bluetoothd may have left a link standing that leads nowhere.
        if fault.endsLinks { try await hangUp() }
        while true {
            do {
                if try await !isConnected() { remote.withLock { $0 = nil } }
                if remote.withLock({ $0 }) == nil { try await connect() }
                return try await ask()
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                try await pause(.milliseconds(20))
                try await hangUp()
            }
        }
    }

    private func hangUp() async throws {
        remote.withLock { $0 = nil }
        try await far.disconnect()
    }
}
#endif
