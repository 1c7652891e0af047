// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import Testing

/// An app that offers a service on a virtual radio, and another that is connected to it.
struct ControlPointWorld: Sendable {
    let radio: VirtualRadio
    let service: MutableService
    let manager: PeripheralManager
    let peripheral: Peripheral

    /// Runs a body in a world with one service, whose characteristics are made as its profile declares them.
    static func run(
        _ service: any ServiceConfigurable.Type, _ body: @escaping @Sendable (ControlPointWorld) async throws -> Void
    ) async throws {
        let profile = try #require(ProfileManager.standard.services.first { $0.uuid == service.uuid })
        try await VirtualRadio.run(limit: .seconds(36_000)) { radio in
            let manager = PeripheralManager(
                backend: radio.peripheral(), configuration: .init(acceptsJustWorks: true))
            try await manager.whenPoweredOn()
            let offered = MutableService(profile: profile)
            offered.characteristicsFromProfiles()
            try await manager.add(offered)
            try await manager.startAdvertising("Ours", serviceUUIDs: [service.uuid])
            let central = CentralManager(backend: radio.central(), configuration: .init(acceptsJustWorks: true))
            try await central.whenPoweredOn()
            let peripheral = try await central.firstDiscovery(for: [service.uuid]).peripheral
            try await peripheral.connect()
            try await peripheral.discover()
            try await body(
                ControlPointWorld(radio: radio, service: offered, manager: manager, peripheral: peripheral))
            await central.invalidate()
            await manager.invalidate()
        }
    }

    /// The app's end of a characteristic.
    func offered<Value: CharacteristicValue>(_ type: Value.Type) throws -> TypedMutableCharacteristic<Value> {
        try #require(service.characteristic(Value.self))
    }

    /// Runs a body beside an app that answers each request.
    func serve<Message: ControlPointMessage>(
        _ type: Message.Type, _ answer: @escaping @Sendable (ControlPointRequest<Message>) async throws -> Void,
        during body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let requests = try offered(Message.self).controlPointRequests()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await request in requests { try await answer(request) } }
            try await body()
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    /// Has each request answered with each result, and expects the right response at the central.
    ///
    /// - Parameters:
    ///   - requests: Each with the response of a procedure that succeeds; nil for one without data.
    ///   - results: All results of the service.
    func expectRoundTrips<Message: ControlPointMessage>(
        _ requests: [(request: Message, response: Message?)], _ results: [Message.Result]
    ) async throws {
        let next = Locked<Message?>(nil)
        let seen = Locked<[Message]>([])
        try await serve(Message.self) { request in
            seen.withLock { $0.append(request.message) }
            request.respond(with: try #require(next.withLock { $0 }))
        } during: { [peripheral] in
            let point = try peripheral.controlPoint(Message.self)
            for (request, data) in requests {
                for result in results {
                    let plain = Message(to: request.opCode, result)
                    let response = result == Message.succeeded ? data ?? plain : plain
                    next.withLock { $0 = response }
                    do throws(ControlPointError<Message.Result>) {
                        #expect(try await point.request(request) == response)
                        #expect(result == Message.succeeded)
                    } catch {
                        #expect(error == .refused(result))
                    }
                }
            }
        }
        #expect(seen.withLock { $0 } == requests.flatMap { request in results.map { _ in request.request } })
    }
}

/// The op codes that have names, without those of responses, which a test has to send.
func expectAll<Message: ControlPointMessage>(
    _ requests: [Message], of assigned: [(Message.OpCode, String)], butFor others: Set<Message.OpCode>
) {
    #expect(Set(requests.map(\.opCode)) == Set(assigned.map(\.0)).subtracting(others))
}
