// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import Testing

@testable import BlueCapCapture

@Suite(.timeLimit(.minutes(60)))
struct RadioTests {
    /// A central on a radio, connected to the only peripheral there, with all discovered.
    private static func connect(_ radio: VirtualRadio) async throws -> (CentralManager, Peripheral) {
        let central = CentralManager(backend: radio.central())
        try await central.whenPoweredOn(timeout: .seconds(5))
        let peripheral = try await central.firstDiscovery(timeout: .seconds(5)).peripheral
        try await peripheral.connect(timeout: .seconds(5))
        try await peripheral.discover(timeout: .seconds(5))
        return (central, peripheral)
    }

    @Test
    func `a twin is a device in the air, with its address, advertisement and database`() async throws {
        try await VirtualRadio.run { radio in
            radio.add(twin: LampSession.twin)
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn(timeout: .seconds(5))
            let found = try await central.firstDiscovery(for: ["180F"], timeout: .seconds(5))
            #expect(found.peripheral.identifier == LampSession.device)
            #expect(found.advertisements.localName == "Lamp")
            let lamp = found.peripheral
            try await lamp.connect(timeout: .seconds(5))
            try await lamp.discover(timeout: .seconds(5))
            #expect(lamp.services.map(\.uuid) == ["180F", LampSession.service])
            #expect(lamp.services.map(\.id.rawValue) == [4, 10])
            let battery = try lamp.characteristic("2A19")
            #expect(battery.properties == [.read, .notify])
            #expect(try await battery.read(timeout: .seconds(5)) == [100])
            let descriptors = try await battery.discoverDescriptors(timeout: .seconds(5))
            #expect(descriptors.map(\.uuid) == ["2902", "2901", "2904"])
            #expect(try await descriptors[1].read(timeout: .seconds(5)) == [0x41])
            await central.invalidate()
        }
    }

    @Test
    func `a twin sends what the device sent, as long after the subscription, each time`() async throws {
        try await VirtualRadio.run { radio in
            radio.add(twin: LampSession.twin)
            let (central, lamp) = try await Self.connect(radio)
            let battery = try lamp.characteristic("2A19")
            for _ in 0..<2 {
                var values: [Bytes] = []
                var times: [Duration] = []
                let notifications = try await battery.notifications(timeout: .seconds(5))
                let start = radio.clock.elapsed
                for try await value in notifications {
                    values.append(value)
                    times.append(radio.clock.elapsed - start)
                    if values.count == 3 { break }
                }
                #expect(values == LampSession.twin.services[1].characteristics[0].notifications.map(\.value))
                // Values travel at connection events, 45 ms apart.
                for (time, sent) in zip(times, [500, 1000, 1502]) {
                    #expect(abs((time - .milliseconds(sent)) / .milliseconds(1)) <= 100, "\(time)")
                }
                try await radio.clock.sleep(for: .seconds(1))
            }
            #expect(try await battery.read(timeout: .seconds(5)) == Bytes(Array(0...29)))
            await central.invalidate()
        }
    }

    @Test
    func `a twin that repeats sends all values in their order again and again, and stops with the subscription`()
        async throws
    {
        try await VirtualRadio.run { radio in
            let device = radio.add(twin: LampSession.twin, replay: .repeating)
            let (central, lamp) = try await Self.connect(radio)
            var values: [Bytes] = []
            for try await value in try await lamp.characteristic("2A19").notifications(timeout: .seconds(5)) {
                values.append(value)
                if values.count == 10 { break }
            }
            let sent = LampSession.twin.services[1].characteristics[0].notifications.map(\.value)
            #expect(values == (0..<10).map { sent[$0 % 3] })
            // The break has ended the subscription once this is over.
            try await radio.clock.sleep(for: .seconds(1))
            let battery = try #require(device.services.first?.characteristics.first)
            #expect(battery.subscriptionCount == 0)
            let last = battery.value
            for _ in 0..<20 {
                try await radio.clock.sleep(for: .milliseconds(250))
                #expect(battery.value == last)
            }
            await central.invalidate()
        }
    }

