// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import CoreBluetooth
import Foundation

extension PlatformError {
    /// Creates a description of an error that came with a callback.
    init(_ error: any Error) {
        let error = error as NSError
        let domain: Domain =
            switch error.domain {
            case CBErrorDomain: .bluetooth
            case CBATTErrorDomain: .attribute
            default: .other(error.domain)
            }
        self.init(domain: domain, code: error.code, text: error.localizedDescription)
    }
}
#endif
