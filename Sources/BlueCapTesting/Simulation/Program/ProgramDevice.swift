// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual

/// A far device of the random program: a virtual peripheral, or a peripheral manager of the library's own.
///
/// Both offer the service ``service`` with the same four characteristics.
protocol ProgramDevice: Sendable {
    /// The address under which centrals see it.
    var identifier: PeerIdentifier { get }
    /// The number in its register.
    var register: UInt64 { get async throws }
    /// The numbers that came by Write Commands, in their order.
    var commands: [UInt64] { get async throws }
    /// How many centrals are subscribed to one of its characteristics.
    func subscriberCount(of uuid: BluetoothUUID) async throws -> Int
    /// How many centrals it has, where it can tell.
    var connectionCount: Int? { get async throws }
    /// Notifies, or indicates, values one after another.
    func send(_ values: [Bytes], isIndicated: Bool) async throws
    /// Sends values inside each subscription from now on.
    func greet(_ values: [Bytes]) async throws
}

/// What the devices of the random program offer.
enum ProgramLayout {
    static let service: BluetoothUUID = "FFF0"
    /// Read and written: a number.
    static let register: BluetoothUUID = "FFF1"
    static let notified: BluetoothUUID = "FFF2"
    static let indicated: BluetoothUUID = "FFF3"
    /// Written without response: numbers.
    static let commanded: BluetoothUUID = "FFF4"

    static func counter(isIndicated: Bool) -> BluetoothUUID { isIndicated ? indicated : notified }
}

extension Bytes {
    /// A number in eight bytes, the first the highest.
    init(number: UInt64) { self.init((0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }) }

    /// The number in eight bytes; nil where there are more or fewer.
    var number: UInt64? { count == 8 ? reduce(0) { $0 << 8 | UInt64($1) } : nil }
}

/// A virtual peripheral of the random program.
struct VirtualDevice: ProgramDevice {
    let peripheral: VirtualPeripheral
    private let values: [BluetoothUUID: VirtualCharacteristic]

    init(_ index: Int) {
        let own = [
            VirtualCharacteristic(
                ProgramLayout.register, properties: [.read, .write], value: Bytes(number: 0), maximumLength: 8),
            VirtualCharacteristic(ProgramLayout.notified, properties: .notify),
            VirtualCharacteristic(ProgramLayout.indicated, properties: .indicate),
            VirtualCharacteristic(ProgramLayout.commanded, properties: .writeWithoutResponse),
        ]
        values = Dictionary(uniqueKeysWithValues: own.map { ($0.uuid, $0) })
        peripheral = VirtualPeripheral(
            name: "Device \(index)",
            connection: VirtualConnection(interval: index == 0 ? .milliseconds(30) : .milliseconds(100)),
            services: [
                VirtualService(ProgramLayout.service, characteristics: own),
                VirtualService("FFE0") { VirtualCharacteristic("FFE1", properties: .read, value: [1]) },
            ])
    }

    var identifier: PeerIdentifier { peripheral.identifier }
    var register: UInt64 { values[ProgramLayout.register]?.value.number ?? 0 }
    var commands: [UInt64] { values[ProgramLayout.commanded]?.writes.compactMap(\.value.number) ?? [] }
    var connectionCount: Int? { peripheral.connectionCount }

    func subscriberCount(of uuid: BluetoothUUID) -> Int { values[uuid]?.subscriptionCount ?? 0 }

    func send(_ values: [Bytes], isIndicated: Bool) {
        guard let characteristic = self.values[ProgramLayout.counter(isIndicated: isIndicated)] else { return }
        for value in values { characteristic.update(value) }
    }

    func greet(_ values: [Bytes]) { self.values[ProgramLayout.notified]?.sendOnSubscription(values) }
}
