// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import Foundation
import Testing

@testable import BlueCapCapture
@testable import BlueCapVirtual

/// Twins of devices with services that include others.
@Suite(.timeLimit(.minutes(60)))
struct IncludingTests {
    /// Services that each have a UUID of their own, with the indices of their included services.
    private static func twin(_ includes: [[Int]]) -> Twin {
        Twin(
            name: "Mouse",
            services: includes.enumerated().map { TwinService(uuid($0), includes: $1) })
    }

    private static func uuid(_ index: Int) -> BluetoothUUID { BluetoothUUID(UInt16(0xFE00 + index)) }

    /// The indices that services have by their UUIDs.
    private static func indices(_ uuids: [BluetoothUUID]) -> [Int] {
        uuids.compactMap { uuid in (0..<256).first { Self.uuid($0) == uuid } }
    }

    @Test(
        arguments: [
            // The services that each service includes, by index; then the order in which all are offered.
            ([[2], [], []], [2, 0, 1]), ([[], [0], [1]], [0, 1, 2]), ([[1], [2], []], [2, 1, 0]),
            ([[1, 2], [3], [3], []], [3, 1, 2, 0]), ([[], [3], [], [0]], [0, 3, 1, 2]),
        ] as [([[Int]], [Int])])
    func `a service is offered behind those that it includes, and else in the order of the twin`(
        includes: [[Int]], order: [Int]
    ) {
        let services = TwinPeripheral(Self.twin(includes)).services
        #expect(Self.indices(services.map(\.uuid)) == order)
        let offered = services.map { Self.indices($0.includedServices.map(\.uuid)) }
        #expect(offered == order.map { includes[$0] })
    }

    @Test(
        arguments: [
            ([[1], [0]], [[1], []]), ([[1], [2], [0, 3], []], [[1], [2], [3], []]),
            ([[0, 1], []], [[1], []]), ([[1], [2], [1]], [[1], [2], []]),
        ] as [([[Int]], [[Int]])])
    func `a circle of includes is cut where it closes, on both kinds of radio`(includes: [[Int]], kept: [[Int]]) {
        let twin = Self.twin(includes)
        var offered = [[Int]](repeating: [], count: includes.count)
        for service in TwinPeripheral(twin).services {
            let index = (0..<includes.count).first { Self.uuid($0) == service.uuid } ?? 0
            offered[index] = Self.indices(service.includedServices.map(\.uuid))
        }
        #expect(offered == kept)
        let virtual = VirtualPeripheral(twin: twin).services
        #expect(Self.indices(virtual.map(\.uuid)) == Array(includes.indices))
        #expect(virtual.map { Self.indices($0.includedServices.map(\.uuid)) } == kept)
    }

    @Test func `a device in which a service includes a later one is emulated, and recorded again`() async throws {
        let battery = TwinService(
            "180F", handle: 20, characteristics: [TwinCharacteristic("2A19", properties: .read, value: [90])])
        let twin = Twin(name: "Mouse", services: [TwinService("1812", handle: 10, includes: [1]), battery])
        let again = try await VirtualRadio.run { radio in
            let manager = PeripheralManager(backend: radio.peripheral(address: "00:00:5E:00:53:02"))
            try await manager.whenPoweredOn(timeout: .seconds(5))
            let device = TwinPeripheral(twin)
            try await manager.add(device.services, timeout: .seconds(5))
            try await manager.startAdvertising(device.advertisement, timeout: .seconds(5))
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn(timeout: .seconds(5))
            let mouse = try await central.firstDiscovery(timeout: .seconds(5)).peripheral
            try await mouse.connect(timeout: .seconds(5))
            try await mouse.discover(timeout: .seconds(5))
            for service in mouse.services { _ = try await service.discoverIncludedServices(timeout: .seconds(5)) }
            let recorder = TwinRecorder(duration: .zero, clock: radio.clock)
            let recorded = try await recorder.record(mouse)
            await central.invalidate()
            await manager.invalidate()
            return recorded
        }
        let input = try #require(again.services.first { $0.uuid == "1812" })
        #expect(input.includes.map { again.services[$0].uuid } == ["180F"])
    }

    /// The result of a function that runs on a thread with a stack of 128 KiB.
    private static func onSmallStack(_ body: @escaping @Sendable () -> [Int]) async -> [Int] {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: body()) }
            thread.stackSize = 128 << 10
            thread.start()
        }
    }

    @Test(arguments: [1, -1])
    func `a chain of 2,000 includes is offered, put into a table and released on a small stack`(step: Int) async {
        let count = 2000
        let services = (0..<count).map { index in
            TwinService("180F", includes: [index + step].filter { (0..<count).contains($0) })
        }
        let twin = Twin(services: services)
        let counts = await Self.onSmallStack {
            let offered = TwinPeripheral(twin).services
            var layout = ServiceLayout()
            _ = layout.change(to: VirtualPeripheral(twin: twin).services)
            return [offered.count { !$0.includedServices.isEmpty }, layout.services.count]
        }
        #expect(counts == [1999, 2000])
    }
}
