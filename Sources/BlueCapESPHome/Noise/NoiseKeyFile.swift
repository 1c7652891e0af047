// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapPlatform

/// A file whose first line is a key, in base64. No message shows the contents.
package struct NoiseKeyFile: Sendable {
    /// The reason why there is no key in a file.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    private static let maximum = 4096

    package let path: String

    package init(_ path: String) { self.path = path }

    /// The file that systemd puts into a folder as `esphome-key` (`LoadCredential=`); nil where there is none.
    package init?(credentials folder: String) {
        self.init(folder + "/esphome-key")
        if unsafe access(path, F_OK) != 0 { return nil }
    }

    /// The key, and whether it is new: a file that is not there is made, for this user alone.
    ///
    /// - Throws: The reason why there is no key.
    package func open() throws(Fault) -> (key: NoiseKey, isNew: Bool) {
        let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
        if descriptor < 0, errno == ENOENT { return (try make(), true) }
        guard descriptor >= 0 else { throw systemFault }
        defer { _ = systemClose(descriptor) }
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.maximum) { buffer, used in
            unsafe count = systemRead(descriptor, buffer.baseAddress, Self.maximum)
            used = max(count, 0)
        }
        guard count >= 0 else { throw systemFault }
        let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
        let word = line.split(separator: " ").first ?? ""
        guard let key = NoiseKey(base64: word) else {
            throw Fault(description: "\(path): its first line is no key: 32 bytes in base64, which are not all zero")
        }
        return (key, false)
    }

    private func make() throws(Fault) -> NoiseKey {
        let key = NoiseKey.random()
        let descriptor = systemOpen(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw systemFault }
        let text = Array((key.secretText + "\n").utf8)
        let count = unsafe systemWrite(descriptor, text, text.count)
        let fault = systemFault
        guard systemClose(descriptor) == 0, count == text.count else {
            _ = unsafe unlink(path)
            throw fault
        }
        return key
    }

    private var systemFault: Fault { Fault(description: "\(path): \(unsafe String(cString: strerror(errno)))") }
}
#endif
