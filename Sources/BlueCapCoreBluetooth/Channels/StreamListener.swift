// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import CoreBluetooth
import Dispatch
import Foundation

/// Hears the two streams of one channel. L4: their events come on the queue of the backend, and need no run loop.
final class StreamListener: NSObject, StreamDelegate {
    /// An event of either stream.
    enum Signal: Sendable {
        /// There may be bytes to read, or room to write.
        case ready
        /// The peer has closed the channel.
        case ended
        case failed(PlatformError?)
    }

    private let heard: @Sendable (Signal) -> Void

    init(_ heard: @escaping @Sendable (Signal) -> Void) { self.heard = heard }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        if eventCode.contains(.hasBytesAvailable) || eventCode.contains(.hasSpaceAvailable) { heard(.ready) }
        if eventCode.contains(.errorOccurred) { heard(.failed(aStream.streamError.map { PlatformError($0) })) }
        if eventCode.contains(.endEncountered) { heard(.ended) }
    }

    /// Opens both streams, whose events come on the queue from now on.
    func begin(_ input: InputStream, _ output: OutputStream, on queue: DispatchQueue) {
        hear(input, self)
        hear(output, self)
        CFReadStreamSetDispatchQueue(input, queue)
        CFWriteStreamSetDispatchQueue(output, queue)
        input.open()
        output.open()
    }

    /// Closes both streams, of which nothing more is heard.
    func end(_ input: InputStream, _ output: OutputStream) {
        hear(input, nil)
        hear(output, nil)
        CFReadStreamSetDispatchQueue(input, nil)
        CFWriteStreamSetDispatchQueue(output, nil)
        input.close()
        output.close()
    }

    private func hear(_ stream: Stream, _ listener: StreamListener?) {
        #if canImport(ObjectiveC)
        // SAFETY: a stream does not retain its delegate. The channel keeps both, and takes the delegate away at its
        // end.
        unsafe stream.delegate = listener
        #else
        stream.delegate = listener
        #endif
    }
}
#endif
