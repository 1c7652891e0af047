// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon

/// The presses of one device: which were heard, as a device sends each frame several times, and which wait to be
/// published.
struct PressLog {
    /// A press with the key of its button among the values of the device.
    struct Entry: Hashable, Sendable {
        var key: String
        /// Nil where a frame says that nothing is pressed.
        var press: SensorEvent?
    }

    /// A press that was heard.
    struct Heard: Hashable, Sendable {
        var press: SensorEvent
        /// The number of the packet, or the counter of the frame; nil where it has none.
        var number: UInt64?
    }

    private struct Numbered {
        let number: UInt64
        var heardAt: Duration
    }

    /// A frame without a number that comes again within this time after the last is the same press.
    private static let window = Duration.seconds(2)
    /// A number other than the last one counts as heard for this time: numbers begin again.
    private static let memory = Duration.seconds(10)
    private static let maximumNumbers = 8
    /// A press is published in this time or never: a lamp is not to be switched minutes later.
    private static let patience = Duration.seconds(5)
    private static let maximumWaiting = 16
    /// A device that changes its keys all the time has no more than these.
    private static let maximumKeys = 64

    /// The numbers that were heard, the newest last.
    private var numbers: [Numbered] = []
    /// The last presses of frames without a number, by their keys.
    private var last: [String: (press: SensorEvent, heardAt: Duration)] = [:]
    private var waiting: [(heard: Heard, heardAt: Duration)] = []

    /// Whether a press waits.
    var isWaiting: Bool { !waiting.isEmpty }

    /// Takes the buttons of a frame. A press that was not heard before waits to be published.
    ///
    /// - Parameters:
    ///   - entries: The buttons, also those that are not pressed.
    ///   - number: The number of the packet, or the counter of the frame; nil where it has none.
    ///   - isOld: Whether the frame may be one that the device has sent for long.
    mutating func take(_ entries: [Entry], number: UInt64?, isOld: Bool, at time: Duration) {
        let isNewFrame = number.map { isNew($0, at: time) }
        for entry in entries {
            guard isNewFrame ?? isNew(entry, at: time), let press = entry.press, !isOld else { continue }
            waiting.append((Heard(press: press, number: number), time))
        }
        waiting = waiting.suffix(Self.maximumWaiting)
    }

    /// Takes a press that another gateway has published.
    mutating func take(published heard: Heard, at time: Duration) {
        waiting.removeAll { $0.heard == heard }
        if let number = heard.number {
            _ = isNew(number, at: time)
        } else {
            _ = isNew(Entry(key: heard.press.key, press: heard.press), at: time)
        }
    }

    /// Takes the presses that are to be published now out of those that wait.
    mutating func takeWaiting(at time: Duration) -> [Heard] {
        defer { waiting = [] }
        return waiting.filter { time - $0.heardAt <= Self.patience }.map(\.heard)
    }

    /// Forgets the presses that wait; their frames are none of a new press.
    mutating func forgetWaiting() { waiting = [] }

    /// Forgets the presses that have waited for too long.
    mutating func expire(at time: Duration) { waiting.removeAll { time - $0.heardAt > Self.patience } }

    /// Remembers a number, and returns whether it was not heard before.
    private mutating func isNew(_ number: UInt64, at time: Duration) -> Bool {
        if let last = numbers.last, last.number == number {
            numbers[numbers.count - 1].heardAt = time
            return false
        }
        numbers.removeAll { time - $0.heardAt > Self.memory }
        if let index = numbers.firstIndex(where: { $0.number == number }) {
            numbers[index].heardAt = time
            return false
        }
        numbers = (numbers + [Numbered(number: number, heardAt: time)]).suffix(Self.maximumNumbers)
        return true
    }

    /// Remembers a button of a frame without a number, and returns whether it was not pressed so before.
    private mutating func isNew(_ entry: Entry, at time: Duration) -> Bool {
        let earlier = last[entry.key]
        if earlier == nil, last.count >= Self.maximumKeys { return false }
        last[entry.key] = entry.press.map { ($0, time) }
        guard let earlier else { return true }
        return earlier.press != entry.press || time - earlier.heardAt > Self.window
    }
}
#endif
