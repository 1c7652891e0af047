// SPDX-License-Identifier: MIT

import BlueCapCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A capture file, read packet by packet.
///
/// ```swift
/// var analysis = CaptureAnalysis()
/// let file = try CaptureFile("lamp.btsnoop")
/// while let packet = try file.next() { analysis.add(packet) }
/// ```
///
/// Memory does not grow with the file: 64 KiB are read at a time.
public struct CaptureFile: ~Copyable {
    private static let pieceByteCount = 65_536

    private let path: String
    private let descriptor: Int32
    private let state = State()

    /// What reading changes.
    private final class State {
        var reader = CaptureReader()
        var isAtEnd = false
    }

    /// Opens a file.
    ///
    /// - Throws: ``CaptureFileError/system(path:errno:)``.
    public init(_ path: String) throws(CaptureFileError) {
        self.path = path
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw .system(path: path, errno: errno) }
    }

    deinit { close(descriptor) }

    /// The format, once a packet was read.
    public var format: CaptureFormat? { state.reader.format }

    /// The next packet; nil at the end.
    ///
    /// - Throws: ``CaptureFileError``. Packets in front of what is damaged have been given by then.
    public func next() throws(CaptureFileError) -> CapturedPacket? {
        while true {
            do throws(CaptureError) {
                if let packet = try state.reader.next() { return packet }
                if state.isAtEnd {
                    try state.reader.finish()
                    return nil
                }
            } catch {
                throw .capture(path: path, error)
            }
            let piece = try readPiece()
            if piece.isEmpty { state.isAtEnd = true } else { state.reader.append(piece) }
        }
    }

    private func readPiece() throws(CaptureFileError) -> [UInt8] {
        while true {
            var count = 0
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceByteCount) { buffer, used in
                unsafe count = read(descriptor, buffer.baseAddress, Self.pieceByteCount)
                used = max(count, 0)
            }
            if count >= 0 { return piece }
            let number = errno
            if number != EINTR { throw .system(path: path, errno: number) }
        }
    }
}
