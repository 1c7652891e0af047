// SPDX-License-Identifier: MIT

import BlueCap

/// How a device stands to this program, in the words of a scan.
enum DeviceState: String, Encodable, Sendable, Hashable, CaseIterable {
    /// It was sighted, and no more.
    case found
    /// It was connected before, and is not any more.
    case known
    /// It is paired, and not connected.
    case paired
    case connecting
    case connected
    case disconnecting

    init(_ peripheral: Peripheral) {
        self =
            switch peripheral.state {
            case .connecting: .connecting
            case .connected: .connected
            case .disconnecting: .disconnecting
            case .disconnected where peripheral.isBonded: .paired
            case .disconnected: peripheral.statistics.connectionCount > 0 ? .known : .found
            }
    }
}
