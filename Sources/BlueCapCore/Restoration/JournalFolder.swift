// SPDX-License-Identifier: MIT

import BlueCapPlatform

/// A folder with journals, open and locked for one name: everything that is asked of the file system.
final class JournalFolder: Sendable {
    enum SystemError: Error {
        case inUse
        /// Something with the file's name is not a file of this user.
        case notOurs
        case tooLong
        case refused(Int32)
    }

    let path: String
    private let folder: Int32
    private let lock: Int32

    /// Opens the folder, which is made where it is missing, and takes the lock.
    init(_ path: String, lock name: String) throws(SystemError) {
        Self.make(path)
        let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder < 0 { throw .refused(errno) }
        let lock = unsafe openat(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if lock < 0 {
            let error = errno
            Self.release(folder)
            throw .refused(error)
        }
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            let error = errno
            if error == EINTR { continue }
            Self.release(lock)
            Self.release(folder)
            throw error == EWOULDBLOCK ? .inUse : .refused(error)
        }
        // Not before: where all properties are set, `deinit` follows an error and would close the two once more.
        (self.path, self.folder, self.lock) = (path, folder, lock)
    }

    deinit {
        // A child that is about to start has a copy of the descriptor until it runs another program, and with it the
        // lock, unless that is given up.
        flock(lock, LOCK_UN)
        Self.release(lock)
        Self.release(folder)
    }

    /// Closes a descriptor; one that is closed twice may be another's by then.
    private static func release(_ descriptor: Int32) {
        let isReleased = close(descriptor) == 0
        assert(isReleased || errno != EBADF, "a descriptor was closed twice")
    }

    private static func make(_ path: String) {
        var parent = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            parent += "/" + part
            unsafe mkdir(parent, 0o700)
        }
    }

    /// The bytes of a file; nil where there is none.
    func read(_ name: String, limit: Int) throws(SystemError) -> [UInt8]? {
        // Not held up by a pipe, nor led elsewhere by a link.
        let file = unsafe openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        if file < 0 {
            if errno == ENOENT { return nil }
            throw errno == ELOOP ? .notOurs : .refused(errno)
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: try Self.length(of: file, limit: limit))
        var count = 0
        while count < bytes.count {
            let more = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe buffer.baseAddress.map { start in
                    unsafe systemRead(file, start + count, buffer.count - count)
                } ?? 0
            }
            if more < 0 {
                if errno == EINTR { continue }
                throw .refused(errno)
            }
            if more == 0 { break }
            count += more
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// The number of bytes of an open file.
    private static func length(of file: Int32, limit: Int) throws(SystemError) -> Int {
        #if canImport(Darwin) && !os(macOS)
        // An app has to declare calls of `fstat` to App Store Connect there, and nobody else can write its files.
        let length = lseek(file, 0, SEEK_END)
        guard length >= 0, lseek(file, 0, SEEK_SET) == 0 else { throw errno == ESPIPE ? .notOurs : .refused(errno) }
        #else
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw .refused(errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else { throw .notOurs }
        let length = status.st_size
        #endif
        guard length <= limit else { throw .tooLong }
        // WIDTH: at most `limit`.
        return Int(length)
    }

    /// Writes a file beside another, and puts it in its place: after a crash there is the one or the other, whole.
    func replace(_ name: String, by temporary: String, with bytes: RawSpan) throws(SystemError) {
        unsafe unlinkat(folder, temporary, 0)
        let file = unsafe openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if file < 0 { throw .refused(errno) }
        try Self.fill(file, with: bytes)
        guard unsafe renameat(folder, temporary, folder, name) == 0 else { throw .refused(errno) }
        try Self.sync(folder)
    }

    func rename(_ name: String, to other: String) -> Bool {
        guard unsafe renameat(folder, name, folder, other) == 0 else { return false }
        return fsync(folder) == 0
    }

    private static func fill(_ file: Int32, with bytes: RawSpan) throws(SystemError) {
        defer { close(file) }
        try write(bytes, to: file)
        try sync(file)
    }

    private static func write(_ bytes: RawSpan, to file: Int32) throws(SystemError) {
        try unsafe bytes.withUnsafeBytes { buffer throws(SystemError) in
            guard let start = buffer.baseAddress else { return }
            var offset = 0
            while offset < buffer.count {
                let count = unsafe systemWrite(file, start + offset, buffer.count - offset)
                if count < 0 {
                    if errno == EINTR { continue }
                    throw .refused(errno)
                }
                offset += count
            }
        }
    }

    private static func sync(_ file: Int32) throws(SystemError) {
        #if canImport(Darwin)
        // `fsync` does not reach the medium there; file systems that know no better way refuse this one.
        if fcntl(file, F_FULLFSYNC) == 0 { return }
        #endif
        while fsync(file) != 0 {
            if errno == EINTR { continue }
            throw .refused(errno)
        }
    }
}
