// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import WireRadio

/// A device at the far end of a wire. The test's commands to it are in `WireDevice+Peer.swift`.
actor WireDevice: RadioActor {
    private let queueExecutor = DispatchBackendExecutor(label: "WireRadio.device")
    nonisolated var executor: any BackendExecutor { queueExecutor }
    // SAFETY: the executor is held by a `let` of this actor, so it lives at least as long as the unowned reference is
    // used.
    nonisolated var unownedExecutor: UnownedSerialExecutor { queueExecutor.asUnownedSerialExecutor() }

    private let index: Int
    private let backend: WireCentralBackend
    private var address: PeerIdentifier = ""
    private var generation = 0
    private var wire: Wire?
    private var reader = LineReader()
    private var watchers: [AsyncStream<Void>.Continuation] = []

    var twin = Twin()
    var advertisement = TwinAdvertisement(data: PeripheralAdvertisements())
    var database = DeviceDatabase([])
    var isAdvertising = false
    var rssi = -50
    var refusesConnections = false
    var isMuted = false
    /// The number of the link that stands.
    var link: UInt64?
    var totalConnectionCount = 0
    var confirmationCount = 0
    /// Accesses that are not answered, and their messages.
    var held: [AttributeAccessKey: [Message]] = [:]

    init(index: Int, backend: WireCentralBackend) {
        self.index = index
        self.backend = backend
    }

    /// Becomes another device.
    func become(_ twin: Twin) -> PeerIdentifier {
        leave()
        generation += 1
        address = twin.address ?? PeerIdentifier("C0:DE:00:00:0\(index):0\(generation)")
        self.twin = twin
        advertisement = twin.advertisement ?? TwinAdvertisement(data: PeripheralAdvertisements(localName: twin.name))
        database = DeviceDatabase(twin.services)
        (isAdvertising, isMuted, refusesConnections, rssi) = (false, false, false, -50)
        (totalConnectionCount, confirmationCount, held) = (0, 0, [:])
        return address
    }

    // MARK: The wire

    func arrive() throws {
        guard wire == nil else { return }
        let (near, far) = try Wire.makePair()
        reader = LineReader()
        wire = Wire(
            socket: far, queue: queueExecutor.queue,
            receive: callback { (self, bytes: [UInt8]?) in self.receive(bytes ?? []) })
        backend.attach(near, as: address)
    }

    func leave() {
        wire?.close()
        wire = nil
        endLink()
    }

    func send(_ message: Message) {
        if !isMuted { wire?.send(message) }
    }

    /// Sends its advertisement, or the message that it does not advertise.
    func advertise() {
        guard isAdvertising, link == nil else { return send(.silence) }
        send(.advertisement(packets: advertisement.packets, rssi: rssi))
    }

    private func receive(_ bytes: [UInt8]) {
        guard let messages = try? reader.messages(adding: bytes), !isMuted else { return }
        for message in messages { take(message) }
        changed()
    }

    private func take(_ message: Message) {
        switch message {
        case .connect(let number) where refusesConnections || link != nil || !isAdvertising:
            send(.disconnected(link: number))
        case .connect(let number):
            link = number
            totalConnectionCount += 1
            advertise()
            let unit = min(twin.mtu ?? 247, 517)
            send(.connected(link: number, maximumTransmissionUnit: unit, services: database.services))
        case .disconnect(let number) where number == link:
            endLink()
            advertise()
        case .confirmation:
            confirmationCount += 1
        default:
            if let key = AttributeAccessKey(message), held[key] != nil {
                held[key]?.append(message)
            } else {
                answer(message)
            }
        }
    }

    func answer(_ message: Message) {
        for reply in database.replies(to: message) { send(reply) }
        changed()
    }

    func endLink() {
        link = nil
        database.endSubscriptions()
        for key in held.keys { held[key] = [] }
        changed()
    }

    // MARK: Waiting

    func wait(until isMet: () -> Bool) async throws {
        let (changes, watcher) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        watchers.append(watcher)
        if isMet() { return }
        for await _ in changes where isMet() { return }
        throw CancellationError()
    }

    func changed() {
        for watcher in watchers { watcher.yield() }
    }
}

/// The accesses that a test holds back.
struct AttributeAccessKey: Hashable {
    var attribute: UInt32
    var access: PeerAccess

    init(_ attribute: UInt32, _ access: PeerAccess) {
        self.attribute = attribute
        self.access = access
    }

    init?(_ message: Message) {
        switch message {
        case .read(_, let attribute): self.init(attribute, .read)
        case .write(_, let attribute, _): self.init(attribute, .write)
        case .subscribe(_, let attribute, _): self.init(attribute, .subscribe)
        default: return nil
        }
    }
}

extension TwinAdvertisement {
    /// The packets, scan response included.
    var packets: [Bytes] {
        let all = Advertisement(
            localName: data.localName ?? scanResponse?.localName,
            serviceUUIDs: data.serviceUUIDs + (scanResponse?.serviceUUIDs ?? []),
            serviceData: data.serviceData.merging(scanResponse?.serviceData ?? [:]) { own, _ in own },
            manufacturerData: data.manufacturerData.merging(scanResponse?.manufacturerData ?? [:]) { own, _ in own },
            solicitedServiceUUIDs: data.solicitedServiceUUIDs, appearance: data.appearance,
            includesTxPower: data.txPower != nil, txPower: data.txPower)
        return [all.packet(), all.scanResponsePacket]
    }
}
