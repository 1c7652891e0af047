// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapSerDe
import Foundation

/// The central role over wires: each device that is in range is at the other end of a socket.
///
/// ```swift
/// let backend = WireCentralBackend()
/// let central = CentralManager(backend: backend)
/// backend.attach(socket, as: "C0:DE:00:00:00:01")
/// ```
public actor WireCentralBackend: CentralBackend {
    private let queueExecutor = DispatchBackendExecutor(label: "WireRadio.central")
    /// The one thread of control of the backend and its manager.
    public nonisolated var executor: any BackendExecutor { queueExecutor }
    // SAFETY: a `let` of this actor keeps the executor, so it lives as long as the unowned reference is used.
    /// The same as ``executor``.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { queueExecutor.asUnownedSerialExecutor() }

    /// Answers to reads and notifications are messages of their own, and a device that can be connected to says so by
    /// advertising.
    public nonisolated let features: CentralFeatures = [.separatesReadsFromNotifications, .peripheralPresence]

    var sink: CentralEventSink?
    var devices: [PeerIdentifier: RemoteDevice] = [:]
    var isScanning = false
    private var isOn = true
    private var isOver = false
    /// The last number that was given to a link or a wire.
    private var lastNumber: UInt64 = 0

    /// Creates a backend with no device in range, whose radio is on.
    public init() {}

    // MARK: State

    /// Reports the state, after this returns.
    public func activate(clock: BlueCapClock, sink: CentralEventSink) {
        self.sink = sink
        later { $0.reportState() }
    }

    /// Closes every wire, which ends every link.
    public func invalidate() {
        sink = nil
        isOver = true
        for device in devices.values { device.wire?.close() }
        devices = [:]
    }

    /// Switches the radio on or off, as a user does in a system's settings. It is on at first.
    public nonisolated func setPower(_ isOn: Bool) {
        later { $0.changePower(isOn) }
    }

    private func changePower(_ isOn: Bool) {
        guard isOn != self.isOn else { return }
        self.isOn = isOn
        isScanning = false
        for peripheral in devices.keys { endLink(to: peripheral) }
        reportState()
    }

    private func reportState() { sink?(.stateChanged(isOn ? .poweredOn : .poweredOff, nil)) }

    // MARK: Devices in range

    /// Brings a device into range.
    ///
    /// - Parameters:
    ///   - socket: A stream socket with the device at its other end. The backend closes it.
    ///   - peripheral: The device; a device that was in range already has this wire from now on.
    public nonisolated func attach(_ socket: Int32, as peripheral: PeerIdentifier) {
        later { $0.take(socket, of: peripheral) }
    }

    private func take(_ socket: Int32, of peripheral: PeerIdentifier) {
        guard !isOver else {
            Foundation.close(socket)
            return
        }
        lose(peripheral)
        let number = makeNumber()
        let receive = callback { (self, bytes: [UInt8]?) in self.receive(bytes, from: peripheral, over: number) }
        let wire = Wire(socket: socket, queue: queueExecutor.queue, receive: receive)
        devices[peripheral, default: RemoteDevice()].wire = wire
        devices[peripheral]?.wireNumber = number
    }

    /// Ends the wire of a device that has gone out of range. An attempt to connect to it goes on.
    func lose(_ peripheral: PeerIdentifier) {
        guard let device = devices[peripheral] else { return }
        device.wire?.close()
        devices[peripheral] = RemoteDevice(isWanted: device.isWanted)
        if device.link?.isUp == true { sink?(.disconnected(peripheral, nil)) }
    }

    private func makeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Scanning

    /// Starts or stops to report advertisements.
    public func scan(_ request: ScanRequest?) {
        isScanning = request != nil
        // A device sends an advertisement only when it changes, so a scan begins with the known ones.
        later { $0.reportAdvertisers() }
    }

    private func reportAdvertisers() {
        for device in devices.values {
            if isScanning, let sighting = device.sighting { sink?(.sighted(sighting)) }
        }
    }

    // MARK: Connecting

    /// Connects when the device advertises, however long that takes.
    public func connect(_ peripheral: PeerIdentifier) {
        devices[peripheral, default: RemoteDevice()].isWanted = true
        call(peripheral)
    }

    /// Asks a device for a link if it is wanted and advertises, and otherwise waits for the advertisement.
    func call(_ peripheral: PeerIdentifier) {
        guard let device = devices[peripheral], device.isWanted, device.link == nil, device.sighting != nil else {
            return
        }
        let link = Link(number: makeNumber())
        devices[peripheral]?.link = link
        device.wire?.send(.connect(link: link.number))
        later { $0.sink?(.peripheralHeard(peripheral)) }
    }

    /// Ends the link, or the attempt, at once.
    public func disconnect(_ peripheral: PeerIdentifier) {
        let wasUp = endLink(to: peripheral)
        later { $0.sink?(wasUp ? .disconnected(peripheral, nil) : .connectFailed(peripheral, .disconnected)) }
    }

    /// Ends a link, or an attempt at one.
    ///
    /// - Returns: Whether the link stood.
    @discardableResult
    private func endLink(to peripheral: PeerIdentifier) -> Bool {
        guard let device = devices[peripheral] else { return false }
        devices[peripheral]?.isWanted = false
        devices[peripheral]?.link = nil
        guard let link = device.link else { return false }
        device.wire?.send(.disconnect(link: link.number))
        return link.isUp
    }
}
