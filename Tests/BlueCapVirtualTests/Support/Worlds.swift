// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
import Testing

/// A peripheral on a radio with one recorder, connected and discovered.
struct ConnectedWorld: Sendable {
    let radio: VirtualRadio
    let peripheral: VirtualPeripheral
    let recorder: Recorder
    let found: FoundDatabase

    var id: PeerIdentifier { peripheral.identifier }

    /// Runs `body` in a world with one peripheral of the given services.
    static func run(
        seed: UInt64 = 1, connection: VirtualConnection = .init(), pairing: VirtualPairing = .justWorks,
        limit: Duration = .seconds(600), services: @escaping @Sendable () -> [VirtualService],
        _ body: @escaping @Sendable (ConnectedWorld) async throws -> Void
    ) async throws {
        try await VirtualRadio.run(seed: seed, limit: limit) { radio in
            let peripheral = VirtualPeripheral(
                name: "Tag", connection: connection, pairing: pairing, services: services())
            radio.add(peripheral)
            let recorder = await Recorder.on(radio.central())
            let found = try await recorder.open(peripheral)
            try await body(ConnectedWorld(radio: radio, peripheral: peripheral, recorder: recorder, found: found))
        }
    }

    /// A characteristic of the peripheral; an unused one if the peripheral has none with the UUID.
    func characteristic(_ uuid: BluetoothUUID) -> VirtualCharacteristic {
        peripheral.characteristic(uuid) ?? VirtualCharacteristic(uuid)
    }

    func read(_ uuid: BluetoothUUID) async -> Result<CentralReply, OperationFailure> {
        await recorder.perform(.read(id, found.characteristic(uuid)))
    }

    func write(
        _ uuid: BluetoothUUID, _ value: Bytes, _ kind: WriteKind = .withResponse
    ) async -> Result<CentralReply, OperationFailure> {
        await recorder.perform(.write(id, found.characteristic(uuid), value, kind))
    }

    func setNotifying(_ uuid: BluetoothUUID, _ isOn: Bool) async -> Result<CentralReply, OperationFailure> {
        await recorder.perform(.setNotifying(id, found.characteristic(uuid), isOn, .standard))
    }

    /// The simulated time that `body` takes.
    func duration(_ body: () async -> Void) async -> Duration {
        let start = radio.clock.elapsed
        await body()
        return radio.clock.elapsed - start
    }
}

/// One service, FFF0, with one characteristic, FFF1.
func service(_ characteristic: VirtualCharacteristic) -> VirtualService {
    VirtualService("FFF0", characteristics: [characteristic])
}

extension Bytes {
    /// Bytes that count up.
    static func counting(_ count: Int) -> Bytes { Bytes((0..<count).map { UInt8(truncatingIfNeeded: $0) }) }
}
