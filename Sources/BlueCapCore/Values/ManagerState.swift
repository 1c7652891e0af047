// SPDX-License-Identifier: MIT

/// What a manager's radio can do at the moment.
///
/// The names are CoreBluetooth's; on BlueZ the state follows the adapter's `Powered` property and the presence of the
/// adapter and of `bluetoothd` itself.
public enum ManagerState: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
    /// The backend has not reported yet.
    case unknown
    /// The system's Bluetooth service cannot be used at the moment, and the backend goes on trying: it restarts, it
    /// does not answer or answers nonsense, its adapter is gone.
    case resetting
    /// There is no Bluetooth LE here: no adapter, no service, or a build without a backend.
    case unsupported
    /// The system refuses this process the use of Bluetooth.
    case unauthorized
    /// There is an adapter and it is switched off.
    case poweredOff
    /// The radio is on, and calls of the manager reach it.
    case poweredOn

    /// The state's name.
    public var description: String { rawValue }
}
