// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapPlatform

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

    /// The state that reading changes.
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

    /// The format of the file, once a packet was read.
    public var format: CaptureFormat? { state.reader.format }

    /// Returns the next packet, or nil at the end.
    ///
    /// - Throws: ``CaptureFileError``. The packets before the damage have been returned by then.
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

/// The reason for which a capture file was not read.
public enum CaptureFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The system did not let the file be opened or read; the reason is its `errno`.
    case system(path: String, errno: Int32)
    /// The file is damaged, or no capture.
    case capture(path: String, CaptureError)

    /// A sentence with the fault and the file's path.
    public var description: String {
        switch self {
        case .system(let path, let number): "\(path): \(unsafe String(cString: strerror(number)))"
        case .capture(let path, let error): "\(path): \(error)"
        }
    }
}
