// SPDX-License-Identifier: MIT

import BlueCapPlatform

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
