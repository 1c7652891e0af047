// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

/// The registrations that a platform holds, kept from its answers.
private struct Platform {
    var services: Set<AttributeID> = []
    /// The services that include a service, and go with it.
    var including: [AttributeID: Set<AttributeID>] = [:]
    var advertisements: [AdvertisementID: String] = [:]

    /// Carries a request out; `isWilling` is whether the platform accepts a registration or a change.
    mutating func answer(_ operation: PeripheralOperation, isWilling: Bool) -> Result<Void, OperationFailure> {
        switch operation {
        case .add(let service) where isWilling && services.isSuperset(of: service.includedServices):
            for included in service.includedServices { including[included, default: []].insert(service.id) }
            return services.insert(service.id).inserted ? .success(()) : .failure(.backend(.refused))
        case .advertise(let id, let advertisement) where isWilling && advertisements[id] == nil:
            advertisements[id] = advertisement.localName
            return .success(())
        case .updateAdvertisement(let id, let advertisement) where isWilling && advertisements[id] != nil:
            advertisements[id] = advertisement.localName
            return .success(())
        case .remove(let id):
            guard services.remove(id) != nil else { return .failure(.backend(.refused)) }
            services.subtract(including[id] ?? [])
            return .success(())
        case .stopAdvertising(let id):
            return advertisements.removeValue(forKey: id) == nil ? .failure(.backend(.refused)) : .success(())
        case .add, .advertise, .updateAdvertisement: return .failure(.backend(.refused))
        case .update, .disconnect: return .success(())
        }
    }
}

extension PeripheralManager {
    /// The services that the manager takes for offered.
    fileprivate var offered: Set<AttributeID> {
        Set(
            registrations.all.compactMap { registration in
                if case .service(let id) = registration.id { id } else { nil }
            })
    }

    /// The advertisements that the manager considers to be on the air, with their local names.
    fileprivate var advertised: [AdvertisementID: String] {
        var result: [AdvertisementID: String] = [:]
        for registration in registrations.all {
            guard case .advertisement(let id) = registration.id else { continue }
            result[id] = registration.advertisement?.localName ?? ""
        }
        return result
    }
}

/// Numbers that are the same in every run (SplitMix64).
private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

@Suite("Peripheral manager: any order of events", .timeLimit(.minutes(60)))
struct PeripheralRandomTests {
    @Test
    func `whatever is asked, refused, given up and lost, every call ends and the platform has what the manager says`()
        async throws
    {
        for seed in 0..<100 { try await Self.run(UInt64(seed)) }
    }

    private static func run(_ seed: UInt64) async throws {
        try await PeripheralWorld.run { world in
            var numbers = Numbers(state: seed)
            var platform = Platform()
            var calls: [Call<Void>] = []
            let manager = world.manager
            let services = ["1801", "1802", "1803"].map { (uuid: BluetoothUUID) in MutableService(uuid: uuid) }
            for service in services { service.characteristics = [MutableCharacteristic(uuid: "2A19")] }
            services[1].includedServices = [services[0]]
            for _ in 0..<60 {
                let service = services[Int.random(in: 0..<3, using: &numbers)]
                let name = ["a", "b", "c"][Int.random(in: 0..<3, using: &numbers)]
                let timeout: Duration? = Bool.random(using: &numbers) ? .seconds(2) : nil
                switch Int.random(in: 0..<16, using: &numbers) {
                case 0, 1: calls.append(await world.start { try await manager.add(service, timeout: timeout) })
                case 2: calls.append(await world.start { try await manager.remove(service, timeout: timeout) })
                case 3: calls.append(await world.start { try await manager.startAdvertising(name, timeout: timeout) })
                case 4: calls.append(await world.start { _ = try await manager.advertise(.init(localName: name)) })
                case 5: calls.append(await world.start { try await manager.stopAdvertising(timeout: timeout) })
                case 6:
                    calls.append(
                        await world.start {
                            try await manager.updateAdvertisement(.init(localName: name), timeout: timeout)
                        })
                case 7: await world.advance(by: .seconds(1))
                case 8: if let call = calls.randomElement(using: &numbers) { await world.cancel(call) }
                case 9:
                    // The platform carried out some of the pending requests, and the manager gets no answer.
                    await world.emit(.stateChanged(.poweredOff, nil))
                    for operation in await world.backend.forgetOutstanding() where Bool.random(using: &numbers) {
                        _ = platform.answer(operation, isWilling: true)
                    }
                    if Bool.random(using: &numbers) {
                        platform = Platform()
                        await world.emit(.registrationsLost)
                    }
                    await world.emit(.stateChanged(.poweredOn, nil))
                default:
                    guard let operation = await world.backend.pending.first else { break }
                    let isWilling = Int.random(in: 0..<4, using: &numbers) > 0
                    await world.answer(platform.answer(operation, isWilling: isWilling))
                }
            }
            while let operation = await world.backend.pending.first {
                await world.answer(platform.answer(operation, isWilling: true))
            }
            let unfinished = calls.count { !$0.isDone }
            #expect(unfinished == 0, "seed \(seed)")
            #expect(await manager.offered == platform.services, "seed \(seed)")
            #expect(await manager.advertised == platform.advertisements, "seed \(seed)")
            #expect(manager.services.count == platform.services.count, "seed \(seed)")
            #expect(manager.isAdvertising == !platform.advertisements.isEmpty, "seed \(seed)")
            let added = services.filter(\.isAdded)
            #expect(added.count == platform.services.count, "seed \(seed)")
            #expect(world.clock.timerCount == 0, "seed \(seed)")
            await world.backend.answerAll(true)
            await manager.invalidate()
            #expect(await world.backend.pending.isEmpty, "seed \(seed)")
        }
    }
}
