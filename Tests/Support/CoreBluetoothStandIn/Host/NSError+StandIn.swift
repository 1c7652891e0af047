// SPDX-License-Identifier: MIT

import BlueCapCore
import Foundation

extension NSError {
    private static var unknownCode: Int { 9_999 }

    /// An error of ``CBErrorDomain`` (F3).
    static func bluetooth(_ code: CBError.Code, host: StandIn) -> NSError {
        NSError(domain: CBErrorDomain, code: host.has(.unknownErrorCodes) ? unknownCode : code.rawValue)
    }

    /// An error of ``CBATTErrorDomain``, whose code may be any (F4).
    static func attribute(_ error: ATTError, host: StandIn) -> NSError {
        NSError(domain: CBATTErrorDomain, code: host.has(.unknownErrorCodes) ? unknownCode : Int(error.rawValue))
    }

    static func operation(_ failure: OperationFailure, host: StandIn) -> NSError {
        switch failure {
        case .att(let error): attribute(error, host: host)
        case .disconnected, .poweredOff: bluetooth(.notConnected, host: host)
        case .unsupported: attribute(.requestNotSupported, host: host)
        default: bluetooth(.unknown, host: host)
        }
    }

    /// Why a link ended; nil after our own cancel (C5).
    static func linkEnd(_ failure: BackendFailure?, host: StandIn) -> NSError {
        bluetooth(failure?.name.hasSuffix("Timeout") == true ? .connectionTimeout : .peripheralDisconnected, host: host)
    }
}
