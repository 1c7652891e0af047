// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapPlatform

/// A file that belongs to a configuration.
enum ConfigurationFile {
    /// The reason why a file is not read.
    struct Fault: Error {
        var reason: String
    }

    /// The bytes of a file.
    ///
    /// - Throws: The reason; also for a file that is no regular one, as a pipe would be empty the next time.
    static func read(_ path: String, maximum: Int) throws(Fault) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { throw Fault(reason: systemReason) }
        defer { _ = systemClose(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Fault(reason: systemReason) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Fault(reason: "it is no file") }
        var bytes: [UInt8] = []
        while true {
            var count = 0
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, used in
                unsafe count = systemRead(descriptor, buffer.baseAddress, 65_536)
                used = max(count, 0)
            }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw Fault(reason: systemReason) }
            if count == 0 { return bytes }
            bytes += piece
            if bytes.count > maximum {
                let size = max(Int(clamping: status.st_size), bytes.count)
                throw Fault(reason: "it has \(size) bytes, and \(maximum) are allowed")
            }
        }
    }

    private static var systemReason: String { unsafe String(cString: strerror(errno)) }
}
#endif
