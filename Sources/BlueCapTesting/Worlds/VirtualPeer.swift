// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapPlatform
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual

/// A peer of the conformance suite, played by a virtual peripheral.
final class VirtualPeer: ChannelPeer {
    private let world: VirtualWorld
    private let state = Locked(VirtualPeripheral?.none)
    /// The database as it was last given.
    private let services = Locked<[TwinService]>([])

    init(world: VirtualWorld) { self.world = world }

    func leave() {
        let peripheral = state.withLock { peripheral in
            defer { peripheral = nil }
            return peripheral
        }
        if let peripheral { world.remove(peripheral) }
    }

    private func peripheral() throws -> VirtualPeripheral {
        try require(state.withLock { $0 }, "the peer's configuration")
    }

    // MARK: The device

    func configure(_ device: Twin, pairing: PeerPairing) async throws -> PeerIdentifier {
        leave()
        var device = device
        device.address = device.address ?? PeerIdentifier(world.makeAddress())
        let own = TwinAdvertisement(data: PeripheralAdvertisements(localName: device.name))
        device.advertisement = (device.advertisement ?? own).discoverable
        let peripheral = VirtualPeripheral(
            twin: device, replay: .never, isAdvertising: false, pairing: VirtualPairing(pairing),
            connection: world.connection)
        state.withLock { $0 = peripheral }
        services.withLock { $0 = device.services }
        world.add(peripheral)
        return world.name(of: peripheral)
    }

    func advertise(_ isOn: Bool) async throws {
        if isOn { try peripheral().startAdvertising() } else { try peripheral().stopAdvertising() }
    }

    func updateAdvertisement(_ advertisement: TwinAdvertisement) async throws {
        try peripheral().changeAdvertisement(to: VirtualAdvertising(twin: advertisement.discoverable))
    }

    func setRSSI(_ rssi: Int) async throws {
        // The radio's path-loss model the other way round.
        try peripheral().move(to: .metres(pow(10, Double(-59 - rssi) / 25)))
    }

    func disconnect() async throws {
        let peripheral = try peripheral()
        peripheral.disconnect()
        try await peripheral.wait { $0.connectionCount == 0 }
    }

    func vanish() async throws { try peripheral().vanish() }

    func mute() async throws { try peripheral().mute() }

    func comeBack() async throws {
        try peripheral().reappear()
        try peripheral().unmute()
    }

    func refuseConnections(_ refuses: Bool) async throws { try peripheral().refuseConnections(refuses) }

    func connections() async throws -> PeerConnections {
        let peripheral = try peripheral()
        return PeerConnections(current: peripheral.connectionCount, total: peripheral.totalConnectionCount)
    }

    func wait(forConnection parameters: ConnectionParameters) async throws {
        try await peripheral().wait { $0.connectionParameters == parameters }
    }

    /// A service that is the same at its place stays, with the values that it has by now.
    func changeServices(_ services: [TwinService]) async throws {
        let peripheral = try peripheral()
        let former = self.services.withLock { former in
            defer { former = services }
            return former
        }
        let (old, new) = (peripheral.services, VirtualService.services(services))
        // A service that includes others names them by their places, and one of a stack is not in the list.
        let canStay =
            (former + services).allSatisfy(\.includes.isEmpty) && old.count == former.count
            && new.count == services.count
        peripheral.changeServices(
            to: new.indices.map { place in
                let stays = canStay && former.indices.contains(place) && former[place] == services[place]
                return stays ? old[place] : new[place]
            })
    }

    // MARK: Channels

    func publish(_ channel: TwinChannel) async throws { try peripheral().publish(channel) }

    func channelUnits(psm: UInt16) async throws -> [Bytes] { try peripheral().channelUnits(psm: psm) }

    func wait(forChannels count: Int, psm: UInt16) async throws {
        try await peripheral().wait { $0.channelCount(psm: psm) == count }
    }

    func sendUnits(_ units: [Bytes], psm: UInt16) async throws { try peripheral().sendUnits(units, psm: psm) }

    func closeChannels(psm: UInt16) async throws { try peripheral().closeChannels(psm: psm) }

    func misbehave(_ fault: TwinChannel.Fault, psm: UInt16) async throws {
        try peripheral().misbehave(fault, psm: psm)
    }

    // MARK: Attributes

    func setValue(_ value: Bytes, of attribute: PeerAttribute) async throws {
        try peripheral().attribute(attribute).setValue(value)
    }

    func value(of attribute: PeerAttribute) async throws -> Bytes {
        try peripheral().attribute(attribute).value
    }

    func writes(to attribute: PeerAttribute) async throws -> [PeerWrite] {
        try peripheral().attribute(attribute).writes.map {
            PeerWrite($0.value, kind: $0.wantsResponse ? .request : .command)
        }
    }

