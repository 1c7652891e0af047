// SPDX-License-Identifier: MIT

import BlueCapCore

extension ManagerState {
    /// Why a virtual adapter is in a state that needs an explanation.
    var failure: BackendFailure? {
        switch self {
        case .unsupported:
            BackendFailure(name: "VirtualRadio.Unsupported", message: "the virtual adapter has no Bluetooth LE")
        case .unauthorized:
            BackendFailure(
                name: "VirtualRadio.Unauthorized", message: "the virtual adapter refuses this process its use")
        default: nil
        }
    }
}
