// SPDX-License-Identifier: MIT

import BlueCapPlatform

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
            // What exists in the place of a folder that is to be made is no folder.
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
