// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

/// A manager that is connected to a peripheral with one characteristic that needs encryption or more, and listens to
/// the requests.
struct PairingWorld: Sendable {
    let radio: VirtualRadio
    let tag: VirtualPeripheral
    let manager: CentralManager
    let peripheral: Peripheral
    let requests: AsyncStream<PairingRequest>
    let start: Duration

    static func run(
        _ pairing: VirtualPairing = .justWorks, capability: PairingCapability = .noInputNoOutput,
        permissions: AttributePermissions = .readEncryptionRequired,
        _ body: @escaping @Sendable (PairingWorld) async throws -> Void
    ) async throws {
        try await VirtualRadio.run(seed: 1, limit: .seconds(600)) { radio in
            let service = VirtualService("FFF0") {
                VirtualCharacteristic("FFF1", properties: [.read, .notify], permissions: permissions, value: [1])
            }
            let tag = VirtualPeripheral(name: "Tag", pairing: pairing, services: [service])
            radio.add(tag)
            let manager = CentralManager(backend: radio.central())
            let requests = manager.pairingRequests(capability: capability)
            try await manager.whenPoweredOn(timeout: .seconds(1))
            let peripheral = try await manager.firstDiscovery(timeout: .seconds(10)).peripheral
            try await peripheral.connect(timeout: .seconds(10))
            try await peripheral.discover()
            try await body(
                PairingWorld(
                    radio: radio, tag: tag, manager: manager, peripheral: peripheral, requests: requests,
                    start: radio.clock.elapsed))
            await manager.invalidate()
        }
    }

    /// The error of reading the characteristic; nil if it was read.
    func read() async -> CharacteristicError? {
        do {
            _ = try await peripheral.characteristic("FFF1").read()
            return nil
        } catch { return error }
    }

    /// The error of pairing; nil if it succeeded.
    func pairing() async -> PeripheralError? {
        do {
            try await peripheral.pair()
            return nil
        } catch { return error }
    }

    /// The next request.
    func request() async throws -> PairingRequest { try #require(await requests.first { _ in true }) }
}

extension PairingRequest.Kind {
    /// The passkey that the app is to show; nil for another question.
    var shownPasskey: UInt32? { if case .displayPasskey(let passkey) = self { passkey } else { nil } }
}
