// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual
public import Dispatch
import Foundation

/// The peripheral role.
public final class CBPeripheralManager: CBManager {
    /// Held weakly, as in all three classes (M8).
    public weak var delegate: (any CBPeripheralManagerDelegate)? {
        willSet { if newValue == nil, let delegate, host.has(.callbackAfterInvalidate) { haunt(delegate) } }
    }
    public internal(set) var isAdvertising = false
    let session: PeripheralSession
    private(set) lazy var channels = SystemChannels(session, self)
    /// The published services, in their order.
    var published: [PublishedService] = []
    var lastNumber: UInt32 = 0
    /// Names advertised and services; kept while the radio is off (M6).
    var advertising: RestoredPeripheral.Advertising?
    /// How often an advertisement was to begin.
    var startCount = 0
    var reading: [ObjectIdentifier: PendingRead] = [:]
    var writing: [ObjectIdentifier: PendingWrites] = [:]
    var gatheredCommands: [GatheredCommand] = []
    var updateCount = 0
    var isUpdateWanted = false
    private var centrals: [UUID: CBCentral] = [:]
    private var requests: [RequestID: (Result<Void, OperationFailure>) -> Void] = [:]
    private var isParked = false
    /// The options that the program has given.
    let options: [String: Any]?
    /// The operations that take from the backend, when the radio is on, the services that a fault has cleared here.
    private var clearings: [PeripheralOperation] = []
    static var advertisement: AdvertisementID { AdvertisementID(rawValue: 1) }

    public convenience init() { self.init(delegate: nil, queue: nil, options: nil) }

