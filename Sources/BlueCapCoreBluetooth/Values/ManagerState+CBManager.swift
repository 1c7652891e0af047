// SPDX-License-Identifier: MIT

#if canImport(CoreBluetooth)
import BlueCapCore
import CoreBluetooth

extension ManagerState {
    /// Creates the state of one of CoreBluetooth's managers.
    ///
    /// M3: `.unauthorized` with a question to the user that is still open is reported as `.unknown`, because Core ends
    /// every wait for the radio at `.unauthorized`.
    init(_ state: CBManagerState) {
        switch state {
        case .resetting: self = .resetting
        case .unsupported: self = .unsupported
        case .unauthorized: self = CBManager.authorization == .notDetermined ? .unknown : .unauthorized
        case .poweredOff: self = .poweredOff
        case .poweredOn: self = .poweredOn
        default: self = .unknown
        }
    }

    /// Whether the objects of peripherals are void in this state, and the local database is empty (M5, M6).
    var endsObjects: Bool { self != .poweredOn && self != .poweredOff }

    /// The reason for a state in which there is no radio for this program.
    var failure: BackendFailure? {
        switch self {
        case .unsupported:
            BackendFailure(
                name: "CBManagerState.unsupported", message: "this device has no Bluetooth LE for apps",
                advice: "use a device with Bluetooth LE; a simulator has none")
        case .unauthorized:
            BackendFailure(
                name: CBManager.authorization == .restricted
                    ? "CBManagerAuthorization.restricted" : "CBManagerAuthorization.denied",
                message: "the user or a policy refuses this program the use of Bluetooth",
                advice: "allow it in the system's settings, under Privacy and Security, Bluetooth; a program in a "
                    + "terminal uses the terminal's permission")
        case .unknown, .resetting, .poweredOff, .poweredOn: nil
        }
    }
}
#endif
