// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import CoreBluetooth
import Foundation

/// The links of a backend: how each begins and ends.
final class CentralLinks {
    typealias Backend = CoreBluetoothCentralBackend

    /// The time that CoreBluetooth may take to answer a cancelled link (C2).
    private static let patience = Duration.seconds(2)

    private var links: [PeerIdentifier: CentralLink] = [:]
    /// The links by their objects, which the callbacks name.
    private var linkOf: [ObjectIdentifier: CentralLink] = [:]
    /// The link of the last callback, which most callbacks are about.
    private var latest: CentralLink?
    private var lastNumber: UInt64 = 0
    private var unanswered = UnansweredCancels()

    /// The link of a peripheral.
    subscript(id: PeerIdentifier) -> CentralLink? { links[id] }

    /// The link of a name; nil once it has ended.
    subscript(name: CentralLink.Name) -> CentralLink? {
        guard let link = links[name.id], link.name == name else { return nil }
        return link
    }

    /// The peripherals that are connected through this backend.
    var connected: [CBPeripheral] { links.values.filter(\.isUp).map(\.peripheral) }

    /// The link of a connected peripheral, for a callback; nil for one that comes late, or from an object that is void.
    func connected(_ peripheral: CBPeripheral) -> CentralLink? {
        if latest?.peripheral !== peripheral { latest = linkOf[ObjectIdentifier(peripheral)] }
        guard let link = latest else { return nil }
        return link.phase == .connected || link.phase == .disconnecting ? link : nil
    }

    /// Runs `body` for a callback of a connected peripheral.
    func on(_ peripheral: CBPeripheral, _ backend: isolated Backend, _ body: (CentralLink) -> Void) {
        guard let link = connected(peripheral) else { return backend.countStray() }
        body(link)
    }

    // MARK: Connecting

    /// Begins an attempt, which CoreBluetooth keeps up until it is cancelled (C1).
    func connect(_ id: PeerIdentifier, _ backend: isolated Backend) {
        guard let manager = backend.radio.poweredOn else { return backend.report(.connectFailed(id, .poweredOff)) }
        guard let peripheral = backend.objects.find(id, manager) else {
            return backend.report(.connectFailed(id, .backend(.unknownPeripheral)))
        }
        if let former = links[id] { remove(former) }
        lastNumber += 1
        let name = CentralLink.Name(id: id, number: lastNumber)
        let link = CentralLink(name, peripheral, backend.objects.numbers(of: id), backend.channels)
        links[id] = link
        linkOf[ObjectIdentifier(peripheral)] = link
        peripheral.delegate = backend.delegate
        begin(link, manager, backend)
        // R4: for a restored peripheral that is connected already, no callback need come.
        guard peripheral.state == .connected else { return }
        backend.later { backend in
            if let link = backend.links[name], link.phase == .connecting { backend.links.established(link, backend) }
        }
    }

    private func begin(_ link: CentralLink, _ manager: CBCentralManager, _ backend: isolated Backend) {
        manager.connect(link.peripheral, options: backend.options.ofConnection)
    }

    /// A peripheral is connected. A second callback for one attempt, and one for no attempt, change nothing.
    func connected(_ peripheral: CBPeripheral, _ backend: isolated Backend) {
        guard let link = linkOf[ObjectIdentifier(peripheral)] else { return backend.countStray() }
        // The attempt was cancelled as it succeeded.
        if link.phase == .aborting, let manager = backend.radio.poweredOn {
            return manager.cancelPeripheralConnection(peripheral)
        }
        if link.phase == .connecting { established(link, backend) } else { backend.countStray() }
    }

    private func established(_ link: CentralLink, _ backend: isolated Backend) {
        link.phase = .connected
        // C14: the length that CoreBluetooth gives now is not the true one yet.
        backend.emit(.connected(link.id, maximumTransmissionUnit: nil))
    }

    /// An attempt failed.
    func failed(_ peripheral: CBPeripheral, _ error: PlatformError?, _ backend: isolated Backend) {
        guard let link = linkOf[ObjectIdentifier(peripheral)], link.phase == .connecting || link.phase == .aborting
        else { return backend.countStray() }
        finish(link, error, backend)
    }

