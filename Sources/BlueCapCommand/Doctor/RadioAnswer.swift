// SPDX-License-Identifier: MIT

import BlueCap

/// The library's answer about the radio.
enum RadioAnswer: Sendable, Hashable {
    case isOn
    case isOff
    /// The system does not let this process use Bluetooth.
    case forbidden(String)
    case noDaemon
    case noAdapter(String)
    /// Anything else, in the library's words and with its advice.
    case failed(String, advice: String?)

    /// Asks a manager, for five seconds at most.
    ///
    /// - Throws: `.cancelled`.
    static func of(_ central: CentralManager) async throws(CentralManagerError) -> RadioAnswer {
        do {
            try await central.whenPoweredOn(timeout: .seconds(5))
            return .isOn
        } catch {
            if error == .cancelled { throw error }
            return of(error, central.state)
        }
    }

    /// The answer that an error of that wait means.
    static func of(_ error: CentralManagerError, _ state: ManagerState) -> RadioAnswer {
        switch (error, state) {
        case (_, .poweredOff): .isOff
        case (_, .unauthorized), (.unauthorized, _): .forbidden(error.description)
        case (.backend(let failure), _): of(failure)
        case (.powerOnTimeout, _): .failed("it runs, and has not answered for 5 seconds", advice: nil)
        default: .failed(ToolAdvice.text(for: error), advice: nil)
        }
    }

    /// The answer that a failure of BlueZ's backend means.
    static func of(_ failure: BackendFailure) -> RadioAnswer {
        switch failure.name {
        case "org.freedesktop.DBus.Error.NameHasNoOwner", "org.freedesktop.DBus.Error.ServiceUnknown": .noDaemon
        case "org.bluez.Error.NoSuchAdapter": .noAdapter(failure.message)
        case "org.freedesktop.DBus.Error.AccessDenied": .forbidden(failure.message)
        default: .failed(failure.message, advice: failure.advice)
        }
    }
}
