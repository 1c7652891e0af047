// SPDX-License-Identifier: MIT

#if ESPHome
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTestExecutor
import BlueCapVirtual

@testable import BlueCapESPHome

/// A day of a proxy with faults, whose chance comes from a seed: clients come, ask, stop to read and go, and devices
/// and the radio fail.
///
/// At the end everything is well again, and all that must not be left is looked for.
struct ProxyDay {
    struct Findings: Sendable {
        var mistakes: [String] = []
        /// What was done: events of the day, requests of clients, links that came up, and connections that were ended.
        var (faults, requests, links, refusals) = (0, 0, 0, 0)
        /// Advertisements that clients got, and did not get.
        var (sent, dropped) = (0, 0)
    }

    private static let (stepCount, clientLimit, deviceCount) = (250, 6, 5)

    private let scene: ProxyScene
    private let slots: Int
    private let devices: [VirtualPeripheral]
    /// The handles of a device's characteristics and descriptors, and one that is none.
    private var handles: [UInt32] = []
    private var random: SeededRandom
    /// Listens all day, and reads everything.
    private let auditor: ProxyDayClient
    private var clients: [ProxyDayClient] = []
    private var gone: [ProxyDayClient] = []
    private var found = Findings()

    /// Plays the day of a seed.
    static func run(seed: UInt64) async throws -> Findings {
        var random = SeededRandom(seed: seed)
        let slots = Int(random.next() % 4) + 1
        let key = random.next() % 4 == 0 ? ProxyScene.key : nil
        return try await VirtualRadio.run(seed: seed, limit: .seconds(200_000)) { [random] radio in
            let heard = Locked(0)
            let observation = radio.observe { if case .advertisement = $0 { heard.withLock { $0 += 1 } } }
            let scene = ProxyScene(radio, key: key, slots: slots, device: Self.device(0))
            return try await scene.play { scene in
                defer { radio.stopObserving(observation) }
                var day = ProxyDay(scene, slots: slots, random)
                return try await day.run { heard.withLock { $0 } }
            }
        }
    }

    private init(_ scene: ProxyScene, slots: Int, _ random: SeededRandom) {
        (self.scene, self.slots, self.random) = (scene, slots, random)
        devices = [scene.device] + (1..<Self.deviceCount).map(Self.device)
        for device in devices.dropFirst() { scene.radio.add(device) }
        scene.radio.remove(scene.sensor)
        auditor = ProxyDayClient(scene, nil)
    }

    private static func device(_ number: Int) -> VirtualPeripheral {
        let device = ProxyScene.device(name: "Device \(number)", address: "C0:DE:00:00:01:0\(number)")
        var advertising = device.advertising
        advertising.interval = .seconds(4)
        device.changeAdvertisement(to: advertising)
        return device
    }

    private mutating func run(_ heardCount: @Sendable () -> Int) async throws -> Findings {
        await auditor.client.open()
        await auditor.client.send(SubscribeAdvertisementsRequest())
        try await learnHandles()
        for _ in 0..<Self.stepCount {
            try await step()
            gone += clients.filter(\.client.isClosed)
            clients.removeAll(where: \.client.isClosed)
        }
        try await endDay()
        await expectAllCounted(heardCount())
        try await expectWell()
        return found
    }

    private mutating func expect(_ isGood: Bool, _ mistake: String) {
        if !isGood { found.mistakes.append(mistake) }
    }

    /// Lets time pass, in which those that are to stay say something.
    private func pass(_ duration: Duration, _ staying: [ProxyDayClient] = []) async throws {
        var left = duration
        while left > .zero {
            try await scene.pass(min(left, .seconds(40)))
            left -= .seconds(40)
            for client in [auditor] + staying { await client.client.send(PingRequest()) }
        }
    }

