// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The firmware's own part in one channel: it sends the units of a twin, and closes the channel behind them.
final class UnitReplay {
    private weak let channel: LinkChannel?
    private let description: TwinChannel
    private let close: (LinkChannel) -> Void
    private var received = 0
    private var next = 0
    /// Whether a unit waits for its time or for credits.
    private var isBusy = false

    /// - Parameter close: Closes the channel.
    init(_ channel: LinkChannel, _ description: TwinChannel, close: @escaping (LinkChannel) -> Void) {
        self.channel = channel
        self.description = description
        self.close = close
    }

    /// The central has sent one more unit.
    func unitReceived() {
        received += 1
        goOn()
    }

    /// Sends the next unit as soon as it may.
    func goOn() {
        guard !isBusy, let channel else { return }
        guard next < description.units.count else {
            if let count = description.closesAfter, received >= count { close(channel) }
            return
        }
        let unit = description.units[next]
        guard unit.received <= received else { return }
        isBusy = true
        channel.link.timeline.schedule(after: max(unit.after, .zero)) { self.send(unit.value) }
    }

    private func send(_ value: Bytes) {
        guard let channel else { return }
        guard !value.isEmpty, value.count <= channel.terms?.maximumUnitLength ?? 0 else { return sent() }
        channel.send(value) { if $0 { self.sent() } }
    }

    private func sent() {
        isBusy = false
        next += 1
        goOn()
    }
}
