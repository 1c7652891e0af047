// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapFakeBlueZ
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTestExecutor
import BlueCapTesting
import BlueCapVirtual
import Testing

/// Each value wakes the task that waits for it before the next value is sent.
@Suite("A late value is handed on from a stack that is no deeper than that of an early value", .timeLimit(.minutes(60)))
struct StackDepthTests {
    @Test(arguments: ValueWay.allCases)
    func `on the virtual radio`(_ way: ValueWay) async throws {
        try await VirtualRadio.run { radio in
            try await expectSameDepth(of: way, in: VirtualWorld(radio: radio), StackProbe(over: radio.executor))
        }
    }

    @Test(arguments: ValueWay.allCases)
    func `over a scripted daemon`(_ way: ValueWay) async throws {
        let executor = DispatchBackendExecutor(label: "bluecap.tests.depth")
        try await expectSameDepth(of: way, in: FakeWorld(), StackProbe(over: executor))
    }

    private func expectSameDepth(of way: ValueWay, in world: any ConformanceWorld, _ probe: StackProbe) async throws {
        let growth = try await withTaskExecutorPreference(probe) {
            try await way.values(in: world) { value in try await probe.growth(value) }
        }
        await world.close()
        #expect(try #require(growth) < 4096)
    }
}

/// The ways of values through a manager.
enum ValueWay: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case notifications, sightings, reads, writes, commands, updates
    case writeRequests = "write requests"

    var testDescription: String { rawValue }

    private static let service: BluetoothUUID = "F00D"
    private static let characteristic: BluetoothUUID = "F00E"

    /// Calls `body` with a function that lets one value pass, and returns when it has passed.
    func values<Result: Sendable>(
        in world: any ConformanceWorld,
        _ body: (_ value: (Int) async throws -> Void) async throws -> Result
    ) async throws -> Result {
        switch self {
        case .notifications, .sightings, .reads, .writes, .commands: try await central(in: world, body)
        case .updates, .writeRequests: try await peripheral(in: world, body)
        }
    }

    private func central<Result: Sendable>(
        in world: any ConformanceWorld, _ body: ((Int) async throws -> Void) async throws -> Result
    ) async throws -> Result {
        let peer = try await world.peer(0)
        let twin = TwinCharacteristic(
            Self.characteristic, properties: [.read, .write, .writeWithoutResponse, .notify], value: [1])
        let identifier = try await peer.configure(
            Twin(name: "Far", services: [TwinService(Self.service, characteristics: [twin])]))
        try await peer.advertise(true)
        let central = try await world.makeCentral()
        try await central.whenPoweredOn()
        var sightings = central.scan(options: ScanOptions(allowsDuplicates: true)).makeAsyncIterator()
        var sighted: Peripheral?
        while sighted == nil, let discovery = try await sightings.next() {
            if discovery.peripheral.identifier == identifier { sighted = discovery.peripheral }
        }
        if self == .sightings {
            return try await body { number in
                let mark: [UInt16: Bytes] = [0xFFFF: [UInt8(number & 0xFF), UInt8(number >> 8)]]
                try await peer.updateAdvertisement(
                    TwinAdvertisement(data: PeripheralAdvertisements(localName: "Far", manufacturerData: mark)))
                while let discovery = try await sightings.next() {
                    if discovery.advertisements.manufacturerData == mark { break }
                }
            }
        }
        let peripheral = try #require(sighted)
        try await peripheral.connect()
        try await peripheral.discover()
        let characteristic = try peripheral.characteristic(Self.characteristic)
        switch self {
        case .reads: return try await body { _ in _ = try await characteristic.read() }
        case .writes: return try await body { try await characteristic.write([UInt8($0 & 0xFF)], kind: .withResponse) }
        case .commands:
            return try await body { try await characteristic.write([UInt8($0 & 0xFF)], kind: .withoutResponse) }
        default:
            var values = try await characteristic.notifications(capacity: .unbounded).makeAsyncIterator()
            return try await body { number in
                try await peer.notify(PeerAttribute(), [[UInt8(number & 0xFF)]])
                #expect(try await values.next() == [UInt8(number & 0xFF)])
            }
        }
    }

    private func peripheral<Result: Sendable>(
        in world: any ConformanceWorld, _ body: ((Int) async throws -> Void) async throws -> Result
    ) async throws -> Result {
        let manager = try await world.makePeripheralManager()
        try await manager.whenPoweredOn()
        let characteristic = MutableCharacteristic(
            uuid: Self.characteristic, properties: [.write, .notify], permissions: [.readable, .writeable], value: nil)
        let service = MutableService(uuid: Self.service)
        service.characteristics = [characteristic]
        try await manager.add(service)
        try await manager.startAdvertising("Ours")
        let far = try await world.farCentral(0)
        let found = try await far.connect(to: try await far.hear { $0.localName == "Ours" })
        let id = try #require(found.flatMap(\.characteristics).first { $0.uuid == Self.characteristic }).id
        if self == .updates {
            var subscriptions = characteristic.subscriptions().makeAsyncIterator()
            try await far.subscribe(to: id, indications: false)
            _ = await subscriptions.next()
            return try await body { number in
                try characteristic.update([UInt8(number & 0xFF)])
                #expect(try await far.received(from: id, count: 1) == [[UInt8(number & 0xFF)]])
            }
        }
        let requests = characteristic.writeRequests()
        async let accepted: Void = accept(requests)
        let result = try await body { try await far.write([UInt8($0 & 0xFF)], to: id, isCommand: false).get() }
        await manager.invalidate()
        await accepted
        return result
    }

    private func accept(_ requests: AsyncStream<WriteRequest>) async {
        for await request in requests { request.accept() }
    }
}
#endif
