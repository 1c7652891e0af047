// SPDX-License-Identifier: MIT

/// The state of a manager's radio.
///
/// The names are CoreBluetooth's; on BlueZ the state follows the adapter's `Powered` property and the presence of the
/// adapter and of `bluetoothd` itself.
public enum ManagerState: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
    /// The backend has not reported yet.
    case unknown
    /// The system's Bluetooth service cannot be used at the moment, and the backend keeps trying.
    ///
    /// The service restarts, does not answer, sends invalid answers, or has lost its adapter.
    case resetting
    /// Bluetooth LE is not available: there is no adapter, no Bluetooth service, or no backend in the build.
    case unsupported
    /// The system refuses this process the use of Bluetooth.
    case unauthorized
    /// The adapter is switched off.
    case poweredOff
    /// The radio is on, and calls of the manager reach it.
    case poweredOn

    /// The state's name.
    public var description: String { rawValue }
}
