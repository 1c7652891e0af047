// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapCore
package import BlueCapDBus

/// Turns BlueZ's errors back into the errors of the peer or the link.
///
/// BlueZ folds ATT codes into D-Bus names and texts (`create_gatt_dbus_error` in `src/gatt-client.c`). Codes 0x05, 0x0C
/// and 0x0F all become `NotPermitted` "Not paired" and are reported as 0x05.
package enum BlueZFailure {
    /// Why reading, writing or subscribing failed.
    package static func attribute(_ error: DBusError) -> OperationFailure {
        guard case .remote(let name, let text) = error else { return .backend(failure(error)) }
        if let code = code(name, text) { return .att(code) }
        switch name {
        case BlueZError.notConnected: return .disconnected
        case BlueZError.failed where text.lowercased() == "not connected": return .disconnected
        case BlueZError.notReady: return .poweredOff
        default: return .backend(failure(error))
        }
    }

    /// The ATT code in an error, if there is one.
    private static func code(_ name: String, _ text: String) -> ATTError? {
        let text = text.lowercased()
        switch name {
        case BlueZError.notPermitted:
            switch text {
            case "read not permitted": return .readNotPermitted
            case "write not permitted": return .writeNotPermitted
            case "not paired": return .insufficientAuthentication
            default: return nil
            }
        case BlueZError.notSupported: return .requestNotSupported
        case BlueZError.notAuthorized: return .insufficientAuthorization
        case BlueZError.invalidOffset: return .invalidOffset
        case BlueZError.invalidValueLength: return .invalidAttributeValueLength
        case BlueZError.invalidArguments:
            switch text {
            case "invalid offset": return .invalidOffset
            case "invalid length": return .invalidAttributeValueLength
            default: return nil
            }
        case BlueZError.failed: return number(in: text).map { ATTError(rawValue: $0) }
        default: return nil
        }
    }

    /// `Operation failed with ATT error: 0x80` gives 0x80.
    private static func number(in text: String) -> UInt8? {
        guard text.hasPrefix("operation failed with att error: 0x") || text.hasPrefix("att error: 0x"),
            let mark = text.lastIndex(of: "x")
        else { return nil }
        return UInt8(text[text.index(after: mark)...], radix: 16)
    }

    /// Whether the error may just be how BlueZ words a link, an adapter or a daemon that is going away.
    ///
    /// 0x0E is both a peer's Unlikely Error and the answer to every request whose link drops.
    package static func isAmbiguous(_ error: DBusError) -> Bool {
        switch error {
        case .disconnected: return true
        case .remote(let name, let text):
            switch name {
            case BlueZError.failed:
                let text = text.lowercased()
                return number(in: text) == ATTError.unlikelyError.rawValue || text == "operation failed"
                    || text == "not connected"
            case BlueZError.notConnected, ErrorName.noReply, ErrorName.serviceUnknown, ErrorName.nameHasNoOwner,
                ErrorName.unknownObject, ErrorName.unknownMethod:
                return true
            default: return false
            }
        default: return false
        }
    }

    /// Whether another program's attempt to connect is under way (`Failed` since 5.62 or so, `InProgress` before).
    package static func isConnecting(_ error: DBusError) -> Bool {
        switch error {
        case .remote(BlueZError.inProgress, _), .remote(BlueZError.failed, "Operation already in progress"): true
        default: false
        }
    }

    /// Whether BlueZ no longer has the object that was called.
    package static func isForgotten(_ error: DBusError) -> Bool {
        switch error {
        case .remote(ErrorName.unknownObject, _), .remote(ErrorName.unknownMethod, _): true
        default: false
        }
    }

    /// Whether an attempt to connect has ended without saying why: the kernel, or another program, has ended it.
    package static func isAttemptsEnd(_ error: DBusError) -> Bool {
        guard case .remote(BlueZError.failed, let text) = error else { return false }
        return text == "le-connection-abort-by-local" || text == "le-connection-timeout"
            || text.hasSuffix("connection-canceled") || text == "Software caused connection abort"
            || text == "Connection timed out"
    }

    /// Why connecting failed.
    package static func connecting(_ error: DBusError) -> OperationFailure {
        if case .remote(BlueZError.notReady, _) = error { return .poweredOff }
        if case .remote(BlueZError.failed, let text) = error, text.hasSuffix("connection-adapter-not-powered") {
            return .poweredOff
        }
        return .backend(failure(error))
    }

    /// Why pairing failed (`bonding_request_fail` in `src/device.c`).
    package static func pairing(_ error: DBusError) -> OperationFailure {
        guard case .remote(let name, _) = error else { return .backend(failure(error)) }
        switch name {
        case BlueZError.authenticationCanceled, BlueZError.canceled: return .pairing(.cancelled)
        case BlueZError.authenticationRejected, BlueZError.rejected: return .pairing(.rejected)
        case BlueZError.authenticationTimeout: return .pairing(.timeout)
        case BlueZError.authenticationFailed: return .pairing(.failed)
        case BlueZError.notConnected: return .disconnected
        case BlueZError.notReady: return .poweredOff
        default: return .backend(failure(error))
        }
    }

    /// Why a service or an advertisement was not taken.
    package static func registering(_ error: DBusError) -> OperationFailure {
        switch error {
        case .remote(BlueZError.notReady, _): .poweredOff
        default: .backend(failure(error))
        }
    }

    /// Any error in the bus's words, with advice for a process that is confined so.
    package static func failure(_ error: DBusError, in confinement: Confinement = .current) -> BackendFailure {
        switch error {
        case .remote(let name, let text):
            return BackendFailure(
                name: name, message: text, advice: advice(name, text, confinement),
                isTransient: isTransient(name, text))
        case .openFailed(let name, let text):
            return BackendFailure(name: name, message: text, advice: openAdvice(name, confinement))
        case .disconnected:
            return BackendFailure(
                name: "org.freedesktop.DBus.Error.Disconnected", message: "the connection to the message bus was lost",
                isTransient: true)
        case .timedOut:
            return BackendFailure(name: ErrorName.noReply, message: "no answer in time", isTransient: true)
        case .cancelled:
            return BackendFailure(name: ErrorName.failed, message: "taken back", isTransient: true)
        case .invalidArgument(let text), .malformed(let text):
            return BackendFailure(name: ErrorName.invalidArgs, message: text)
        case .unexpectedSignature(let expected, let found):
            return BackendFailure(
                name: ErrorName.invalidArgs, message: "a body of type \(found) where \(expected) was expected")
        case .system(let call, let number):
            return BackendFailure(
                name: ErrorName.failed, message: "\(call) failed with errno \(number)",
                advice: number == 24 ? "close some: the process has too many open files" : nil)
        case .outOfMemory:
            return BackendFailure(name: "org.freedesktop.DBus.Error.NoMemory", message: "out of memory")
        }
    }

    /// Whether the system refuses this process, rather than the call.
    package static func isRefusal(_ error: DBusError) -> Bool {
        switch error {
        case .remote(ErrorName.accessDenied, _), .openFailed(ErrorName.accessDenied, _),
            .openFailed("org.freedesktop.DBus.Error.AuthFailed", _):
            true
        default: false
        }
    }

    private static func isTransient(_ name: String, _ text: String) -> Bool {
        switch name {
        case BlueZError.inProgress, ErrorName.limitsExceeded, ErrorName.noReply: return true
        case BlueZError.failed:
            return text.hasPrefix("le-connection-abort") || text.hasSuffix("connection-canceled")
                || text == "le-connection-timeout" || text == "le-connection-busy"
                || text == "le-connection-unknown" || text == "Software caused connection abort"
        default: return false
        }
    }

    private static func advice(_ name: String, _ text: String, _ confinement: Confinement) -> String? {
        switch name {
        case ErrorName.accessDenied: confinement.refusalAdvice(text)
        case ErrorName.unknownObject, ErrorName.unknownMethod:
            "BlueZ has no such object any more: scan for the peripheral or discover its services again"
        case BlueZError.notPermitted where text == "Notify acquired":
            "another program, or another way of this one, has the characteristic to itself; before BlueZ 5.84 so it is "
                + "after a peripheral has refused to notify over a socket, until the device is removed"
        case BlueZError.notPermitted where text.hasSuffix("acquired"):
            "another program, or another way of this one, has the characteristic to itself"
        case BlueZError.inProgress:
            "another operation runs, maybe of another program: try again"
        case BlueZError.notPermitted where text == "Maximum advertisements reached":
            "the controller has no room for another advertisement: stop one"
        case BlueZError.invalidLength,
            BlueZError.failed where text == "Failed to parse advertisement.":
            "the advertisement is longer than the controller takes: leave something out"
        case BlueZError.failed where text == "Failed to create entry in database":
            "BlueZ did not take the service; it refuses 1800, 1801 and flags that its version does not know"
        case BlueZError.failed where text == "le-connection-concurrent-connection-limit":
            "the adapter has no room for another connection: disconnect one"
        // The second text is that of 5.83 and later for either bearer.
        case BlueZError.failed where text == "le-connection-key-missing" || text == "br-connection-key-missing":
            "the peripheral lost its bond: remove the device from this machine and pair again"
        case BlueZError.failed where isOfBREDR(text):
            "BlueZ tried BR/EDR (Bluetooth Classic), which the advertisements of the device do not exclude: set "
                + "ControllerMode = le in /etc/bluetooth/main.conf and restart bluetoothd, or start it with -E (5.80 or "
                + "later), where LE is asked for"
        default: nil
        }
    }

    /// Whether an attempt to connect failed over BR/EDR. BlueZ reports a cancelled attempt in these words over LE, too.
    private static func isOfBREDR(_ text: String) -> Bool {
        text.hasPrefix("br-connection-") && text != "br-connection-canceled"
    }

    private static func openAdvice(_ name: String, _ confinement: Confinement) -> String {
        switch name {
        case "org.freedesktop.DBus.Error.AuthFailed": confinement.userAdvice
        case ErrorName.accessDenied: confinement.sandboxAdvice ?? "the process may not open the bus's socket"
        default:
            confinement.sandboxAdvice
                ?? "check that the system bus runs and its socket can be reached (DBUS_SYSTEM_BUS_ADDRESS)"
        }
    }
}
#endif
