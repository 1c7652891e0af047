// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting

/// A program in the central role whose policy reconnects after a lost link without a limit of time.
final class CentralApp: MatrixApp {
    private static let attribute = PeerAttribute(service: 1)
    private static let uuid: BluetoothUUID = "B1EC1000-5EED-4000-B000-00805F9B34FB"

    private let activity: MatrixActivity
    private let world: BedWorld
    private let log: MatrixLog
    private let central: CentralManager
    private let requests: AsyncStream<PairingRequest>
    private let peer: any ConformancePeer
    private let peripheral: Peripheral
    private let questions = Locked((count: 0, isAnswered: false))
    private let isStale = Locked(false)
    /// The number of the last value that was sent, by either side, and of the last that was received.
    private let sent = Locked(0)
    private let received = Locked(0)

    init(_ activity: MatrixActivity, in world: BedWorld, _ log: MatrixLog) async throws {
        (self.activity, self.world, self.log) = (activity, world, log)
        central = try await world.makeCentral()
        requests = activity == .pairing ? central.pairingRequests(capability: .displayYesNo) : AsyncStream { nil }
        try await central.whenPoweredOn()
        peer = try await world.peer(0)
        let identifier = try await peer.configure(
            Twin(name: "Peer", services: Self.services(padding: activity == .discovering ? 200 : 1)),
            pairing: PeerPairing(capability: .displayYesNo))
        try await peer.advertise(true)
        peripheral = try await central.firstDiscovery(
            options: ScanOptions(addressPrefix: identifier.text)
        ).peripheral
        peripheral.reconnectPolicy = .matrix
        switch activity {
        case .scanning: break
        case .connecting: try await peer.vanish()
        case .discovering:
            try await peripheral.connect()
            try await peer.mute()
        default:
            try await peripheral.connect()
            try await peripheral.discover()
        }
        switch activity {
        case .reading: try await peer.hold(Self.attribute, on: .read)
        case .writing: try await peer.hold(Self.attribute, on: .write)
        default: break
        }
    }

    /// The services: the first has `padding` characteristics, so that the value's handle in the second moves with their
    /// number.
    private static func services(padding: Int) -> [TwinService] {
        let paddings = (0..<padding).map { _ in TwinCharacteristic("FFF2", properties: .read) }
        let value = TwinCharacteristic(uuid, properties: [.read, .write, .writeWithoutResponse, .notify], value: [1])
        return [
            TwinService("FFF0", characteristics: paddings),
            TwinService("B1EC0000-5EED-4000-B000-00805F9B34FB", characteristics: [value]),
        ]
    }

    func states() -> AsyncStream<ManagerState> { central.states() }

    func connectionEvents() -> AsyncStream<ConnectionEvent> { peripheral.connectionEvents() }

    // MARK: The program

    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.repeatStep() }
            group.addTask { await self.answer() }
            if activity.flows { group.addTask { await self.notify() } }
        }
    }

    private func repeatStep() async {
        while !Task.isCancelled {
            do { try await step() } catch {
                log.failed(error)
                isStale.withLock { $0 = true }
            }
            try? await pause()
        }
    }

    /// One step of the app's activity; every success is noted.
    private func step() async throws {
        switch activity {
        case .scanning:
            try await central.whenPoweredOn()
            for try await sighting in central.scan(options: ScanOptions(allowsDuplicates: true))
            where sighting.peripheral == peripheral { log.succeeded() }
            return
        case .connecting:
            try await central.whenPoweredOn()
            try await peripheral.connect()
        case .discovering:
            try await link()
            try await peripheral.discover()
        case .reading: _ = try await characteristic().read()
        case .writing: try await characteristic().write([2])
        case .commanding:
            let number = sent.withLock { $0 }
            try await characteristic().write(SerDe.serialize(UInt32(number)), kind: .withoutResponse)
            sent.withLock { $0 += 1 }
            return
        case .pairing:
            try await link()
            if !peripheral.isBonded { try await peripheral.pair() }
        case .notified, .notifiedBySocket:
            let transport: NotificationTransport = activity == .notified ? .standard : .socket
            let values = try await characteristic().notifications(onDisconnect: .resubscribe, transport: transport)
            for try await value in values {
                received.withLock { $0 = (try? SerDe.deserialize(value, as: UInt32.self)).map(Int.init) ?? $0 }
                log.succeeded()
            }
            return
        default: return
        }
        log.succeeded()
    }

    private func link() async throws {
        while !peripheral.isConnected { try await pause() }
    }

    /// The characteristic, after a failure discovered again as soon as the link is up.
    private func characteristic() async throws -> Characteristic {
        if isStale.withLock({ $0 }) {
            try await link()
            try await peripheral.discover()
            isStale.withLock { $0 = false }
        }
        return try peripheral.characteristic(Self.uuid)
    }

    private func answer() async {
        var open: [PairingRequest] = []
        for await request in requests {
            questions.withLock { $0.count += 1 }
            open.append(request)
            while !questions.withLock({ $0.isAnswered }), !Task.isCancelled { try? await pause() }
            for request in open { request.accept() }
            open = []
        }
    }

    /// The peripheral's part, which does not depend on a subscriber. Each value has its number.
    private func notify() async {
        while !Task.isCancelled {
            let number = sent.withLock { number in
                number += 1
                return number
            }
            _ = try? await peer.notify(Self.attribute, [SerDe.serialize(UInt32(number))])
            try? await pause(.milliseconds(20))
        }
    }

    private func pause(_ duration: Duration = .milliseconds(5)) async throws {
        try await BlueCapClock.continuous.sleep(for: duration)
    }

    // MARK: The fault

    func isUnderWay() async throws {
        switch activity {
        case .reading: try await peer.wait(until: .held(Self.attribute, .read))
        case .writing: try await peer.wait(until: .held(Self.attribute, .write))
        case .commanding: try await log.wait { _ in sent.withLock { $0 } > 10 }
        case .pairing: try await log.wait { _ in questions.withLock { $0.count } > 0 }
        case .connecting: try await log.wait { _ in peripheral.state == .connecting }
        case .discovering:
            try await pause(.milliseconds(300))
            if log.notes.lastSuccess != nil { throw BedError(description: "the discovery was over before the fault") }
        default: try await log.success()
        }
    }

    func changeServices() async throws { try await peer.changeServices(Self.services(padding: 2)) }

    func release() async throws {
        questions.withLock { $0.isAnswered = true }
        switch activity {
        case .reading: try await peer.release(Self.attribute, on: .read)
        case .writing: try await peer.release(Self.attribute, on: .write)
        case .connecting, .discovering: try await peer.comeBack()
        default: break
        }
    }

    func works(after fault: MatrixFault) async throws {
        let first = sent.withLock { $0 }
        // A value sent before the call may still wait in a socket, or on the bus.
        if activity.flows { return try await log.wait { _ in received.withLock { $0 } > first } }
        guard activity == .commanding else { return try await log.success() }
        try await log.wait { _ in
            guard let value = try await peer.writes(to: Self.attribute).last?.value else { return false }
            return try SerDe.deserialize(value, as: UInt32.self) > first
        }
    }
}
#endif