    // MARK: Disconnecting

    /// Cancels a link or an attempt.
    func disconnect(_ id: PeerIdentifier, _ backend: isolated Backend) {
        guard let link = links[id], let manager = backend.radio.poweredOn else {
            return backend.report(.connectFailed(id, .disconnected))
        }
        switch link.phase {
        case .connecting: link.phase = .aborting
        case .connected: link.phase = .disconnecting
        case .aborting, .disconnecting: return
        }
        // C2: the answer to this can stay away.
        link.cancelTimer = backend.after(Self.patience, on: link) { backend, link in
            backend.statistics.unansweredCancels += 1
            backend.links.finish(link, nil, isUnanswered: true, backend)
        }
        manager.cancelPeripheralConnection(link.peripheral)
    }

    /// A link or an attempt has ended. C3: this can come without a connection before it.
    ///
    /// C2: it can also be the answer to a cancel that was given up, while the next attempt is under way already.
    func disconnected(_ peripheral: CBPeripheral, _ error: PlatformError?, _ backend: isolated Backend) {
        let object = ObjectIdentifier(peripheral)
        guard let link = linkOf[object] else {
            unanswered.answered(object, of: PeerIdentifier(peripheral.identifier.uuidString))
            return backend.countStray()
        }
        switch unanswered.answered(object, of: link.id, in: link.phase, state: peripheral.state) {
        case .ends: return finish(link, error, backend)
        case .goesOn: break
        case .beginsAgain: if let manager = backend.radio.poweredOn { begin(link, manager, backend) }
        }
        backend.countStray()
    }

    /// - Parameters:
    ///   - link: The link.
    ///   - error: The reason of CoreBluetooth.
    ///   - isUnanswered: Whether the answer to the cancel of the link may still come.
    ///   - backend: The backend.
    private func finish(
        _ link: CentralLink, _ error: PlatformError?, isUnanswered: Bool = false, _ backend: isolated Backend
    ) {
        remove(link)
        backend.objects.remember(link.peripheral)
        backend.earlyValues.forget(link.id)
        // An attempt that CoreBluetooth keeps up, or begins once it has disconnected, would end in a connection that
        // nobody uses.
        let state = link.peripheral.state
        let goesOn = state == .connecting || state == .connected || state == .disconnecting && link.phase == .connecting
        // The answer is not for the next attempt.
        if goesOn || isUnanswered { unanswered.add(ObjectIdentifier(link.peripheral), of: link.id) }
        if goesOn { backend.radio.poweredOn?.cancelPeripheralConnection(link.peripheral) }
        switch link.phase {
        case .connecting: backend.emit(.connectFailed(link.id, error?.operationFailure ?? .disconnected))
        case .aborting: backend.emit(.connectFailed(link.id, .disconnected))
        // C5: there is an error unless this program ended the connection.
        case .connected, .disconnecting: backend.emit(.disconnected(link.id, error?.linkFailure))
        }
    }

    private func remove(_ link: CentralLink) {
        link.end()
        links[link.id] = nil
        linkOf[ObjectIdentifier(link.peripheral)] = nil
        latest = nil
    }

    // MARK: The end of all

    /// M4: the radio is off, which ended all links. No callback comes for them, and a late one finds none.
    func drop(_ backend: isolated Backend) {
        backend.earlyValues.removeAll()
        unanswered.removeAll()
        for link in links.values {
            remove(link)
            backend.objects.remember(link.peripheral)
        }
    }

    /// Disconnects all links, of which nothing more is reported.
    func end(_ manager: CBCentralManager?) {
        for link in links.values {
            remove(link)
            link.peripheral.delegate = nil
            if manager?.state == .poweredOn { manager?.cancelPeripheralConnection(link.peripheral) }
        }
    }
}

extension BackendFailure {
    /// B11: the system does not know an identifier.
    fileprivate static var unknownPeripheral: BackendFailure {
        BackendFailure(
            name: "CoreBluetooth.unknownPeripheral", message: "the system does not know this peripheral",
            advice: "scan for it first")
    }
}
#endif