    public convenience init(delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    /// A manager, which tells its state soon (M2), after the restored objects (R1, R2).
    public init(delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil) {
        self.delegate = delegate
        self.options = options
        let host = StandIn.of(queue ?? .main)
        let identifier = options?[CBPeripheralManagerOptionRestoreIdentifierKey] as? String
        var restored: RestoredPeripheral?
        if let identifier, case .peripheral(let session, let memory)? = host.takeParked(identifier) {
            self.session = session
            restored = memory
        } else {
            session = PeripheralSession(host: host)
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
        session.events.attach { event in port.post { ($0 as? CBPeripheralManager)?.handle(event) } }
        session.channelEvents.attach { event in
            port.post { manager in
                guard let manager = manager as? CBPeripheralManager else { return }
                manager.channels.handle(event) { manager.accepted($0) }
            }
        }
    }

    /// Whether the app may use Bluetooth, in the words of older systems.
    public class func authorizationStatus() -> CBPeripheralManagerAuthorizationStatus {
        CBPeripheralManagerAuthorizationStatus(code: authorization.rawValue)
    }

    /// Does nothing (G9).
    public func setDesiredConnectionLatency(
        _ latency: CBPeripheralManagerConnectionLatency, for central: CBCentral
    ) {}

    // MARK: Events

    func perform(_ operation: PeripheralOperation, then: @escaping (Result<Void, OperationFailure>) -> Void) {
        let request = PeripheralRequest(id: session.events.makeRequest(), operation: operation)
        requests[request.id] = then
        session.ask { $0.perform(request) }
    }

    private func handle(_ event: PeripheralEvent) {
        if case .access = event {} else { flushCommands() }
        switch event {
        case .stateChanged(let state, _): stateChanged(CBManagerState(state))
        case .access(let access): accessed(access)
        case .subscribed(let number, let central):
            guard let characteristic = publishedCharacteristic(number) else { return }
            let central = self.central(central)
            guard characteristic.subscribe(central) else { return }
            delegate?.peripheralManager(self, central: central, didSubscribeTo: characteristic)
        case .unsubscribed(let number, let central):
            guard let characteristic = publishedCharacteristic(number) else { return }
            let central = self.central(central)
            guard characteristic.unsubscribe(central) else { return }
            delegate?.peripheralManager(self, central: central, didUnsubscribeFrom: characteristic)
        case .subscriberChanged(_, let facts): _ = central(facts)
        case .reply(let request, let result): requests.removeValue(forKey: request)?(result)
        // Nothing tells that a central left before the answer (I5).
        default: break
        }
    }

    private func stateChanged(_ new: CBManagerState) {
        if new == .poweredOn {
            isAdvertising = advertising != nil
            for clearing in clearings { perform(clearing) { _ in } }
            clearings = []
        } else {
            isAdvertising = false
            requests = [:]
            reading = [:]
            writing = [:]
            gatheredCommands = []
            updateCount = 0
            isUpdateWanted = false
            channels.drop()
            for characteristic in published.flatMap(\.characteristics) { characteristic.forgetSubscribers() }
            // Paused when it is off; below that advertising ends and the database is cleared (M6).
            if new.isBelowPoweredOff || host.has(.databaseCleared) {
                clearDatabase(isStillThere: !new.isBelowPoweredOff)
            }
        }
        state = new
        delegate?.peripheralManagerDidUpdateState(self)
    }

    /// - Parameter isStillThere: Whether the backend has it still.
    private func clearDatabase(isStillThere: Bool) {
        if isStillThere {
            clearings = published.reversed().map { .remove($0.object.number) }
            if advertising != nil { clearings.append(.stopAdvertising(Self.advertisement)) }
        }
        published = []
        advertising = nil
        OverflowArea.set([], of: PeerIdentifier(host.adapter.address), on: host.radio)
    }

    /// The object of a central, whose length changes without a word (I7).
    func central(_ facts: Central) -> CBCentral {
        let peer = facts.identifier ?? PeerIdentifier("unknown")
        let identifier = host.identifier(of: peer)
        let object = centrals[identifier] ?? CBCentral(identifier: identifier, host: host)
        centrals[identifier] = object
        if let length = facts.maximumUpdateLength { object.maximumUpdateValueLength = length }
        peers[identifier] = peer
        return object
    }

    private(set) var peers: [UUID: PeerIdentifier] = [:]

    /// Calls a delegate that was taken away (M9).
    private func haunt(_ former: any CBPeripheralManagerDelegate) {
        later { [self] in former.peripheralManagerDidUpdateState(self) }
    }

    // MARK: Restoration

    override func park() {
        super.park()
        if let restoreIdentifier {
            session.events.detach()
            session.channelEvents.detach()
            let memory = RestoredPeripheral(
                services: published.map { $0.memory { peers[$0.identifier] } }, advertising: advertising,
                lastNumber: lastNumber)
            host.park(.peripheral(session, memory), as: restoreIdentifier)
            isParked = true
        }
        published = []
        requests = [:]
        reading = [:]
        writing = [:]
        centrals = [:]
        delegate = nil
        state = .unknown
    }

    /// Tells the state that the system kept, before any state of the radio (R2, R3).
    private func restore(_ memory: RestoredPeripheral) {
        lastNumber = memory.lastNumber
        published = PublishedService.restore(memory.services, host: host) { self.central($0) }
        advertising = memory.advertising
        var dictionary: [String: Any] = [:]
        if !published.isEmpty {
            dictionary[CBPeripheralManagerRestoredStateServicesKey] = NSArray(array: published.map(\.object))
        }
        if let advertising {
            var data: [String: Any] = [:]
            if let name = advertising.localName { data[CBAdvertisementDataLocalNameKey] = NSString(string: name) }
            if !advertising.services.isEmpty {
                data[CBAdvertisementDataServiceUUIDsKey] = NSArray(
                    array: advertising.services.map { CBUUID(data: $0) })
            }
            dictionary[CBPeripheralManagerRestoredStateAdvertisementDataKey] = data as NSDictionary
        }
        delegate?.peripheralManager(self, willRestoreState: dictionary)
        let state = CBManagerState(host.adapter.state)
        // Subscribers are restored with their services, so the state is reported without clearing anything.
        if state == .poweredOn {
            isAdvertising = advertising != nil
            self.state = state
            delegate?.peripheralManagerDidUpdateState(self)
        } else {
            stateChanged(state)
        }
    }
}
