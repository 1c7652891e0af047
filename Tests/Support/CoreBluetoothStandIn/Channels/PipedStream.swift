// SPDX-License-Identifier: MIT

import Dispatch
import Foundation

/// A stream of a channel, which calls its delegate once it has a queue (L4).
protocol PipedStream: Stream {
    var listener: (any StreamDelegate)? { get }
    var queue: DispatchQueue? { get set }
}

/// The bytes that come over a channel.
final class PipedInputStream: InputStream, PipedStream {
    private(set) weak var listener: (any StreamDelegate)?
    var queue: DispatchQueue?
    private let pipe: ChannelPipe
    private var status = Stream.Status.notOpen

    init(_ pipe: ChannelPipe) {
        self.pipe = pipe
        super.init(data: Data())
    }

    override var delegate: (any StreamDelegate)? {
        get { listener }
        set { listener = newValue }
    }
    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { pipe.error }
    override var hasBytesAvailable: Bool { status == .open && pipe.hasBytes }

    override func open() {
        guard status == .notOpen else { return }
        status = .open
        pipe.opened(self)
    }

    override func close() {
        status = .closed
        pipe.closed(self)
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        guard status == .open, let bytes = pipe.read(len) else { return -1 }
        for (index, byte) in bytes.enumerated() { unsafe buffer[index] = byte }
        return bytes.count
    }
}

/// The bytes that go over a channel.
final class PipedOutputStream: OutputStream, PipedStream {
    private(set) weak var listener: (any StreamDelegate)?
    var queue: DispatchQueue?
    private let pipe: ChannelPipe?
    private var status = Stream.Status.notOpen

    init(_ pipe: ChannelPipe) {
        self.pipe = pipe
        super.init(toMemory: ())
    }

    required init(toMemory: ()) {
        pipe = nil
        super.init(toMemory: ())
    }

    override var delegate: (any StreamDelegate)? {
        get { listener }
        set { listener = newValue }
    }
    override var streamStatus: Stream.Status {
        guard status == .open, let pipe, pipe.isEnded else { return status }
        return pipe.error == nil ? .atEnd : .error
    }
    override var streamError: (any Error)? { pipe?.error }
    override var hasSpaceAvailable: Bool { status == .open && pipe?.hasRoom == true }

    override func open() {
        guard status == .notOpen else { return }
        status = .open
        pipe?.opened(self)
    }

    override func close() {
        status = .closed
        pipe?.closed(self)
    }

    override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
        guard status == .open, let pipe else { return -1 }
        return unsafe pipe.write(Array(UnsafeBufferPointer(start: buffer, count: len)))
    }
}
