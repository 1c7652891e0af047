// SPDX-License-Identifier: MIT

import BlueCap

/// The same on the virtual radio.
extension Pipeline {
    func lateVirtual(_ way: String) async throws -> Figures {
        try await VirtualRadio.run(seed: 1, limit: .seconds(10_000_000)) { radio in
            switch way {
            case "update", "request": try await lateVirtualPublishing(way, on: radio)
            default: try await lateVirtualDevice(way, on: radio)
            }
        }
    }

    /// A device with one characteristic, and a central that finds it.
    private func lateVirtualDevice(_ way: String, on radio: VirtualRadio) async throws -> Figures {
        let far = VirtualCharacteristic(
            "2A37", properties: [.read, .write, .writeWithoutResponse, .notify], value: Self.value)
        radio.add(
            Self.device(0, interval: .milliseconds(100), services: [VirtualService("180D") { far }]))
        let central = try await Self.central(on: radio)
        var sightings = central.scan(options: ScanOptions(allowsDuplicates: true)).makeAsyncIterator()
        var windows = Windows(late: count)
        if way == "sight" {
            while windows.isNextWanted() { _ = try await sightings.next() }
            return windows.figures
        }
        guard let peripheral = try await sightings.next()?.peripheral else { leave(1, "Pipeline: nothing is sighted") }
        try await peripheral.connect(timeout: .seconds(60))
        try await peripheral.discover(["180D"])
        let near = try peripheral.characteristic("2A37")
        if way == "notify" {
            var values = try await near.notifications().makeAsyncIterator()
            while windows.isNextWanted() {
                far.notify(Self.value)
                _ = try await values.next()
            }
        } else {
            while windows.isNextWanted() { try await operation(way, on: near) }
        }
        return windows.figures
    }

    /// Our own characteristic, and a manager in the central role that is subscribed to it or writes to it.
    private func lateVirtualPublishing(_ way: String, on radio: VirtualRadio) async throws -> Figures {
        let manager = PeripheralManager(backend: radio.peripheral(), configuration: .init(clock: radio.clock))
        let own = try await publish([.read, .write, .notify], with: manager)
        try await manager.startAdvertising("Ours", serviceUUIDs: [Names.service])
        let central = try await Self.central(on: radio, address: "00:00:5E:00:53:77")
        let peripheral = try await central.firstDiscovery(for: [Names.service]).peripheral
        try await peripheral.connect(timeout: .seconds(60))
        try await peripheral.discover([Names.service])
        let far = try peripheral.characteristic(Names.characteristic)
        var windows = Windows(late: count)
        if way == "update" {
            var values = try await far.notifications().makeAsyncIterator()
            while windows.isNextWanted() {
                try own.update(Self.value)
                _ = try await values.next()
            }
            return windows.figures
        }
        let requests = manager.writeRequests()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await request in requests { request.accept() } }
            defer { group.cancelAll() }
            while windows.isNextWanted() { try await operation("write", on: far) }
            return windows.figures
        }
    }
}
