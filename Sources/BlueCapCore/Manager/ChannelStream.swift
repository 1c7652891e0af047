// SPDX-License-Identifier: MIT

import BlueCapRuntime
public import BlueCapSerDe

/// A channel as a stream of bytes: bytes are cut into units where they go out, and units are joined where they come in,
/// so that neither side has to know the other's lengths.
///
/// ```swift
/// let stream = ChannelStream(try await peripheral.openChannel(psm: 0x80))
/// try await stream.write(Bytes(file))                        // in as many units as it takes
/// while let header = try await stream.read(exactly: 2) {     // nil where the peer closed after a whole message
///     guard let body = try await stream.read(exactly: Int(header[1])) else { break }
///     print(header[0], body)
/// }
/// ```
///
/// One task reads and one writes at a time; bytes of two writes at a time would come mixed. Nothing else takes units
/// from the channel meanwhile.
///
/// A unit is taken from the channel when a read needs it and not before, so a peer that is faster than the reader runs
/// out of credits and waits. The stream keeps less than one read asked for, and one unit.
///
/// Reads lose no byte: those that came before a read failed, or its task was cancelled, are there for the next read.
/// When the channel has ended, ``read(atMost:)`` returns the bytes that are left, and after them every read returns nil
/// where a side closed the channel, or throws the error with which it ended.
public final class ChannelStream: Sendable {
    private struct State {
        /// The bytes that were taken from the channel and not read are those from `start` on.
        var bytes: [UInt8] = []
        var start = 0
        var end: ChannelBox.End?

        var count: Int { bytes.count - start }

        mutating func append(_ unit: Bytes) {
            bytes.removeFirst(start)
            start = 0
            bytes += unit
        }

        mutating func take(_ maximum: Int) -> Bytes {
            let next = start + min(maximum, count)
            defer {
                start = next
                if count == 0 { (bytes, start) = ([], 0) }
            }
            // All of it moves rather than being copied.
            return start == 0 && next == bytes.count ? Bytes(bytes) : Bytes(bytes[start..<next])
        }
    }

    /// The channel that carries the bytes.
    public let channel: Channel
    private let state = Locked(State())

    /// A stream over a channel, which it keeps open.
    public init(_ channel: Channel) { self.channel = channel }

    /// The number of bytes that have come and that no read has returned.
    public var waitingCount: Int { state.withLock { $0.count } }

    /// Writes bytes, cut into units of at most ``Channel/maximumSendLength``, and returns when the peer's credits have
    /// let all of them go out. No bytes are no unit.
    ///
    /// There is no timeout, as of ``Channel/send(_:)``. Of a call that throws, whole units from the front have gone
    /// out; ``Channel/statistics`` counts them, and the unit that was under way as soon as it has gone out. A peer
    /// cannot tell where the rest is missing, so close the channel then.
    ///
    /// - Parameter bytes: Any number of bytes.
    /// - Throws: The errors of ``Channel/send(_:)``, apart from `.emptyUnit` and `.unitTooLong`.
    public func write(_ bytes: Bytes) async throws(ChannelError) {
        if bytes.isEmpty { return }
        // Of a platform that told a length of 0 the first unit is refused, rather than none made for ever.
        let length = max(channel.maximumSendLength, 1)
        if bytes.count <= length { return try await channel.send(bytes) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let unit = Bytes(rest.prefix(length))
            rest.removeFirst(unit.count)
            try await channel.send(unit)
        }
    }

    /// Reads the bytes that are here, or waits for the next ones.
    ///
    /// - Parameter maximum: The maximum number of bytes; for 0 or less the call returns none, at once.
    /// - Returns: At least one byte; nil at the end.
    /// - Throws: `.cancelled`; the error with which the channel ended: `.disconnected`, `.poweredOff`, `.invalidated`,
    ///   `.peerExceededCredits`, `.peerExceededLength`, `.backend`.
    public nonisolated(nonsending) func read(atMost maximum: Int) async throws(ChannelError) -> Bytes? {
        if maximum <= 0 { return Bytes() }
        return try await fill(1) ? state.withLock { $0.take(maximum) } : nil
    }

    /// Reads exactly as many bytes, whatever the lengths of the units that bring them.
    ///
    /// - Parameter count: The number of bytes, which are in memory at once; for 0 or less the call returns none, at
    ///   once.
    /// - Returns: The bytes; nil where the channel was closed before the first of them.
    /// - Throws: `.endedEarly` where the channel was closed after some of them; the errors of ``read(atMost:)``.
    public nonisolated(nonsending) func read(exactly count: Int) async throws(ChannelError) -> Bytes? {
        if count <= 0 { return Bytes() }
        return try await fill(count) ? state.withLock { $0.take(count) } : try nilBetweenReads()
    }

    /// Reads through the first byte of a value: a line, for example, through 10.
    ///
    /// - Parameters:
    ///   - delimiter: The byte after which to end.
    ///   - maximum: The maximum number of bytes, which are in memory at once, the delimiter among them.
    /// - Returns: The bytes, of which the last is the delimiter; nil where the channel was closed before the first.
    /// - Throws: `.noDelimiter` where it is not among the first `maximum` bytes; `.endedEarly` where the channel was
    ///   closed after some bytes without it; the errors of ``read(atMost:)``.
    public nonisolated(nonsending) func read(
        through delimiter: UInt8, atMost maximum: Int
    ) async throws(ChannelError) -> Bytes? {
        var searched = 0
        while true {
            let line: Bytes? = state.withLock { state in
                let place = state.bytes.dropFirst(state.start + searched).prefix(max(maximum - searched, 0))
                    .firstIndex(of: delimiter)
                searched = state.count
                return place.map { state.take($0 + 1 - state.start) }
            }
            if let line { return line }
            if searched >= maximum { throw .noDelimiter(maximum: maximum) }
            guard try await fill(searched + 1) else { return try nilBetweenReads() }
        }
    }

    /// Closes the channel. Bytes that have come can still be read.
    public func close() { channel.close() }

    /// Takes units from the channel until this many bytes are here; false where it was closed before.
    private nonisolated(nonsending) func fill(_ count: Int) async throws(ChannelError) -> Bool {
        var units = channel.makeAsyncIterator()
        while true {
            let (isFull, end) = state.withLock { ($0.count >= count, $0.end) }
            if isFull { return true }
            if let end {
                if let error = end.error { throw error }
                return false
            }
            do throws(ChannelError) {
                if let unit = try await units.next() {
                    state.withLock { $0.append(unit) }
                } else if Task.isCancelled {
                    // The channel may go on, for another task.
                    throw .cancelled
                } else {
                    state.withLock { $0.end = ChannelBox.End(error: nil) }
                }
            } catch {
                if error != .cancelled { state.withLock { $0.end = ChannelBox.End(error: error) } }
                throw error
            }
        }
    }

    private func nilBetweenReads() throws(ChannelError) -> Bytes? {
        let count = waitingCount
        if count > 0 { throw .endedEarly(count: count) }
        return nil
    }
}
