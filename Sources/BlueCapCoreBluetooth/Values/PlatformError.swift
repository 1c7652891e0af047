// SPDX-License-Identifier: MIT

import BlueCapCore

/// An error of CoreBluetooth: its domain, its number and its text.
///
/// F5: errors are compared by domain and number, because a number without a name is no case of an enumeration.
struct PlatformError: Equatable {
    /// The kinds of errors.
    enum Domain: Equatable {
        /// `CBErrorDomain`.
        case bluetooth
        /// `CBATTErrorDomain`: the peer refused.
        case attribute
        case other(String)
    }

    let domain: Domain
    let code: Int
    let text: String

    /// The names of `CBError.Code`, by number.
    private static let names = [
        "unknown", "invalidParameters", "invalidHandle", "notConnected", "outOfSpace", "operationCancelled",
        "connectionTimeout", "peripheralDisconnected", "uuidNotAllowed", "alreadyAdvertising", "connectionFailed",
        "connectionLimitReached", "unknownDevice", "operationNotSupported", "peerRemovedPairingInformation",
        "encryptionTimedOut", "tooManyLEPairedDevices", "leGattExceededBackgroundNotificationLimit",
        "leGattNearBackgroundNotificationLimit",
    ]

    /// Whether CoreBluetooth has an advertisement already.
    var isAlreadyAdvertising: Bool { domain == .bluetooth && code == 9 }

    /// The reason why an operation failed, by F3 and F4.
    var operationFailure: OperationFailure {
        switch (domain, code) {
        // F4: any number can come, with a name or without; an ATT code is an octet.
        case (.attribute, 0...255): .att(ATTError(rawValue: UInt8(code)))
        case (.bluetooth, 3), (.bluetooth, 5), (.bluetooth, 7): .disconnected
        case (.bluetooth, 13): .unsupported
        case (.bluetooth, _), (.attribute, _), (.other, _): .backend(failure)
        }
    }

    /// The reason why a link ended.
    var linkFailure: BackendFailure { domain == .bluetooth && code == 7 ? failure.goodbye : failure }

    /// The error as it is.
    var failure: BackendFailure {
        BackendFailure(name: name, message: text, advice: advice, isTransient: isTransient)
    }

    private var name: String {
        switch domain {
        case .bluetooth: "CBError." + (Self.names.indices.contains(code) ? Self.names[code] : String(code))
        case .attribute: "CBATTError.\(code)"
        case .other(let domain): "\(domain).\(code)"
        }
    }

    /// The failures after which the same call may succeed. F2: lost keys are none of them, because each further attempt
    /// would only ask the user to pair again.
    private var isTransient: Bool {
        guard domain == .bluetooth else { return false }
        // A number without a name is one of a newer system, and says nothing against another attempt.
        return [0, 6, 7, 10, 17, 18].contains(code) || !Self.names.indices.contains(code)
    }

    private var advice: String? {
        guard domain == .bluetooth else { return nil }
        switch code {
        case 8: return "the system offers this service itself: choose another UUID"
        case 9: return "stop the other advertisement first"
        case 11: return "disconnect another peripheral first"
        case 14: return "the peripheral has lost its keys: forget it in the system's Bluetooth settings, and pair again"
        case 15: return "pair again: forget the peripheral in the system's Bluetooth settings where that fails too"
        case 16: return "forget a peripheral in the system's Bluetooth settings"
        default: return nil
        }
    }
}
