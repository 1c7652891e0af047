// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapCore
import BlueCapLoop
package import BlueCapSerDe
package import BlueCapTesting
import BlueCapDBus

/// A far device of the fake, as the conformance suite moves it.
package struct FakePeer: ConformancePeer {
    let fake: FakeBlueZ
    let index: Int

    func device<Result: Sendable>(
        _ body: @escaping @Sendable (FarDevice) throws -> Result
    ) async throws -> Result {
        let index = index
        return try await fake.withAir { try body($0.device(index)) }
    }

    package func configure(_ device: Twin, pairing: PeerPairing) async throws -> PeerIdentifier {
        let index = index
        return await fake.withAir { $0.configure(index, device, pairing: pairing) }
    }

    package func advertise(_ isOn: Bool) async throws { try await device { $0.advertise(isOn) } }

    package func updateAdvertisement(_ advertisement: TwinAdvertisement) async throws {
        try await device { $0.update(advertisement) }
    }

    /// Not asked, as the world has no kernel that sets parameters.
    package func wait(forConnection parameters: ConnectionParameters) async throws {
        throw ConformanceFailure("the scripted daemon has no parameters of connections")
    }

    package func setRSSI(_ rssi: Int) async throws { try await device { $0.rssi = rssi } }

    package func setValue(_ value: Bytes, of attribute: PeerAttribute) async throws {
        try await device { try $0.change(attribute) { $0.value = value } }
    }

    package func value(of attribute: PeerAttribute) async throws -> Bytes {
        try await device { try $0.change(attribute) { $0.value } }
    }

    package func writes(to attribute: PeerAttribute) async throws -> [PeerWrite] {
        try await device { try $0.change(attribute) { $0.writes } }
    }

    package func setError(_ error: ATTError?, of attribute: PeerAttribute, on access: PeerAccess) async throws {
        try await device { try $0.change(attribute) { $0.errors[access] = error } }
    }

    package func hold(_ attribute: PeerAttribute, on access: PeerAccess) async throws {
        try await device { try $0.change(attribute) { _ = $0.held.insert(access) } }
    }

    package func answerHeld(_ attribute: PeerAttribute, on access: PeerAccess) async throws {
        try await device { $0.answerHeld(attribute, access) }
    }

    package func release(_ attribute: PeerAttribute, on access: PeerAccess) async throws {
        try await device { device in
            try device.change(attribute) { _ = $0.held.remove(access) }
            device.answerHeld(attribute, access)
        }
    }

    package func wait(until condition: PeerCondition) async throws { await wait { $0.meets(condition) } }

    func wait(until isMet: @escaping @Sendable (FarDevice) -> Bool) async {
        let index = index
        await withCheckedContinuation { continuation in
            fake.loop.submit {
                // SAFETY: `loop` is the fake's own executor.
                fake.assumeIsolated { fake in
                    fake.withAir { air in
                        air.wait(until: { (try? air.device(index)).map(isMet) ?? false }) { continuation.resume() }
                    }
                }
            }
        }
    }

    package func notify(_ attribute: PeerAttribute, _ values: [Bytes]) async throws {
        try await device { device in
            for value in values { device.notify(attribute, value) }
        }
    }

    package func notifyMany(_ attribute: PeerAttribute, count: Int, size: Int) async throws {
        try await device { device in
            for number in 0..<count {
                let digits = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
                device.notify(attribute, Bytes(digits + [UInt8](repeating: 0, count: max(size - 4, 0))))
            }
        }
    }

    package func indicate(_ attribute: PeerAttribute, _ values: [Bytes]) async throws -> Int {
        // The daemon confirms every indication that arrives.
        try await device { device in
            guard device.isReachable, try device.change(attribute, { $0.isSubscribed }) else { return 0 }
            for value in values { device.notify(attribute, value) }
            return values.count
        }
    }

    package func notifyOnSubscribe(_ attribute: PeerAttribute, _ value: Bytes?) async throws {
        try await device { try $0.change(attribute) { $0.valueOnSubscribe = value } }
    }

    package func subscriptions(to attribute: PeerAttribute) async throws -> PeerSubscriptions {
        try await device { device in
            try device.change(attribute) {
                PeerSubscriptions(current: $0.isSubscribed ? 1 : 0, total: $0.subscriptionCount)
            }
        }
    }

    package func disconnect() async throws { try await device { $0.disconnectByItself() } }

    package func vanish() async throws { try await device { $0.isInRange = false } }

    package func mute() async throws { try await device { $0.isMuted = true } }

    package func holdDiscovery() async throws { try await device { $0.holdsDiscovery = true } }

    package func comeBack() async throws {
        try await device { device in
            device.holdsDiscovery = false
            device.isInRange = true
            device.isMuted = false
        }
    }

    package func refuseConnections(_ refuses: Bool) async throws {
        try await device { $0.refusesConnections = refuses }
    }

    package func connections() async throws -> PeerConnections {
        try await device { PeerConnections(current: $0.isConnected ? 1 : 0, total: $0.connectionCount) }
    }

    package func changeServices(_ services: [TwinService]) async throws { try await device { $0.change(services) } }
}

extension FarDevice {
    func disconnectByItself() {
        if isConnected { onDisconnect() }
    }

    func meets(_ condition: PeerCondition) -> Bool {
        switch condition {
        case .connected: isConnected
        case .disconnected: !isConnected
        case .held(let attribute, let access): !(self.attribute(attribute).waiting[access] ?? []).isEmpty
        case .subscribed(let attribute): self.attribute(attribute).isSubscribed
        case .unsubscribed(let attribute): !self.attribute(attribute).isSubscribed
        case .written(let attribute, let count): self.attribute(attribute).writes.count >= count
        }
    }
}
#endif
