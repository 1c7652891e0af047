// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapVirtual
public import Dispatch
public import Foundation

/// The central role.
public final class CBCentralManager: CBManager {
    /// Features of a device, none of which the stand-in has.
    public struct Feature: OptionSet, Hashable, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let extendedScanAndConnect = Self(rawValue: 1)
    }

    /// Held weakly, as in all three classes (M8).
    public weak var delegate: (any CBCentralManagerDelegate)? {
        willSet { if newValue == nil, let delegate, host.has(.callbackAfterInvalidate) { haunt(delegate) } }
    }
    public internal(set) var isScanning = false
    let session: CentralSession
    private(set) lazy var channels = SystemChannels(session, self)
    var scan: Scan?
    /// The objects of peripherals. Nothing but the program keeps them (B11).
    private var objects: [PeerIdentifier: WeakPeripheral] = [:]
    private var cleaningCount = 64
    private var requests: [RequestID: (peer: PeerIdentifier, then: (Result<CentralReply, OperationFailure>) -> Void)] =
        [:]
    private var isParked = false
    /// The options that the program has given.
    let options: [String: Any]?

    public convenience init() { self.init(delegate: nil, queue: nil, options: nil) }

    public convenience init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    /// A manager, which tells its state soon (M2), after the restored objects (R1, R2).
    public init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil) {
        self.delegate = delegate
        self.options = options
        let host = StandIn.of(queue ?? .main)
        let identifier = options?[CBCentralManagerOptionRestoreIdentifierKey] as? String
        var restored: RestoredCentral?
        if let identifier, case .central(let session, let memory)? = host.takeParked(identifier) {
            self.session = session
            restored = memory
        } else {
            session = CentralSession(host: host)
        }
        super.init(queue: queue, restoreIdentifier: identifier)
        let port = port
        if let restored {
            later { [self] in
                restore(restored)
                attach(port)
            }
        } else {
            attach(port)
        }
    }

    deinit {
        if !isParked { session.end() }
    }

    private func attach(_ port: QueuePort) {
        session.events.attach { event in port.post { ($0 as? CBCentralManager)?.handle(event) } }
        session.channelEvents.attach { event in
            port.post { ($0 as? CBCentralManager)?.channels.handle(event) { _ in } }
        }
    }

    /// Whether the device has features.
    public class func supports(_ features: Feature) -> Bool { features.isEmpty }

    /// Does nothing (C15).
    public func registerForConnectionEvents(options: [CBConnectionEventMatchingOption: Any]? = nil) {}

    // MARK: Objects

    /// Those of the identifiers that the system knows; the others are missing (D9).
    public func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
        guard isOn("retrievePeripherals") else { return [] }
        return identifiers.compactMap { host.peer(of: $0) }.map(object)
    }

    /// The connected ones with a service; without services none (D10).
    public func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral] {
        guard isOn("retrieveConnectedPeripherals"), !serviceUUIDs.isEmpty else { return [] }
        return session.connectedPeers(with: serviceUUIDs).map(object)
    }

    /// The object of a peripheral: the same for as long as the program keeps it and it is valid (D6, M5).
    func object(_ peer: PeerIdentifier) -> CBPeripheral {
        if let known = objects[peer]?.object { return known }
        if objects.count >= cleaningCount {
            objects = objects.filter { $0.value.object != nil }
            cleaningCount = max(64, 2 * objects.count)
        }
        host.remember(peer)
        let made = CBPeripheral(peer: peer, manager: self)
        objects[peer] = WeakPeripheral(object: made)
        return made
    }

    func known(_ peer: PeerIdentifier) -> CBPeripheral? { objects[peer]?.object }

    private var peripherals: [CBPeripheral] {
        objects.values.compactMap(\.object).sorted { $0.peer < $1.peer }
    }

    private struct WeakPeripheral {
        weak var object: CBPeripheral?
    }

    // MARK: Requests

    /// Begins an operation. The answer carries no name to the program: `then` calls the delegate (E3).
    func perform(
        _ operation: CentralOperation, of peer: PeerIdentifier,
        then: @escaping (Result<CentralReply, OperationFailure>) -> Void
    ) {
        let request = CentralRequest(id: session.events.makeRequest(), operation: operation)
        requests[request.id] = (peer, then)
        session.ask { $0.perform(request) }
    }

    /// After the end of a link nothing is answered (C4, C6).
    func dropRequests(of peer: PeerIdentifier) { requests = requests.filter { $0.value.peer != peer } }

    // MARK: Events

    private func handle(_ event: CentralEvent) {
        switch event {
        case .stateChanged(let state, _): stateChanged(CBManagerState(state))
        case .sighted(let sighting): sighted(sighting)
        case .connected(let peer, let unit): connected(peer, unit)
        case .connectFailed(let peer, _): connectFailed(peer)
        case .disconnected(let peer, let failure): disconnected(peer, failure)
        case .maximumTransmissionUnitChanged(let peer, let unit): known(peer)?.maximumTransmissionUnit = unit
        case .nameChanged(let peer, let name): learn(name, of: peer)
        case .servicesChanged(let peer, let numbers): known(peer)?.servicesChanged(numbers)
        case .valueChanged(let peer, let number, let value): known(peer)?.notified(number, value)
        case .reply(let request, let result): requests.removeValue(forKey: request)?.then(result)
        case .pairingRequested(let prompt):
            let answer: PairingAnswer = host.settings.acceptsPairing ? .accept : .reject
            session.ask { $0.answerPairing(prompt.id, answer) }
        default: break
        }
    }

    private func stateChanged(_ new: CBManagerState) {
        var late: [CBPeripheral] = []
        if new != .poweredOn {
            // Links are gone without a callback (M4); below powered off, objects too (M5).
            isScanning = false
            scan = nil
            requests = [:]
            channels.drop()
            for peripheral in peripherals {
                if peripheral.state != .disconnected, host.has(.lateDisconnectAfterPowerOff) { late.append(peripheral) }
                peripheral.linkEnded()
                if new.isBelowPoweredOff { peripheral.invalidate() }
            }
            if new.isBelowPoweredOff { objects = [:] }
        }
        state = new
        delegate?.centralManagerDidUpdateState(self)
        for peripheral in late {
            later { [self] in tellDisconnected(peripheral, .bluetooth(.notConnected, host: host)) }
        }
    }

    private func connected(_ peer: PeerIdentifier, _ unit: Int?) {
        guard let peripheral = known(peer), peripheral.state == .connecting else { return }
        peripheral.linkBegan(unit)
        delegate?.centralManager(self, didConnect: peripheral)
        // The radio's adapter has read the GAP Device Name, and reports only one that differs from the advertised name.
        perform(.retrieve([peer]), of: peer) { [self] result in
            if case .success(.peripherals(let known)) = result, let name = known.first?.name { learn(name, of: peer) }
        }
        if host.has(.connectTwice) {
            later { [self] in delegate?.centralManager(self, didConnect: peripheral) }
        }
    }

    /// The system has read the name of a peripheral (B6).
    private func learn(_ name: String, of peer: PeerIdentifier) {
        guard host.name(of: peer) != name else { return }
        host.learn(name, of: peer)
        if let peripheral = known(peer) { peripheral.delegate?.peripheralDidUpdateName(peripheral) }
    }

    /// An attempt lasts until it is cancelled: one that a peer refused goes on (C1, C2).
    private func connectFailed(_ peer: PeerIdentifier) {
        guard let peripheral = known(peer) else { return }
        if peripheral.state == .connecting { return session.ask { $0.connect(peer) } }
        guard peripheral.state == .disconnecting else { return }
        endLink(of: peripheral, nil)
    }

    /// The error is nil only if we cancelled (C5).
    private func disconnected(_ peer: PeerIdentifier, _ failure: BackendFailure?) {
        guard let peripheral = known(peer), peripheral.state != .disconnected else { return }
        if peripheral.state == .connecting { return }
        endLink(of: peripheral, peripheral.state == .disconnecting ? nil : .linkEnd(failure, host: host))
    }

    private func endLink(of peripheral: CBPeripheral, _ error: NSError?) {
        let isOurs = peripheral.state == .disconnecting
        if isOurs, host.has(.slowCancel) { return endLater(peripheral.peer) }
        peripheral.linkEnded()
        dropRequests(of: peripheral.peer)
        if isOurs, host.has(.silentCancel) { return }
        if isOurs, host.has(.lateCancel) {
            return tellLater(peripheral.peer)
        }
        tellDisconnected(peripheral, error)
    }

    /// Ends a cancelled link when three seconds have passed, and begins the attempt that was asked for meanwhile.
    private func endLater(_ peer: PeerIdentifier) {
        let port = port
        _ = host.radio.clock.schedule(after: .seconds(3)) {
            port.post { manager in
                guard let manager = manager as? CBCentralManager, let peripheral = manager.known(peer),
                    peripheral.state == .disconnecting
                else { return }
                manager.tellDisconnected(peripheral, nil)
                guard peripheral.state == .disconnecting else { return }
                let isWanted = peripheral.isWanted
                peripheral.linkEnded()
                manager.dropRequests(of: peer)
                if isWanted { manager.connect(peripheral, options: peripheral.connectOptions) }
            }
        }
    }

    /// Tells the end of a cancelled link when three seconds have passed.
    private func tellLater(_ peer: PeerIdentifier) {
        let port = port
        _ = host.radio.clock.schedule(after: .seconds(3)) {
            port.post { manager in
                guard let manager = manager as? CBCentralManager, let peripheral = manager.known(peer) else { return }
                manager.tellDisconnected(peripheral, nil)
            }
        }
    }

    /// Of the two forms only the one with a timestamp is called (C12).
    func tellDisconnected(_ peripheral: CBPeripheral, _ error: NSError?) {
        delegate?.centralManager(
            self, didDisconnectPeripheral: peripheral, timestamp: Date().timeIntervalSinceReferenceDate,
            isReconnecting: false, error: error)
    }

    /// Calls a delegate that was taken away (M9).
    private func haunt(_ former: any CBCentralManagerDelegate) {
        later { [self] in
            for peripheral in peripherals { former.centralManager(self, didConnect: peripheral) }
            former.centralManagerDidUpdateState(self)
        }
    }

    // MARK: Restoration

    override func park() {
        super.park()
        if let restoreIdentifier {
            session.events.detach()
            session.channelEvents.detach()
            let memory = RestoredCentral(
                peripherals: peripherals.filter { [.connected, .connecting].contains($0.state) }.map {
                    RestoredCentral.Peripheral($0)
                },
                scannedServices: scan?.services.map { $0.map(\.data) }, scansDuplicates: scan?.allowsDuplicates)
            host.park(.central(session, memory), as: restoreIdentifier)
            isParked = true
        }
        for peripheral in peripherals { peripheral.forget() }
        objects = [:]
        requests = [:]
        delegate = nil
        state = .unknown
    }

    /// Tells the state that the system kept, before any state of the radio (R2, R3).
    private func restore(_ memory: RestoredCentral) {
        var dictionary: [String: Any] = [:]
        let restored = memory.peripherals.map { memory in
            let peripheral = object(memory.peer)
            peripheral.restore(memory)
            if host.has(.restoredStaysConnecting) {
                peripheral.state = .connecting
                peripheral.isStuck = true
            }
            return peripheral
        }
        if !restored.isEmpty { dictionary[CBCentralManagerRestoredStatePeripheralsKey] = NSArray(array: restored) }
        if let isDuplicate = memory.scansDuplicates {
            let services = memory.scannedServices?.map { CBUUID(data: $0) }
            scan = Scan(services: services, allowsDuplicates: isDuplicate)
            isScanning = true
            if let services { dictionary[CBCentralManagerRestoredStateScanServicesKey] = NSArray(array: services) }
            let options = [CBCentralManagerScanOptionAllowDuplicatesKey: NSNumber(value: isDuplicate)]
            dictionary[CBCentralManagerRestoredStateScanOptionsKey] = options as NSDictionary
        }
        delegate?.centralManager(self, willRestoreState: dictionary)
        stateChanged(CBManagerState(host.adapter.state))
        // A connected one gets no didConnect (R4); it lives on only if the program kept it.
        withExtendedLifetime(restored) {}
    }
}
