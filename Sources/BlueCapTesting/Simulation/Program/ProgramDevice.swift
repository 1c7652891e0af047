// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual

/// A far device of the random program: a virtual peripheral, or a peripheral manager of the library's own.
///
/// All offer the service ``ProgramLayout/service`` with the same six characteristics.
protocol ProgramDevice: Sendable {
    var identifier: PeerIdentifier { get }
    /// Every address that it may have used.
    var identifiers: [PeerIdentifier] { get }
    /// The number in one of its registers; nil if the value is no number.
    func number(in register: ProgramRegister) async throws -> UInt64?
    /// The numbers that came by Write Commands, in their order.
    var commands: [UInt64] { get async throws }
    /// The number of centrals that are subscribed to one of its characteristics.
    func subscriberCount(of uuid: BluetoothUUID) async throws -> Int
    /// The number of connected centrals; nil if the device cannot count them.
    var connectionCount: Int? { get async throws }
    /// Notifies, or indicates, values one after another.
    ///
    /// - Parameter isSingle: Whether each value goes to the first subscriber alone, where the device can do that.
    func send(_ values: [Bytes], isIndicated: Bool, isSingle: Bool) async throws
    /// Sends values inside each subscription from now on.
    func greet(_ values: [Bytes]) async throws

    /// Whether a test can have it take channels.
    var takesChannels: Bool { get }
    /// The numbers of the units that came over channels on a PSM, in their order; nil where the device keeps none.
    func channelNumbers(_ place: ChannelPlace) async throws -> [UInt64]?
    /// Does something with the channels, and sends units with these numbers.
    func act(_ action: ChannelAction, _ numbers: [UInt64]) async throws

    /// The passkey that it shows its user; nil where it shows none, or its own app is asked.
    var shownPasskey: UInt32? { get }
    func type(_ passkey: UInt32)
}

extension ProgramDevice {
    var identifiers: [PeerIdentifier] { [identifier] }
    var takesChannels: Bool { true }
    func channelNumbers(_ place: ChannelPlace) async throws -> [UInt64]? { nil }
    func act(_ action: ChannelAction, _ numbers: [UInt64]) async throws {}
    var shownPasskey: UInt32? { nil }
    func type(_ passkey: UInt32) {}
}

/// A virtual peripheral of the random program.
struct VirtualDevice: ProgramDevice {
    let peripheral: VirtualPeripheral
    private let ownIdentifier: PeerIdentifier
    private let index: Int
    private let values: [BluetoothUUID: VirtualCharacteristic]

    /// A device by its index among the radio's peripherals.
    init(_ index: Int) {
        self.index = index
        let own = [
            Self.register(.plain, descriptor: VirtualDescriptor(ProgramRegister.description, value: Bytes(number: 0))),
            VirtualCharacteristic(ProgramLayout.notified, properties: .notify),
            VirtualCharacteristic(ProgramLayout.indicated, properties: .indicate),
            VirtualCharacteristic(ProgramLayout.commanded, properties: .writeWithoutResponse),
            Self.register(.long),
            Self.register(.encrypted, permissions: [.readEncryptionRequired, .writeEncryptionRequired]),
        ]
        values = Dictionary(uniqueKeysWithValues: own.map { ($0.uuid, $0) })
        peripheral = VirtualPeripheral(
            name: "Device \(index)",
            connection: VirtualConnection(interval: index == 0 ? .milliseconds(30) : .milliseconds(100)),
            pairing: index == 0 ? .justWorks : .comparing,
            services: [
                VirtualService(ProgramLayout.service, characteristics: own),
                VirtualService("FFE0") { VirtualCharacteristic("FFE1", properties: .read, value: [1]) },
            ])
        ownIdentifier = peripheral.identifier
        for place in ChannelPlace.allCases { place.twin().map(peripheral.publish) }
    }

    private static func register(
        _ register: ProgramRegister, permissions: AttributePermissions? = nil, descriptor: VirtualDescriptor? = nil
    ) -> VirtualCharacteristic {
        VirtualCharacteristic(
            register.characteristic, properties: [.read, .write], permissions: permissions, value: register.bytes(0),
            maximumLength: register.maximumLength, descriptors: [descriptor].compactMap { $0 })
    }

    var identifier: PeerIdentifier { peripheral.identifier }
    var identifiers: [PeerIdentifier] { [ownIdentifier] + SimulatedDevice.otherIdentifiers(of: index) }

    func number(in register: ProgramRegister) -> UInt64? {
        guard let characteristic = values[register.characteristic] else { return nil }
        let value = register == .descriptor ? characteristic.descriptors.first?.value : characteristic.value
        return value.flatMap(register.number)
    }

    var commands: [UInt64] { values[ProgramLayout.commanded]?.writes.compactMap(\.value.number) ?? [] }
    var connectionCount: Int? { peripheral.connectionCount }

    func subscriberCount(of uuid: BluetoothUUID) -> Int { values[uuid]?.subscriptionCount ?? 0 }

    func send(_ values: [Bytes], isIndicated: Bool, isSingle: Bool) {
        guard let characteristic = self.values[ProgramLayout.counter(isIndicated: isIndicated)] else { return }
        for value in values { characteristic.update(value) }
    }

    func channelNumbers(_ place: ChannelPlace) -> [UInt64]? {
        peripheral.channelUnits(psm: place.psm).compactMap(\.unitNumber)
    }

    func act(_ action: ChannelAction, _ numbers: [UInt64]) {
        switch action {
        case .send(let place, _): peripheral.sendUnits(numbers.map { Bytes(unit: $0) }, psm: place.psm)
        case .close(let place): peripheral.closeChannels(psm: place.psm)
        case .misbehave(let place, let fault): peripheral.misbehave(fault, psm: place.psm)
        case .refuse(let place, let refusal): place.twin(refusal: refusal).map(peripheral.publish)
        }
    }

    func greet(_ values: [Bytes]) { self.values[ProgramLayout.notified]?.sendOnSubscription(values) }

    var shownPasskey: UInt32? { peripheral.shownPasskey }
    func type(_ passkey: UInt32) { peripheral.typePasskey(passkey) }
}
