// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture
import BlueCapPlatform
import BlueCapRuntime

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads and writes files for commands, with errors that name the file.
enum ToolFile {
    /// The beginning of a file, a little more than a limit where it is longer; `-` is standard input.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage``.
    static func read(_ path: String, maximum: Int) throws(CommandFailure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw failure(path, .usage) }
        defer { if descriptor != STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        while bytes.count <= maximum {
            var count = 0
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, used in
                unsafe count = Self.readSome(descriptor, buffer.baseAddress, 65_536)
                used = max(count, 0)
            }
            if count < 0 { throw failure(path, .usage) }
            if count == 0 { break }
            bytes += piece
        }
        return bytes
    }

    /// The bytes of a file that is not longer than a limit; `-` is standard input.
    ///
    /// - Parameter name: The name of such a file in the refusal of a longer one, as `"a twin"`.
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage``.
    static func read(_ path: String, maximum: Int, called name: String) throws(CommandFailure) -> [UInt8] {
        let bytes = try read(path, maximum: maximum)
        guard bytes.count > maximum else { return bytes }
        // The size of a pipe is not known.
        var status = stat()
        let isKnown = unsafe path != "-" && stat(path, &status) == 0 && status.st_size >= bytes.count
        let size = isKnown ? "\(status.st_size)" : "more"
        throw CommandFailure(.usage, "\(path): \(name) has at most \(maximum) bytes, and this has \(size)")
    }

    private static func readSome(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
        while true {
            let result = unsafe systemRead(descriptor, buffer, count)
            if result >= 0 || errno != EINTR { return result }
        }
    }

    /// Writes a file, and replaces an existing one; `-` is standard output.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/failed``; ``OutputClosed``.
    static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
        let file = try OutputFile(path)
        try file.write(Array(bytes))
        try file.close()
    }

    /// Puts a new file in place of an old one, so that no program reads half of it. A symbolic link stays: its target
    /// is replaced.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - data: The new content.
    ///   - permissions: The new file's permissions; nil for those of the old one.
    static func replace(_ path: String, with data: Data, permissions: Int? = nil) throws {
        let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let old = try? FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
        try data.write(to: url, options: .atomic)
        guard let mode = permissions ?? old else { return }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    /// Makes sure that a file can be written later, and leaves it as it is; `-` is standard output.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/failed``.
    static func requireWritable(_ path: String) throws(CommandFailure) {
        if path == "-" { return }
        // To open it is the only test that every file system answers.
        let new = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        if new >= 0 {
            close(new)
            unsafe unlink(path)
            return
        }
        if errno != EEXIST { throw failure(path, .failed) }
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            // A link to a file that is not there yet.
            if errno == ENOENT { return }
            throw failure(path, .failed)
        }
        // The reader of a named pipe would take its closing for the end.
        if status.st_mode & S_IFMT == S_IFIFO {
            if unsafe access(path, W_OK) == 0 { return }
            throw failure(path, .failed)
        }
        let old = unsafe open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
        if old < 0 { throw failure(path, .failed) }
        close(old)
    }

    /// Makes sure that there is something to read behind a descriptor: a folder would be taken for an empty file.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/failed``.
    static func requireReadable(_ descriptor: Int32, called name: String) throws(CommandFailure) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure(name, .failed) }
        if status.st_mode & S_IFMT == S_IFDIR {
            errno = EISDIR
            throw failure(name, .failed)
        }
    }

    /// Whether there is something by that name, other than a folder.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }

    static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// Whether a path names a file that can be read again from its beginning.
    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The path from the root, so that it means the same file from every folder.
    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    static func failure(_ path: String, _ status: ToolStatus) -> CommandFailure {
        CommandFailure(status, "\(path): \(unsafe String(cString: strerror(errno)))")
    }

    /// The profiles in a JSON file.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage``, which names the fault and its place in the file.
    static func profiles(_ path: String) throws(CommandFailure) -> ProfileManager {
        let bytes = try read(path, maximum: ProfileManager.maximumJSONByteCount, called: "a file of profiles")
        do throws(ProfileFileError) {
            return try ProfileManager(json: bytes)
        } catch {
            throw CommandFailure(.usage, "\(path): \(error)")
        }
    }

    /// The formats of sensors in a file.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage``, which names the mistakes and their places in the file.
    static func formats(_ path: String) throws(CommandFailure) -> SensorFormats {
        let bytes = try read(path, maximum: SensorFormats.maximumJSONByteCount, called: "a file of formats")
        do throws(SensorFormatError) {
            return try SensorFormats(json: bytes)
        } catch {
            throw CommandFailure(.usage, "\(path): \(error)")
        }
    }

    /// The twin in a file.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage``, which names the fault and its place in the file.
    static func twin(_ path: String) throws(CommandFailure) -> Twin {
        try twin(read(path, maximum: Twin.maximumByteCount, called: "a twin"), path)
    }

    /// The device in the bytes of a file.
    static func twin(_ bytes: [UInt8], _ path: String) throws(CommandFailure) -> Twin {
        do throws(TwinError) {
            return try Twin(json: bytes)
        } catch {
            throw CommandFailure(.usage, "\(path): \(error)")
        }
    }
}

/// A file that a command writes piece by piece.
final class OutputFile: Sendable {
    private let path: String
    private let descriptor: Int32
    private let isClosed = Locked(false)

    /// Makes the file, or empties it; `-` is standard output.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/failed``.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        descriptor = path == "-" ? STDOUT_FILENO : unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        if descriptor < 0 { throw ToolFile.failure(path, .failed) }
    }

    deinit { try? close() }

    /// - Throws: ``OutputClosed``, with the reason where it is not a reader that has gone away.
    func write(_ bytes: [UInt8]) throws(OutputClosed) { try writeBytes(bytes, to: descriptor, called: path) }

    func close() throws(CommandFailure) {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard isFirst, descriptor != STDOUT_FILENO else { return }
        if systemClose(descriptor) != 0 { throw ToolFile.failure(path, .failed) }
    }
}

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The reason for an error of the file system, in the system's words.
enum FileFailure {
    static func text(_ error: any Error) -> String {
        guard let error = error as? CocoaError else { return "\(error)" }
        if let underlying = error.underlying as? POSIXError {
            // A file exists at the path of the new folder and is no folder.
            let number = underlying.code == .EEXIST ? ENOTDIR : underlying.code.rawValue
            return unsafe String(cString: strerror(number))
        }
        return switch error.code {
        case .fileWriteNoPermission, .fileReadNoPermission: "Permission denied"
        case .fileWriteOutOfSpace: "No space left on device"
        case .fileNoSuchFile, .fileReadNoSuchFile: "No such file or directory"
        default: "the file system refused (\(error.code.rawValue))"
        }
    }
}
