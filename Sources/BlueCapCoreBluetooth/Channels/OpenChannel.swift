// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import CoreBluetooth
import Dispatch
import Foundation

/// One open channel: CoreBluetooth's object of it, and the bytes that go over its streams.
///
/// L3: the object is kept for as long as the channel is open. L6: a unit to the peer is written until the stream has
/// taken all of it; a unit from the peer is the bytes of one read.
final class OpenChannel {
    private struct Outgoing {
        let request: RequestID
        let unit: Bytes
        var offset = 0
    }

    /// The end of a channel; without an error where the peer closed it.
    private struct End {
        let error: ChannelError?
    }

    let facts: OpenedChannel
    private let object: CBL2CAPChannel
    private let input: InputStream
    private let output: OutputStream
    private let listener: StreamListener
    /// The number of units that the manager takes.
    private var allowance = 0
    private var outgoing = RingBuffer<Outgoing>()
    private var end: End?
    /// Whether nothing is to be read any more.
    private var isDrained = false
    private lazy var room = [UInt8](repeating: 0, count: facts.maximumReceiveLength)

    /// A channel of an object that came; nil for one without streams.
    init?(_ object: CBL2CAPChannel, _ facts: OpenedChannel, _ listener: StreamListener) {
        guard let input = object.inputStream, let output = object.outputStream else { return nil }
        self.facts = facts
        self.object = object
        self.input = input
        self.output = output
        self.listener = listener
    }

    deinit { listener.end(input, output) }

    /// Opens the streams.
    func begin(on queue: DispatchQueue) { listener.begin(input, output, on: queue) }

    /// The manager takes this many more units.
    func allow(_ count: Int) { allowance += max(0, count) }

    /// The channel has ended: once the bytes that are here were read, that is reported.
    func finish(_ error: ChannelError?) { if end == nil { end = End(error: error) } }

    // MARK: Reading

    /// Returns the next unit, or the end; nil where there is neither, or the manager takes no unit.
    ///
    /// A read waits for bytes where there are none, so the stream is asked first.
    func nextEvent() -> ChannelEvent? {
        if allowance > 0, !isDrained, input.hasBytesAvailable, let unit = read() {
            allowance -= 1
            return .received(facts.id, unit)
        }
        guard let end, isDrained || !input.hasBytesAvailable else { return nil }
        return .closed(facts.id, end.error)
    }

    private func read() -> Bytes? {
        let count = unsafe room.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            return unsafe input.read(start, maxLength: buffer.count)
        }
        // No more than there is room for was asked for.
        if count > 0 { return Bytes(room.prefix(count)) }
        isDrained = true
        finish(count == 0 ? nil : ChannelError(stream: input.streamError.map { PlatformError($0) }))
        return nil
    }

    // MARK: Writing

    /// Whether its streams are to be asked soon.
    var isWatched = false
    /// Whether a unit waits for room.
    var isWaiting: Bool { !outgoing.isEmpty }

    /// The event that the way out is owed, if it stayed away.
    var condition: StreamListener.Signal {
        switch output.streamStatus {
        case .error: .failed(output.streamError.map { PlatformError($0) })
        case .atEnd, .closed: .ended
        default: .ready
        }
    }

    /// Takes a unit, which waits for those before it.
    func add(_ unit: Bytes, _ request: RequestID) { outgoing.append(Outgoing(request: request, unit: unit)) }

    /// Writes as much as the stream takes.
    ///
    /// - Returns: The answer to a unit that is written whole, or that cannot be any more; nil where none is. Ask again
    ///   after an answer.
    func nextAnswer() -> (RequestID, Result<ChannelReply, ChannelError>)? {
        while var first = outgoing.first {
            if let end {
                _ = outgoing.popFirst()
                return (first.request, .failure(end.error ?? .closed))
            }
            guard output.hasSpaceAvailable else { return nil }
            let count = write(first)
            if count == 0 { return nil }
            if count < 0 {
                finish(ChannelError(stream: output.streamError.map { PlatformError($0) }))
                continue
            }
            // No more than is left was given.
            first.offset += min(count, first.unit.count - first.offset)
            if first.offset >= first.unit.count {
                _ = outgoing.popFirst()
                return (first.request, .success(.done))
            }
            outgoing[0] = first
        }
        return nil
    }

    private func write(_ outgoing: Outgoing) -> Int {
        unsafe outgoing.unit.withUnsafeBuffer { bytes in
            guard let start = bytes.baseAddress, outgoing.offset < bytes.count else { return 0 }
            return unsafe output.write(
                start.assumingMemoryBound(to: UInt8.self) + outgoing.offset, maxLength: bytes.count - outgoing.offset)
        }
    }
}

extension CBL2CAPChannel {
    /// Ends a channel that no one wants.
    func refuse() {
        inputStream?.close()
        outputStream?.close()
    }
}
#endif