    private mutating func roll(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    private mutating func pick<Item>(_ items: [Item]) -> Item { items[roll(items.count)] }

    // MARK: The day

    private mutating func learnHandles() async throws {
        let client = try await scene.opened()
        try await pass(.seconds(10))
        _ = try await client.connect(DeviceAddress(scene.device.identifier).number)
        let services = try await client.services(DeviceAddress(scene.device.identifier).number)
        let all = services.flatMap(\.characteristics)
        handles = all.map(\.handle) + all.flatMap(\.descriptors).map(\.handle) + [999]
        await client.leave()
    }

    private mutating func step() async throws {
        let limits = [1, 2000, 2000, 30_000, 200_000]
        try await pass(.milliseconds(roll(pick(limits))))
        switch roll(20) {
        case 0...3: await comeOrGo()
        case 4...14: await ask()
        case 15...18: failDevice()
        default: failRadio()
        }
    }

    private mutating func comeOrGo() async {
        found.faults += 1
        if clients.count < 2 || clients.count < Self.clientLimit && roll(2) == 0 {
            let client = ProxyDayClient(scene, auditor)
            clients.append(client)
            if roll(8) == 0 { return await client.client.join() }
            await client.client.open(minorVersion: UInt32(8 + roll(8)))
            if roll(2) == 0 { await client.client.send(SubscribeAdvertisementsRequest()) }
        } else {
            let client = pick(clients)
            switch roll(4) {
            case 0: await client.client.send(DisconnectRequest())
            case 1: await client.client.send(raw: [UInt8(roll(3)), 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
            default: await client.client.leave()
            }
        }
    }

    private mutating func ask() async {
        guard !clients.isEmpty else { return }
        let client = pick(clients)
        let device = roll(3) == 0 ? DeviceAddress(pick(devices).identifier).number : client.lastDevice
        let address = roll(20) == 0 ? 0xC0DE_0000_0999 : device
        for _ in 0...(roll(4) == 0 ? roll(8) : 0) {
            found.requests += 1
            let handle = pick(handles)
            switch roll(16) {
            case 0...4: await client.connect(address, hasCache: roll(2) == 0)
            case 5: await client.client.request(address, .disconnect)
            case 6...7: await client.ask(ReadRequest(address, handle))
            case 8:
                var write = WriteRequest(address, handle)
                (write.data, write.needsResponse) = ([UInt8(roll(256))], roll(2) == 0)
                await client.ask(write)
            case 9: await client.ask(WriteDescriptorRequest(address, handle, [1, 0]))
            case 10:
                var notify = NotifyRequest(address, handle)
                notify.isOn = roll(3) > 0
                await client.ask(notify)
            case 11: await client.ask(ServicesRequest(address))
            case 12: await client.pair(address)
            case 13: await client.unpair(address)
            case 14:
                // Stops to read, or reads all at once.
                let limits = [0, 0, ProxyMembers.slowByteCount, ProxyMembers.maximumByteCount]
                client.client.waitingCount = pick(limits) + 1
            default: roll(2) == 0 ? await client.listen() : await client.stopListening()
            }
        }
    }

    private mutating func failDevice() {
        found.faults += 1
        let device = pick(devices)
        switch roll(14) {
        case 0: device.vanish()
        case 1...3: device.reappear()
        case 4: device.disconnect()
        case 5: device.mute()
        case 6...7: device.unmute()
        case 8: device.setPacketLoss(Double(roll(40)) / 100)
        case 9: device.refuseConnections(roll(3) == 0)
        case 10: device.changeServices(to: roll(3) == 0 ? [] : ProxyScene.services())
        case 11: device.forgetBonds()
        default: device.characteristic("2A37")?.update([0, UInt8(roll(200))])
        }
    }

    private mutating func failRadio() {
        found.faults += 1
        switch roll(9) {
        case 0: scene.adapter.powerOff()
        case 1: scene.adapter.unplug()
        case 2: scene.adapter.setPacketLoss(Double(roll(30)) / 100)
        default: scene.adapter.powerOn()
        }
    }

    // MARK: The end

    /// All is well again, and everything that was asked has its time.
    private mutating func endDay() async throws {
        scene.adapter.powerOn()
        scene.adapter.setPacketLoss(0)
        for device in devices {
            device.unmute()
            device.refuseConnections(false)
            device.setPacketLoss(0)
            device.vanish()
        }
        for client in clients where client.client.waitingCount > 0 { client.client.waitingCount = 0 }
        try await pass(.seconds(1200), clients)
        for client in clients where !client.client.isClosed { found.mistakes += client.unanswered }
        for client in clients { await client.client.leave() }
        gone += clients
        clients = []
        try await pass(.seconds(60))
    }

    /// Each advertisement of the air was sent to each client that listened, or counted.
    private mutating func expectAllCounted(_ heardCount: Int) async {
        let counts = await scene.server.counts
        let received = gone.map(\.client.advertisementCount).reduce(0, +)
        let wanted = gone.map(\.wantedCount).reduce(0, +)
        let audited = auditor.client.advertisementCount
        expect(audited == heardCount, "\(audited) of \(heardCount) came")
        expect(
            wanted == received + counts.droppedAdvertisements,
            "\(wanted) advertisements are \(received) and \(counts.droppedAdvertisements)")
        expect(counts.advertisements == received + heardCount, "\(counts.advertisements) were not sent")
        (found.sent, found.dropped, found.links) = (counts.advertisements, counts.droppedAdvertisements, counts.links)
        found.refusals = counts.refused.values.reduce(0, +)
    }

    /// Nothing is left, and each device can be used.
    private mutating func expectWell() async throws {
        expect(!auditor.client.isClosed, "the client that behaves was ended")
        let remains = await scene.server.remains
        expect(remains == ["members": 1], "left: \(remains)")
        for device in devices {
            expect(device.connectionCount == 0, "\(device.name) is connected")
            device.reappear()
            device.changeServices(to: ProxyScene.services())
        }
        try await pass(.seconds(10))
        let client = try await scene.opened()
        await client.send(SubscribeSlotsRequest())
        expect(try await client.next(SlotsResponse.self).free == slots, "slots are lost")
        for device in devices {
            let address = DeviceAddress(device.identifier).number
            expect(try await client.connect(address).isConnected, "\(device.name) cannot be connected")
            let level = try await client.services(address).flatMap(\.characteristics).first { $0.shortUUID == 0x2A19 }
            await client.read(address, level?.handle ?? 0)
            expect(try await client.next(ReadResponse.self).data == [97], "\(device.name) cannot be read")
            await client.request(address, .disconnect)
            expect(try await !client.next(DeviceConnectionResponse.self).isConnected, "\(device.name) does not let go")
        }
    }
}
#endif
