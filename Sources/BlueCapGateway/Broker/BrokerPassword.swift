// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapPlatform

/// A password for a broker, which no description prints.
package struct BrokerPassword: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The reason why there is no password in a file.
    package struct FileError: Error, Sendable, CustomStringConvertible {
        package let description: String
    }

    let text: String

    /// Takes the first line of a file.
    ///
    /// - Throws: The reason why there is none.
    package init(file: String) throws(FileError) {
        let bytes: [UInt8]
        do throws(ConfigurationFile.Fault) { bytes = try ConfigurationFile.read(file, maximum: 4096) } catch {
            throw FileError(description: "\(file): \(error.reason)")
        }
        let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first
        guard let line else { throw FileError(description: "\(file): there is no password in its first line") }
        text = String(line)
    }

    /// The password that systemd puts into a folder as `mqtt-password` (`LoadCredential=`); nil where there is none.
    ///
    /// - Throws: The reason why a password that is there is not read.
    package init?(credentials folder: String) throws(FileError) {
        let file = folder + "/mqtt-password"
        guard unsafe access(file, F_OK) == 0 else { return nil }
        try self.init(file: file)
    }

    package init(_ text: String) { self.text = text }

    package var description: String { "BrokerPassword" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
#endif
