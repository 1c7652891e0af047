// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapLoop
import BlueCapPlatform
import CBlueCapLinux

/// Writes messages to a stream socket, on the loop, in their order: at once as much as the socket takes, and the rest
/// when it takes more. Loop only.
///
/// Where writing fails, the reader of the same socket finds the end, behind the bytes that came before.
final class FrameSender {
    /// A message of which something is left to be written.
    private struct Unsent {
        let frame: Frame
        var written = 0
    }

    /// The result of writing a message.
    private enum Progress {
        case whole
        /// The socket takes the rest later.
        case part
        case failed
    }

    private let loop: EventLoop
    private var descriptor: FileDescriptor?
    /// There as long as something waits.
    private var watch: WatchID?
    private var waiting: [Unsent] = []

    init(_ descriptor: consuming FileDescriptor, on loop: EventLoop) {
        self.loop = loop
        self.descriptor = consume descriptor
    }

    /// Writes a message that has its serial.
    func send(_ frame: Frame) {
        loop.preconditionOnLoop()
        guard let raw = descriptor?.rawValue else { return }
        var unsent = Unsent(frame: frame)
        if watch == nil {
            switch Self.write(&unsent, to: raw) {
            case .whole: return
            case .part: break
            case .failed: return fail()
            }
        }
        waiting.append(unsent)
        guard watch == nil else { return }
        do throws(LoopError) {
            watch = try loop.watch(raw, .write) { [self] _ in writeOn() }
        } catch {
            fail()
        }
    }

    /// Closes the descriptor; waiting messages are dropped. Until then the loop keeps this object alive while one
    /// waits.
    func close() {
        loop.preconditionOnLoop()
        if let watch { loop.unwatch(watch) }
        watch = nil
        descriptor = nil
        waiting = []
    }

    private func writeOn() {
        guard let raw = descriptor?.rawValue else { return }
        var done = 0
        writing: while done < waiting.count {
            switch Self.write(&waiting[done], to: raw) {
            case .whole: done += 1
            case .part: break writing
            case .failed: return fail()
            }
        }
        waiting.removeFirst(done)
        guard waiting.isEmpty, let watch else { return }
        loop.unwatch(watch)
        self.watch = nil
    }

    /// Writes as much of a message as the socket takes.
    private static func write(_ unsent: inout Unsent, to raw: Int32) -> Progress {
        let frame = unsent.frame
        while unsent.written < frame.bytes.count {
            let written = unsent.written
            // They go with a message's first byte.
            let descriptors = written == 0 ? frame.descriptors : .none
            let count = unsafe frame.bytes.withUnsafeBytes { bytes in
                unsafe descriptors.withAll { descriptors in
                    unsafe bluecap_send_stream(
                        raw, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written,
                        descriptors.baseAddress, Int32(descriptors.count))
                }
            }
            if count == -Int(EAGAIN) { return .part }
            guard count >= 0 else { return .failed }
            unsent.written += count
        }
        return .whole
    }

    /// The reader still gets the bytes that have come, and then the end.
    private func fail() {
        if let raw = descriptor?.rawValue { _ = shutdown(raw, Int32(SHUT_RDWR)) }
        close()
    }
}
#endif
