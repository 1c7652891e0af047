// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapVirtual
public import Foundation

/// A peripheral of a central manager. Nothing but the program keeps it: its end cancels its connection (C7).
public final class CBPeripheral: CBPeer {
    public weak var delegate: (any CBPeripheralDelegate)?
    public internal(set) var state = CBPeripheralState.disconnected
    /// The services found by a discovery (D1), kept over connections; nil before one.
    public internal(set) var services: [CBService]?
    let peer: PeerIdentifier
    let host: StandIn
    private(set) weak var manager: CBCentralManager?
    private let session: CentralSession
    private let count: ObjectCount
    var isValid = true
    /// Restored as connecting, for good (R4).
    var isStuck = false
    /// Whether an attempt is to begin when the peripheral is disconnected (C2).
    var isWanted = false
    /// Whether the length of commands and the room for them are known (C14, E5).
    var isDiscovered = false
    var maximumTransmissionUnit = 23
    /// How often the database has changed (D3).
    var changeCount = 0
    /// The options of the latest attempt to connect.
    var connectOptions: [String: Any]?
    private var commandCount = 0
    private var wantsReadySignal = false

    init(peer: PeerIdentifier, manager: CBCentralManager) {
        self.peer = peer
        self.manager = manager
        host = manager.host
        session = manager.session
        count = ObjectCount(.peripherals, in: host.counts)
        super.init(identifier: host.identifier(of: peer))
    }

    deinit {
        guard isValid, state == .connecting || state == .connected else { return }
        session.ask { [peer] in $0.disconnect(peer) }
    }

    /// The name that the system knows, not the advertised one (B6).
    public var name: String? { host.name(of: peer) }

    /// Deprecated, always nil.
    public var rssi: NSNumber? { nil }

    public var ancsAuthorized: Bool { false }

    // MARK: The link

    func linkBegan(_ unit: Int?) {
        state = .connected
        isDiscovered = false
        maximumTransmissionUnit = unit ?? 23
    }

    /// Subscriptions end with the link (E8).
    func linkEnded() {
        state = .disconnected
        isStuck = false
        isWanted = false
        isDiscovered = false
        maximumTransmissionUnit = 23
        commandCount = 0
        wantsReadySignal = false
        for characteristic in allCharacteristics { characteristic.isNotifying = false }
        if host.has(.attributesEnd) {
            for service in allServices { service.invalidate() }
            services = nil
        }
    }

    /// The object is of no more use (M5).
    func invalidate() {
        isValid = false
        for service in allServices { service.invalidate() }
    }

    /// The program ended; the link is the system's.
    func forget() {
        invalidate()
        state = .disconnected
        delegate = nil
    }

    /// The known services, with the included ones, each once.
    var allServices: [CBService] {
        var all = services ?? []
        var next = 0
        while next < all.count {
            for service in all[next].includedServices ?? [] where !all.contains(where: { $0 === service }) {
                all.append(service)
            }
            next += 1
        }
        return all
    }

    var allCharacteristics: [CBCharacteristic] { allServices.flatMap { $0.characteristics ?? [] } }

    // MARK: The room for commands

    /// 20 until services are discovered, then as the link has it; with a response 512, which means nothing (C14).
    public func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int {
        if type == .withResponse { return 512 }
        return isDiscovered ? maximumTransmissionUnit - 3 : 20
    }

    /// False at first and while the queue is full; who sees false is called when it is true (E5).
    public var canSendWriteWithoutResponse: Bool {
        let isFree = state == .connected && isDiscovered && commandCount < host.settings.commandRoom
        if !isFree { wantsReadySignal = true }
        return isFree
    }

    /// Takes room for a command; one that finds the queue full is dropped in silence (E5).
    func beginCommand() -> Bool {
        guard commandCount < host.settings.commandRoom else { return false }
        commandCount += 1
        if commandCount >= host.settings.commandRoom { wantsReadySignal = true }
        return true
    }

    func endCommand() {
        commandCount = max(0, commandCount - 1)
        if host.has(.noReadySignal) { isDiscovered = true }
        signalReady()
    }

    func signalReady() {
        guard wantsReadySignal, isDiscovered, commandCount < host.settings.commandRoom else { return }
        wantsReadySignal = false
        if !host.has(.noReadySignal) { delegate?.peripheralIsReady(toSendWriteWithoutResponse: self) }
    }

    // MARK: Checks

    /// The manager, if commands are taken now (C6).
    func managerForCommand(_ command: String, isValid objectIsValid: Bool = true) -> CBCentralManager? {
        guard let manager, state == .connected, isValid, objectIsValid else {
            host.misuse("\(command) of a peripheral that is not connected, or of an object that is not valid")
            return nil
        }
        return manager
    }
}
