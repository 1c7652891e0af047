// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Foundation

/// The system's end of a channel, between its two streams and the radio.
///
/// A stream signals bytes or room once, and again when the program has read or has found no room (L4).
final class ChannelPipe {
    /// The units that the radio may bring before the program reads.
    private static let window = 8
    /// The bytes that a stream takes or gives at a time, where units are cut (L6).
    private static let piece = 100

    let id: ChannelID
    let psm: UInt16
    private let maximumSendLength: Int
    private let channels: SystemChannels
    private weak var input: PipedInputStream?
    private weak var output: PipedOutputStream?
    private var closedStreams: Set<ObjectIdentifier> = []
    private var isOver = false
    private var arrived: [ArraySlice<UInt8>] = []
    private var isReadSignalled = false
    private var waiting: [[UInt8]] = []
    private var isSending = false
    private var wantsRoom = true
    /// The end of the radio's channel.
    private(set) var isEnded = false
    private(set) var error: NSError?

    init(_ channel: OpenedChannel, _ channels: SystemChannels) {
        id = channel.id
        psm = channel.psm
        maximumSendLength = channel.maximumSendLength
        self.channels = channels
    }

    func attach(_ input: PipedInputStream, _ output: PipedOutputStream) {
        self.input = input
        self.output = output
    }

    var host: StandIn { channels.host }

    // MARK: Life

    func opened(_ stream: Stream) {
        signal(stream, .openCompleted)
        if stream === output { return signalRoom() }
        channels.tell(.allow(id, count: Self.window))
        if isEnded { signalEnd() }
    }

    /// The program has closed a stream. Both are the end of the channel.
    func closed(_ stream: Stream) {
        closedStreams.insert(ObjectIdentifier(stream))
        if closedStreams.count == 2 { close() }
    }

    /// The channel is of no more use, as when the program releases it (L3).
    func close() {
        guard !isOver else { return }
        isOver = true
        if !isEnded { channels.tell(.close(id)) }
        channels.forget(self)
    }

    func ended(_ error: NSError?) {
        guard !isEnded else { return }
        isEnded = true
        self.error = error
        waiting = []
        if arrived.isEmpty || host.has(.endsEarly) { signalEnd() }
    }

    private func signalEnd() {
        if host.has(.silentEnd) { return }
        for case let stream? in [input, output] as [Stream?] {
            signal(stream, error == nil ? .endEncountered : .errorOccurred)
        }
    }

    private func signal(_ stream: Stream, _ event: Stream.Event) {
        guard !isOver else { return }
        let call = { [weak stream] in
            guard let stream, let piped = stream as? any PipedStream, piped.queue != nil else { return }
            piped.listener?.stream(stream, handle: event)
        }
        if host.has(.answersInside) { call() } else { channels.later(call) }
    }

    // MARK: Reading

    func received(_ unit: Bytes) {
        arrived.append(Array(unit)[...])
        signalBytes()
    }

    private func signalBytes() {
        guard !isReadSignalled, !arrived.isEmpty, let input else { return }
        isReadSignalled = true
        signal(input, .hasBytesAvailable)
    }

    var hasBytes: Bool { !arrived.isEmpty && !isOver }

    /// The bytes of the first unit; with faults fewer, or those of later units as well (L6).
    func read(_ maximum: Int) -> [UInt8]? {
        if arrived.isEmpty { return isEnded ? (error == nil ? [] : nil) : waits() }
        isReadSignalled = false
        var bytes: [UInt8] = []
        let room = host.has(.cutsUnits) ? min(maximum, Self.piece) : maximum
        repeat {
            let part = arrived[0].prefix(room - bytes.count)
            bytes += part
            arrived[0] = arrived[0].dropFirst(part.count)
            if arrived[0].isEmpty {
                arrived.removeFirst()
                channels.tell(.allow(id, count: 1))
            }
        } while host.has(.joinsUnits) && !arrived.isEmpty && bytes.count < room
        signalBytes()
        if arrived.isEmpty, isEnded, !host.has(.endsEarly) { signalEnd() }
        return bytes
    }

    private func waits() -> [UInt8]? { preconditionFailure("InputStream.read: it would wait for bytes") }

    // MARK: Writing

    /// Whether there is room; who sees that there is none is called when there is.
    var hasRoom: Bool {
        if isOver || isEnded { return false }
        let hasRoom = waiting.count + (isSending ? 1 : 0) < host.settings.channelRoom
        if !hasRoom { wantsRoom = true }
        return hasRoom
    }

    func write(_ bytes: [UInt8]) -> Int {
        if isOver || isEnded { return -1 }
        guard hasRoom else { return 0 }
        let part = bytes.prefix(host.has(.cutsUnits) ? min(maximumSendLength, Self.piece) : maximumSendLength)
        waiting.append(Array(part))
        flush()
        return part.count
    }

    private func flush() {
        guard !isSending, !waiting.isEmpty, !isOver, !isEnded else { return }
        var unit = waiting.removeFirst()
        while host.has(.joinsUnits), let next = waiting.first, unit.count + next.count <= maximumSendLength {
            unit += next
            waiting.removeFirst()
        }
        isSending = true
        channels.perform(.send(id, Bytes(unit))) { [weak self] _ in self?.sent() }
    }

    private func sent() {
        isSending = false
        flush()
        guard wantsRoom, hasRoom else { return }
        wantsRoom = false
        signalRoom()
    }

    private func signalRoom() {
        if let output, !host.has(.silentRoom) { signal(output, .hasSpaceAvailable) }
    }
}
