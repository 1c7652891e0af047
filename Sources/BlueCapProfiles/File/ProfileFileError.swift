// SPDX-License-Identifier: MIT

#if canImport(BlueCapCore)
/// Why a file has no profiles, with the place in it.
public enum ProfileFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There are more bytes than the reader takes.
    case tooLong(byteCount: Int, maximum: Int)
    /// The bytes are not JSON; the text says why.
    case invalidJSON(String)
    /// The file is something else: `schema` is not `bluecap-profiles`.
    case notProfiles
    /// A newer version of this package wrote it.
    case newerVersion(Int)
    /// A value is missing or not allowed. The path names it, such as `services[2].characteristics[0].uuid`; the reason
    /// ends with its line and its column.
    case invalid(path: String, reason: String)

    /// The fault and its place.
    public var description: String {
        switch self {
        case .tooLong(let count, let maximum): "a file of profiles has at most \(maximum) bytes, and this has \(count)"
        case .invalidJSON(let reason): "this is not JSON: \(reason)"
        case .notProfiles: "this is JSON, but no file of profiles: \"schema\" is not \"\(ProfileFile.schema)\""
        case .newerVersion(let version):
            "this file has version \(version), and \(ProfileFile.version) is the newest that is known"
        case .invalid(let path, let reason): "\(path.isEmpty ? "the file" : path): \(reason)"
        }
    }
}
#endif
