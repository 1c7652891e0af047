// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting

/// A far central that keeps the values that come, so that a program can ask for those that are there by now.
struct BufferedCentral: FarCentral {
    let base: any FarCentral
    let world: StandInWorld
    private let values = Locked<[AttributeID: [Bytes]]>([:])

    init(_ base: any FarCentral, in world: StandInWorld) {
        self.base = base
        self.world = world
    }

    func hear(_ isWanted: @escaping @Sendable (PeripheralAdvertisements) -> Bool) async throws -> HeardDevice {
        try await base.hear(isWanted)
    }

    func listen(for duration: Duration) async throws -> [HeardDevice] { try await base.listen(for: duration) }

    func connect(to device: HeardDevice) async throws -> [FarService] { try await base.connect(to: device) }

    func discover() async throws -> [FarService] { try await base.discover() }

    func serviceChange() async throws -> ClosedRange<AttributeID>? { try await base.serviceChange() }

    func read(_ attribute: AttributeID) async throws -> Result<Bytes, ATTError> { try await base.read(attribute) }

    func write(
        _ value: Bytes, to attribute: AttributeID, isCommand: Bool
    ) async throws -> Result<Void, ATTError> {
        try await base.write(value, to: attribute, isCommand: isCommand)
    }

    func subscribe(to attribute: AttributeID, indications: Bool) async throws {
        try await base.subscribe(to: attribute, indications: indications)
        let (base, values) = (base, values)
        Task {
            while let came = try? await base.received(from: attribute, count: 1), !came.isEmpty {
                values.withLock { $0[attribute, default: []] += came }
            }
        }
    }

    func unsubscribe(from attribute: AttributeID) async throws { try await base.unsubscribe(from: attribute) }

    func received(from attribute: AttributeID, count: Int) async throws -> [Bytes] {
        while values.withLock({ $0[attribute]?.count ?? 0 }) < count { try await world.elapse(.milliseconds(50)) }
        return values.withLock { $0.removeValue(forKey: attribute) ?? [] }
    }

    func pair() async throws -> Bool { try await base.pair() }

    func disconnect() async throws { try await base.disconnect() }
}