    func setError(_ error: ATTError?, of attribute: PeerAttribute, on access: PeerAccess) async throws {
        try peripheral().attribute(attribute).setError(error, for: access.operation)
    }

    func hold(_ attribute: PeerAttribute, on access: PeerAccess) async throws {
        try peripheral().attribute(attribute).hold(access.operation)
    }

    func answerHeld(_ attribute: PeerAttribute, on access: PeerAccess) async throws {
        try peripheral().attribute(attribute).answerHeld(access.operation)
    }

    func release(_ attribute: PeerAttribute, on access: PeerAccess) async throws {
        try peripheral().attribute(attribute).release(access.operation)
    }

    func wait(until condition: PeerCondition) async throws {
        try await peripheral().wait { peripheral in
            // An attribute that a change of services took away meets no condition.
            (try? peripheral.meets(condition)) ?? false
        }
    }

    func notify(_ attribute: PeerAttribute, _ values: [Bytes]) async throws {
        try peripheral().characteristic(attribute).notify(values)
    }

    func notifyMany(_ attribute: PeerAttribute, count: Int, size: Int) async throws {
        let values = (0..<count).map { Bytes.numbered($0, size: size) }
        _ = try await peripheral().characteristic(attribute).notifyAndFlush(values)
    }

    func indicate(_ attribute: PeerAttribute, _ values: [Bytes]) async throws -> Int {
        let characteristic = try peripheral().characteristic(attribute)
        var confirmed = 0
        for value in values { confirmed += await characteristic.indicate(value) }
        return confirmed
    }

    func notifyOnSubscribe(_ attribute: PeerAttribute, _ value: Bytes?) async throws {
        try peripheral().characteristic(attribute).sendOnSubscription(value.map { [$0] } ?? [])
    }

    func subscriptions(to attribute: PeerAttribute) async throws -> PeerSubscriptions {
        let characteristic = try peripheral().characteristic(attribute)
        return PeerSubscriptions(
            current: characteristic.subscriptionCount, total: characteristic.totalSubscriptionCount)
    }
}

/// A characteristic or a descriptor of a virtual peripheral, whose accesses are controlled in the same way.
private protocol PeerTarget {
    var value: Bytes { get }
    var writes: [VirtualWrite] { get }
    func setValue(_ value: Bytes)
    func setError(_ error: ATTError?, for operation: VirtualOperation)
    func hold(_ operation: VirtualOperation)
    func answerHeld(_ operation: VirtualOperation)
    func release(_ operation: VirtualOperation)
    func heldCount(_ operation: VirtualOperation) -> Int
}

extension VirtualCharacteristic: PeerTarget {}
extension VirtualDescriptor: PeerTarget {}

extension VirtualPeripheral {
    fileprivate func characteristic(_ attribute: PeerAttribute) throws -> VirtualCharacteristic {
        guard services.indices.contains(attribute.service),
            services[attribute.service].characteristics.indices.contains(attribute.characteristic)
        else { throw ConformanceFailure("the peer has no attribute \(attribute)") }
        return services[attribute.service].characteristics[attribute.characteristic]
    }

    fileprivate func attribute(_ attribute: PeerAttribute) throws -> any PeerTarget {
        let characteristic = try characteristic(attribute)
        guard let index = attribute.descriptor else { return characteristic }
        guard characteristic.descriptors.indices.contains(index) else {
            throw ConformanceFailure("the peer has no attribute \(attribute)")
        }
        return characteristic.descriptors[index]
    }

    fileprivate func meets(_ condition: PeerCondition) throws -> Bool {
        switch condition {
        case .connected: connectionCount > 0
        case .disconnected: connectionCount == 0
        case .subscribed(let attribute): try characteristic(attribute).subscriptionCount > 0
        case .unsubscribed(let attribute): try characteristic(attribute).subscriptionCount == 0
        case .held(let attribute, let access):
            try self.attribute(attribute).heldCount(access.operation) > 0
        case .written(let attribute, let count):
            try self.attribute(attribute).writes.count >= count
        }
    }
}

extension PeerAccess {
    fileprivate var operation: VirtualOperation {
        switch self {
        case .read: .read
        case .write: .write
        case .subscribe: .subscribe
        }
    }
}

extension TwinAdvertisement {
    /// The advertisement with the flags that peers send where it has none.
    fileprivate var discoverable: TwinAdvertisement {
        var copy = self
        copy.data.flags = data.flags ?? [.generalDiscoverable, .noBREDR]
        return copy
    }
}

extension VirtualPairing {
    fileprivate init(_ pairing: PeerPairing) {
        switch pairing.capability {
        case _ where !pairing.accepts: self = .refused
        case .noInputNoOutput: self = .justWorks
        case .displayYesNo, .keyboardDisplay: self = .comparing
        case .displayOnly: self = .showing
        case .keyboardOnly: self = .typing
        }
    }
}
