// SPDX-License-Identifier: MIT

import BlueCapCore

/// The reason for which JSON is no twin, with the place in it.
public enum TwinError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There are more bytes than `Twin.maximumByteCount`.
    case tooLong(byteCount: Int)
    /// The bytes are not JSON; the text says why.
    case invalidJSON(String)
    /// The JSON is something else: `schema` is not `bluecap-twin`.
    case notATwin
    /// A newer version of this package wrote it.
    case newerVersion(Int)
    /// A value is missing or not allowed. The path names it, such as `services[2].characteristics[0].uuid`.
    case invalid(path: String, reason: String)

    /// A sentence that names the fault and its place.
    public var description: String {
        switch self {
        case .tooLong(let count): "a twin has at most \(Twin.maximumByteCount) bytes, and this has \(count)"
        case .invalidJSON(let reason): "this is not JSON: \(reason)"
        case .notATwin: "this is JSON, but no twin: \"schema\" is not \"bluecap-twin\""
        case .newerVersion(let version):
            "this twin has version \(version), and \(Twin.version) is the newest that is known: a newer bluecap reads it"
        case .invalid(let path, let reason): "\(path.isEmpty ? "the twin" : path): \(reason)"
        }
    }
}
