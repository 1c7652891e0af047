// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture
import BlueCapRuntime
import Testing

@testable import BlueCapCommand

/// A bluetoothd whose announcements the test scripts.
private struct ScriptedSource: PassiveSource {
    let known: Twin?
    /// The twin that is known at the end; the same as before where nil.
    var later: Twin?
    let clock: BlueCapClock
    /// The announced values, with their times.
    var announcements: [(after: Duration, value: PassiveValue)] = []

    func listen(to device: String, _ body: @Sendable (PassiveValue) -> Void) async {
        let start = clock.elapsed
        for (after, value) in announcements {
            do { try await clock.sleep(for: start + after - clock.elapsed) } catch { return }
            body(value)
        }
        try? await clock.sleep(for: .seconds(3600))
    }

    private let questions = Locked(0)

    init(known: Twin?, later: Twin? = nil, clock: BlueCapClock, announcements: [(after: Duration, value: PassiveValue)])
    {
        self.known = known
        self.later = later
        self.clock = clock
        self.announcements = announcements
    }

    func twin(of device: String) async throws -> Twin? {
        let count = questions.withLock { count in
            count += 1
            return count
        }
        return count > 1 ? later ?? known : known
    }
}

@Suite(.timeLimit(.minutes(60)))
struct ListenTests {
    private static let lamp = Twin(
        name: "Lamp",
        services: [
            TwinService(
                "180F", handle: 1,
                characteristics: [TwinCharacteristic("2A19", handle: 3, properties: [.read, .notify], value: [99])])
        ])

    private func listen(
        to known: Twin?, later: Twin? = nil, announcements: [(after: Duration, value: PassiveValue)] = [],
        maximumCount: Int = 100, progress: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> Twin? {
        let saved = Locked<String?>(nil)
        try await VirtualRadio.run { radio in
            try await ListenSession(
                source: ScriptedSource(known: known, later: later, clock: radio.clock, announcements: announcements),
                device: "Lamp",
                duration: .seconds(5), maximumCount: maximumCount, save: { text in saved.withLock { $0 = text } },
                progress: progress, clock: radio.clock, executor: radio.executor
            ).run()
        }
        return try saved.withLock { $0 }.map { try Twin(json: $0.utf8) }
    }

    @Test
    func `more notifications than are kept are counted at the end`() async throws {
        let messages = Locked<[String]>([])
        let sent = PassiveValue(characteristic: 3, value: [1], isNotification: true)
        let twin = try await listen(
            to: Self.lamp, announcements: (1...4).map { (.seconds($0), sent) }, maximumCount: 2,
            progress: { text in messages.withLock { $0.append(text) } })
        #expect(twin?.services[0].characteristics[0].notifications.count == 2)
        #expect(messages.withLock { $0 }.last?.hasPrefix("left out the last 2 notifications: no more than 2") == true)
    }

    @Test
    func `what is announced while a program is subscribed are notifications, with their times`() async throws {
        let twin = try await listen(
            to: Self.lamp,
            announcements: [
                (.seconds(1), PassiveValue(characteristic: 3, value: [1], isNotification: true)),
                (.seconds(2), PassiveValue(characteristic: 3, value: [2], isNotification: false)),
                (.seconds(3), PassiveValue(characteristic: 3, value: [3], isNotification: true)),
                (.seconds(3), PassiveValue(characteristic: 77, value: [4], isNotification: true)),
                (.seconds(9), PassiveValue(characteristic: 3, value: [5], isNotification: true)),
            ])
        let heard = twin?.services[0].characteristics[0].notifications
        #expect(
            heard == [
                TwinNotification(after: .seconds(1), value: [1]), TwinNotification(after: .seconds(3), value: [3]),
            ])
    }

    @Test
    func `the value of a characteristic that notified is the one before`() async throws {
        var later = Self.lamp
        later.services[0].characteristics[0].value = [7]
        later.services[0].characteristics.append(
            TwinCharacteristic("2A38", handle: 5, properties: .read, value: [8]))
        let twin = try await listen(
            to: Self.lamp, later: later,
            announcements: [(.seconds(1), PassiveValue(characteristic: 3, value: [7], isNotification: true))])
        #expect(twin?.services[0].characteristics.map(\.value) == [[99], [8]])
    }

    @Test
    func `a device that bluetoothd does not know ends with 75, and nothing is written`() async {
        let error = await #expect(throws: CommandFailure.self) { _ = try await listen(to: nil) }
        #expect(error?.status == .tryAgain)
    }

    @Test
    func `a device that no program is connected to has no services, which is said after it was written`() async {
        let error = await #expect(throws: CommandFailure.self) { _ = try await listen(to: Twin(name: "Lamp")) }
        #expect(error?.status == .tryAgain)
        #expect(error?.message.contains("no services") == true)
    }
}
