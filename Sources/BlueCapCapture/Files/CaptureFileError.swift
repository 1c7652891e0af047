// SPDX-License-Identifier: MIT

import BlueCapPlatform

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
