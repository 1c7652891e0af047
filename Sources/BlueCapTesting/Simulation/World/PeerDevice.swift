// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual

/// A far device of any world as a device of the random program.
struct PeerDevice: ProgramDevice {
    private static let commandedPlace = PeerAttribute(characteristic: 3)
    /// All but the service that comes and goes.
    private static let lasting = TwinService(
        ProgramLayout.service,
        characteristics: [
            register(.plain, descriptors: [TwinDescriptor(ProgramRegister.description, value: Bytes(number: 0))]),
            TwinCharacteristic(ProgramLayout.notified, properties: .notify),
            TwinCharacteristic(ProgramLayout.indicated, properties: .indicate),
            TwinCharacteristic(ProgramLayout.commanded, properties: .writeWithoutResponse),
            register(.long),
            register(.encrypted, security: .encrypted),
        ])
    private static let passing = TwinService(
        "FFE0", characteristics: [TwinCharacteristic("FFE1", properties: .read, value: [1])])
    /// The attributes that errors and delays act on.
    private static let places =
        lasting.characteristics.indices.map { PeerAttribute(characteristic: $0) } + [place(of: .descriptor)]

    private static func register(
        _ register: ProgramRegister, descriptors: [TwinDescriptor] = [], security: TwinSecurity? = nil
    ) -> TwinCharacteristic {
        TwinCharacteristic(
            register.characteristic, properties: [.read, .write], value: register.bytes(0), readSecurity: security,
            writeSecurity: security, descriptors: descriptors)
    }

    private static func place(of register: ProgramRegister) -> PeerAttribute {
        switch register {
        case .plain: PeerAttribute(characteristic: 0)
        case .long: PeerAttribute(characteristic: 4)
        case .descriptor: PeerAttribute(characteristic: 0, descriptor: 0)
        case .encrypted: PeerAttribute(characteristic: 5)
        }
    }

    let peer: any ConformancePeer
    let identifier: PeerIdentifier
    private let name: String

    init(_ peer: any ConformancePeer, name: String, pairing: PeerPairing) async throws {
        self.peer = peer
        self.name = name
        identifier = try await peer.configure(
            Twin(name: name, services: [Self.lasting, Self.passing]), pairing: pairing)
        if let peer = peer as? any ChannelPeer {
            for twin in ChannelPlace.allCases.compactMap({ $0.twin() }) { try await peer.publish(twin) }
        }
        try await peer.advertise(true)
    }

    private static func place(of uuid: BluetoothUUID) -> PeerAttribute {
        PeerAttribute(characteristic: uuid == ProgramLayout.notified ? 1 : 2)
    }

    func number(in register: ProgramRegister) async throws -> UInt64? {
        register.number(try await peer.value(of: Self.place(of: register)))
    }

    var commands: [UInt64] {
        get async throws { try await peer.writes(to: Self.commandedPlace).compactMap(\.value.number) }
    }

    var connectionCount: Int? { get async throws { try await peer.connections().current } }

    func subscriberCount(of uuid: BluetoothUUID) async throws -> Int {
        try await peer.subscriptions(to: Self.place(of: uuid)).current
    }

    func send(_ values: [Bytes], isIndicated: Bool, isSingle: Bool) async throws {
        let place = Self.place(of: ProgramLayout.counter(isIndicated: isIndicated))
        if isIndicated { _ = try await peer.indicate(place, values) } else { try await peer.notify(place, values) }
    }

    func greet(_ values: [Bytes]) async throws {
        try await peer.notifyOnSubscribe(Self.place(of: ProgramLayout.notified), values.first)
    }

    var takesChannels: Bool { peer is any ChannelPeer }

    func channelNumbers(_ place: ChannelPlace) async throws -> [UInt64]? {
        guard let peer = peer as? any ChannelPeer else { return nil }
        return try await peer.channelUnits(psm: place.psm).compactMap(\.unitNumber)
    }

    func act(_ action: ChannelAction, _ numbers: [UInt64]) async throws {
        guard let peer = peer as? any ChannelPeer else { return }
        switch action {
        case .send(let place, _): try await peer.sendUnits(numbers.map { Bytes(unit: $0) }, psm: place.psm)
        case .close(let place): try await peer.closeChannels(psm: place.psm)
        case .misbehave(let place, let fault): try await peer.misbehave(fault, psm: place.psm)
        case .refuse(let place, let refusal):
            if let twin = place.twin(refusal: refusal) { try await peer.publish(twin) }
        }
    }

    // MARK: Faults

    /// Starts or ends a fault; faults that a peer cannot show are skipped.
    func play(_ fault: DeviceFault) async throws {
        switch fault {
        case .vanish, .die: try await peer.vanish()
        case .mute: try await peer.mute()
        case .reappear, .revive, .unmute: try await peer.comeBack()
        case .refuse(let refuses): try await peer.refuseConnections(refuses)
        case .move(let metres): try await peer.setRSSI(-40 - min(metres, 50))
        case .service(_, let isThere):
            try await peer.changeServices(isThere ? [Self.lasting, Self.passing] : [Self.lasting])
        case .error(let place, let operation, let error):
            try await peer.setError(error, of: Self.attribute(at: place), on: operation.access)
        case .hold(let place, let operation):
            try await peer.hold(Self.attribute(at: place), on: operation.access)
        case .answerHeld(let place, let operation):
            try await peer.answerHeld(Self.attribute(at: place), on: operation.access)
        case .release(let place, let operation):
            try await peer.release(Self.attribute(at: place), on: operation.access)
        case .disconnect, .reset: try await peer.disconnect()
        case .advertise(let isOn): try await peer.advertise(isOn)
        case .rename(let name):
            try await peer.updateAdvertisement(TwinAdvertisement(data: PeripheralAdvertisements(localName: name)))
        case .interval(let milliseconds):
            try await peer.updateAdvertisement(
                TwinAdvertisement(
                    data: PeripheralAdvertisements(localName: name), interval: .milliseconds(milliseconds)))
        case .slow, .loss, .forgetBonds, .pairing, .address, .unit: break
        }
    }

    private static func attribute(at place: Int) -> PeerAttribute { places[place % places.count] }

    /// Takes every fault back.
    func heal() async throws {
        try await peer.comeBack()
        try await peer.refuseConnections(false)
        try await peer.changeServices([Self.lasting, Self.passing])
        for place in Self.places {
            for access in PeerAccess.allCases {
                try await peer.setError(nil, of: place, on: access)
                try await peer.release(place, on: access)
            }
        }
        try await peer.updateAdvertisement(TwinAdvertisement(data: PeripheralAdvertisements(localName: name)))
        try await peer.advertise(true)
    }
}

extension VirtualOperation {
    /// The same in the words of the conformance suite.
    fileprivate var access: PeerAccess {
        switch self {
        case .read: .read
        case .write: .write
        case .subscribe: .subscribe
        }
    }
}
