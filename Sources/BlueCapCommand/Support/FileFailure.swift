// SPDX-License-Identifier: MIT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Why the file system did not do what was asked, in the system's words.
enum FileFailure {
    static func text(_ error: any Error) -> String {
        guard let error = error as? CocoaError else { return "\(error)" }
        if let underlying = error.underlying as? POSIXError {
            return String(describing: underlying.code)
        }
        return switch error.code {
        case .fileWriteNoPermission, .fileReadNoPermission: "Permission denied"
        case .fileWriteOutOfSpace: "No space left on device"
        case .fileNoSuchFile, .fileReadNoSuchFile: "No such file or directory"
        default: "the file system refused (\(error.code.rawValue))"
        }
    }
}
