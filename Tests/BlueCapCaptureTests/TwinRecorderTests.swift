// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual
import Testing

@testable import BlueCapCapture

@Suite(.timeLimit(.minutes(60)))
struct TwinRecorderTests {
    /// The course of a recording of the pulse.
    private struct Recording: Sendable {
        var counts: [Int]
        var duration: Duration
        var messages: [String]
    }

    /// A device with a characteristic that notifies ten times in a second, and one that does so every two seconds.
    private static let pulse: Twin = {
        func sender(_ uuid: BluetoothUUID, every interval: Duration, count: Int) -> TwinCharacteristic {
            TwinCharacteristic(
                uuid, properties: .notify,
                notifications: (1...count).map {
                    TwinNotification(after: interval * $0, value: Bytes([UInt8($0)]))
                })
        }
        var twin = LampSession.twin
        twin.services = [
            TwinService(
                "180D",
                characteristics: [
                    sender("2A37", every: .milliseconds(100), count: 10),
                    sender("2A19", every: .seconds(2), count: 3),
                ])
        ]
        return twin
    }()

    /// Records the pulse; the device ends the link after a time, if that is given.
    private static func record(
        maximumCount: Int, duration: Duration, disconnecting delay: Duration? = nil
    ) async throws -> Recording {
        let messages = Locked<[String]>([])
        return try await VirtualRadio.run { radio in
            let device = radio.add(twin: Self.pulse)
            let central = CentralManager(backend: radio.central())
            try await central.whenPoweredOn(timeout: .seconds(5))
            let peripheral = try await central.firstDiscovery(timeout: .seconds(5)).peripheral
            try await peripheral.connect(timeout: .seconds(5))
            try await peripheral.discover(timeout: .seconds(5))
            let recorder = TwinRecorder(
                duration: duration, maximumCount: maximumCount, clock: radio.clock,
                progress: { text in messages.withLock { $0.append(text) } })
            let start = radio.clock.elapsed
            async let recorded = recorder.record(peripheral)
            if let delay {
                try await radio.clock.sleep(for: delay)
                device.disconnect()
            }
            let counts = try await recorded.services.flatMap(\.characteristics).map(\.notifications.count)
            let end = radio.clock.elapsed
            await central.invalidate()
            return Recording(counts: counts, duration: end - start, messages: messages.withLock { $0 })
        }
    }

    @Test
    func `a characteristic that notifies more than is kept leaves the others their time`() async throws {
        let recording = try await Self.record(maximumCount: 5, duration: .seconds(10))
        #expect(recording.counts == [5, 3])
        #expect(recording.duration >= .seconds(10))
        let leftOut = recording.messages.filter { $0.hasPrefix("left out") }
        #expect(
            leftOut == ["left out what 2A37 notifies after 5 times: more of one characteristic is not kept"])
    }

    @Test
    func `a recording ends when there is enough of all`() async throws {
        let recording = try await Self.record(maximumCount: 2, duration: .seconds(600))
        #expect(recording.counts == [2, 2])
        #expect(recording.duration < .seconds(60))
    }

    @Test
    func `a recording of whose characteristics one has enough ends with the link`() async throws {
        let recording = try await Self.record(
            maximumCount: 5, duration: .seconds(600), disconnecting: .seconds(5))
        #expect(recording.counts[0] == 5)
        #expect((1...2).contains(recording.counts[1]))
        #expect(recording.duration < .seconds(60))
    }

    @Test
    func `what is beyond the limits is named, without what belongs to it`() {
        let sent = [TwinNotification(after: .zero, value: [1])]
        let characteristic = TwinCharacteristic("2A19", properties: .notify, notifications: sent)
        let wide = TwinService("180F", characteristics: Array(repeating: characteristic, count: 8193))
        let last = TwinService("180F", characteristics: [characteristic])
        let many = Twin(services: [wide] + Array(repeating: TwinService("180A"), count: 2047) + [last])
        #expect(many.lost(in: many.withinLimits()) == "1 service, 1 characteristic")
        #expect(LampSession.twin.lost(in: LampSession.twin.withinLimits()) == nil)
    }

    @Test
    func `values and notifications that there is no room for are counted`() {
        let value = Bytes(Array(repeating: 7, count: 512))
        let long = TwinCharacteristic(
            "2A19", properties: .notify, descriptors: Array(repeating: TwinDescriptor("2901"), count: 258),
            notifications: Array(repeating: TwinNotification(after: .zero, value: value), count: 40_000))
        let behind = TwinCharacteristic(
            "2A37", properties: [.read, .notify], value: [1],
            notifications: [TwinNotification(after: .zero, value: [1])])
        let twin = Twin(services: [TwinService("180F", characteristics: [long, behind])])
        let kept = twin.withinLimits()
        let count = 40_000 - kept.services[0].characteristics[0].notifications.count + 1
        #expect(twin.lost(in: kept) == "2 descriptors, 1 value, \(count) notifications")
    }
}