    @Test
    func `a twin's demands are made: a write on an open link is refused, and accepted after pairing`() async throws {
        try await VirtualRadio.run { radio in
            radio.add(twin: LampSession.twin)
            let (central, lamp) = try await Self.connect(radio)
            let control = try lamp.characteristic(LampSession.control)
            // No app answers pairing requests.
            await #expect(throws: CharacteristicError.att(.insufficientAuthentication)) {
                try await control.write([7], timeout: .seconds(5))
            }
            await central.invalidate()
        }
    }

    @Test
    func `two twins with one address are two devices`() async throws {
        try await VirtualRadio.run { radio in
            let first = radio.add(twin: LampSession.twin)
            let second = radio.add(twin: LampSession.twin)
            #expect(first.identifier != second.identifier)
        }
    }

    @Test(arguments: [CaptureWriter.Form.btsnoop(.hci), .btsnoop(.uart), .btsnoop(.monitor), .pcapng])
    func `a run that was captured and written is found out again, in each form`(_ form: CaptureWriter.Form) async throws
    {
        let file = Locked<[UInt8]>(CaptureWriter(form).header)
        try await VirtualRadio.run { radio in
            let capture = radio.capture { packet in
                if let record = CaptureWriter(form).record(packet) { file.withLock { $0 += record } }
            }
            radio.add(twin: LampSession.twin)
            let (central, lamp) = try await Self.connect(radio)
            let battery = try lamp.characteristic("2A19")
            _ = try await battery.read(timeout: .seconds(5))
            let descriptors = try await battery.discoverDescriptors(timeout: .seconds(5))
            _ = try await descriptors[1].read(timeout: .seconds(5))
            var count = 0
            for try await _ in try await battery.notifications(timeout: .seconds(5)) {
                count += 1
                if count == 3 { break }
            }
            try? await lamp.characteristic(LampSession.control).write([1], timeout: .seconds(5))
            await lamp.disconnect()
            await central.invalidate()
            capture.stop()
        }
        let analysis = try LampSession.analyze(file.withLock { $0 })
        var twin = try #require(analysis.twin(of: LampSession.device))
        #expect(twin.address == LampSession.device)
        #expect(twin.advertisement?.data == LampSession.twin.advertisement?.data)
        #expect(twin.advertisement?.scanResponse == LampSession.twin.advertisement?.scanResponse)
        // Times are those of connection events.
        let sent = LampSession.twin.services[1].characteristics[0].notifications
        let found = twin.services.first?.characteristics.first?.notifications ?? []
        #expect(found.map(\.value) == sent.map(\.value))
        if twin.services.count == 2 { twin.services[0].characteristics[0].notifications = sent }
        var expected = LampSession.twin.ownServices
        // The central did not read 2904; the write was refused, so its value is unknown.
        expected[1].characteristics[0].value = nil
        #expect(twin.services == expected)
    }

    @Test
    func `a link between two adapters is captured at both`() async throws {
        let packets = Locked<[CapturedPacket]>([])
        try await VirtualRadio.run { radio in
            let capture = radio.capture { packet in packets.withLock { $0.append(packet) } }
            let manager = PeripheralManager(backend: radio.peripheral(address: "00:00:5E:00:53:02"))
            try await manager.whenPoweredOn(timeout: .seconds(5))
            let service = MutableService(uuid: "180F")
            service.characteristics = [MutableCharacteristic(uuid: "2A19", properties: [.read], value: [77])]
            try await manager.add(service, timeout: .seconds(5))
            try await manager.startAdvertising(Advertisement(localName: "Own"), timeout: .seconds(5))
            let (central, peripheral) = try await Self.connect(radio)
            _ = try await peripheral.characteristic("2A19").read(timeout: .seconds(5))
            await central.invalidate()
            capture.stop()
        }
        let all = packets.withLock { $0 }
        #expect(Set(all.map(\.adapter)) == [0, 1])
        let sent = all.filter { $0.kind == .data(.sent) }
        let received = all.filter { $0.kind == .data(.received) }
        #expect(Set(sent.map(\.adapter)) == [0, 1])
        #expect(sent.count == received.count)
        var analysis = CaptureAnalysis()
        for packet in all { analysis.add(packet) }
        let battery = analysis.twin(of: "00:00:5E:00:53:02")?.services.first { $0.uuid == "180F" }
        #expect(battery?.characteristics.map(\.value) == [[77]])
    }

    @Test func `a list of UUIDs and a name that are longer than a structure are cut between two`() {
        let uuids = (0..<20 as Range<UInt64>).map { BluetoothUUID(high: 1 << 63, low: $0) }
        let data = PeripheralAdvertisements(localName: String(repeating: "ü", count: 128), serviceUUIDs: uuids)
        let read = PeripheralAdvertisements(packets: [Bytes(data.packet)])
        #expect(read.serviceUUIDs == uuids)
        #expect(read.localName == String(repeating: "ü", count: 127))
    }

    @Test(arguments: [(.le1M, [1, 1]), (.le2M, [1, 2]), (.coded, [3, 3])] as [(SecondaryPHY, [UInt8])])
    func `extended advertising is reported with its PHYs, however short`(
        _ phy: SecondaryPHY, _ expected: [UInt8]
    ) async throws {
        let packets = Locked<[CapturedPacket]>([])
        try await VirtualRadio.run { radio in
            let capture = radio.capture { packet in packets.withLock { $0.append(packet) } }
            let advertising = VirtualAdvertising(Advertisement(localName: "Tag", secondaryPHY: phy))
            radio.add(VirtualPeripheral(name: "Tag", advertising: advertising))
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn(timeout: .seconds(5))
            _ = try await central.firstDiscovery(timeout: .seconds(5))
            await central.invalidate()
            capture.stop()
        }
        // LE Extended Advertising Report: the PHYs follow the event's type and the address.
        let reports = packets.withLock { $0 }.map { Array($0.bytes) }.filter { $0.starts(with: [0x3E]) }
        #expect(reports.first?.dropFirst(2).prefix(4) == [0x0D, 1, 1, 0])
        #expect(reports.first?.dropFirst(13).prefix(2) == expected[...])
    }

    @Test
    func `advertising that is too long for a packet is reported as extended advertising`() async throws {
        let packets = Locked<[CapturedPacket]>([])
        let data = PeripheralAdvertisements(
            localName: "Long", manufacturerData: [0xFFFF: Bytes(Array(repeating: 7, count: 240))],
            serviceData: ["180F": Bytes(Array(repeating: 9, count: 100))])
        try await VirtualRadio.run { radio in
            let capture = radio.capture { packet in packets.withLock { $0.append(packet) } }
            radio.add(twin: Twin(advertisement: TwinAdvertisement(data: data)))
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn(timeout: .seconds(5))
            _ = try await central.firstDiscovery(timeout: .seconds(5))
            await central.invalidate()
            capture.stop()
        }
        var analysis = CaptureAnalysis()
        for packet in packets.withLock({ $0 }) { analysis.add(packet) }
        let twin = analysis.devices.first { !$0.isOwn }.flatMap { analysis.twin(of: $0.identifier) }
        #expect(twin?.advertisement?.data == data)
    }
}
