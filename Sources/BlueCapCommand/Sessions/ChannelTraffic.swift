// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

/// The use of one open channel: bytes of an input go out, and units from the peer are reported.
struct ChannelTraffic: Sendable {
    let channel: Channel
    /// Is read one piece at a time, and the next when the channel took the one before.
    let input: any UnitInput
    /// Whether each unit is sent back.
    var echoes = false
    /// How long to receive after the end of the input; nil for as long as the channel is open.
    var patience: Duration?
    let report: ChannelReport
    let clock: BlueCapClock

    /// The end of one of the parts.
    private enum End: Sendable {
        /// Of the sending; with the error of the unit that did not.
        case input(ChannelError?)
        /// Of the channel.
        case channel
        /// Of the patience.
        case time
    }

    /// Runs until the channel ends, or the input and the patience have, or the task is cancelled; then closes the
    /// channel and reports the counts.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/refused`` where the peer closed the channel before all that was
    ///   read had gone out; `ChannelError`; ``OutputClosed``.
    func run() async throws {
        do {
            try await exchange()
        } catch {
            channel.close()
            if !(error is OutputClosed) { try report.closed(channel, error) }
            throw error
        }
        channel.close()
        try report.closed(channel, nil)
    }

    private func exchange() async throws {
        var lost: ChannelError?
        let count = Locked(0)
        try await withThrowingTaskGroup(of: End.self) { group in
            group.addTask {
                try await receive(countingSent: count)
                return .channel
            }
            group.addTask { .input(try await send(counting: count)) }
            defer { group.cancelAll() }
            while let end = try await group.next() {
                switch end {
                case .input(nil):
                    guard let patience, !group.isCancelled else { continue }
                    group.addTask {
                        try? await clock.sleep(for: patience)
                        return .time
                    }
                // Of a channel that has ended the units that are here are still taken.
                case .input(let error):
                    lost = error
                    if channel.isOpen { group.cancelAll() }
                case .channel, .time: group.cancelAll()
                }
            }
        }
        if Task.isCancelled { return }
        switch lost {
        case .closed:
            throw CommandFailure(.refused, "the other side closed the channel before all of the input had gone out")
        case let error?: throw error
        case nil: break
        }
    }

    private func receive(countingSent sent: Locked<Int>) async throws {
        var count = 0
        for try await unit in channel {
            count += 1
            try report.received(unit, count, over: channel)
            guard echoes else { continue }
            // The peer may send longer units than it takes.
            var rest = unit[...]
            while !rest.isEmpty {
                let piece = Bytes(rest.prefix(channel.maximumSendLength))
                rest.removeFirst(piece.count)
                do throws(ChannelError) {
                    try await channel.send(piece)
                } catch {
                    // A peer that has closed the channel does not wait for its echo.
                    if error == .closed || error == .cancelled { return }
                    throw error
                }
                try report.sent(piece, Self.next(sent), over: channel)
            }
        }
    }

    /// Sends the input.
    ///
    /// - Returns: The error of the unit that did not go out; nil at the end of the input.
    private func send(counting sent: Locked<Int>) async throws(OutputClosed) -> ChannelError? {
        while let piece = await input.next(atMost: channel.maximumSendLength) {
            do throws(ChannelError) { try await channel.send(piece) } catch { return error }
            try report.sent(piece, Self.next(sent), over: channel)
        }
        return nil
    }

    private static func next(_ count: Locked<Int>) -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
