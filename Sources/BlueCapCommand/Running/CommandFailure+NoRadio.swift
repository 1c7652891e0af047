// SPDX-License-Identifier: MIT

import BlueCap

extension CommandFailure {
    /// The failure of a command that needs a radio and has none: ``ToolStatus/noRadio`` or
    /// ``ToolStatus/notAuthorized``, with advice.
    ///
    /// - Parameters:
    ///   - error: The error of the wait for the radio.
    ///   - isTimeout: Whether it did not come on in time.
    ///   - state: The state in which the radio is.
    init(noRadio error: some BlueCapError, isTimeout: Bool, _ state: ManagerState) {
        switch (isTimeout, state) {
        case (true, .poweredOff):
            self.init(.noRadio, "Bluetooth is off: switch it on ('bluetoothctl power on')")
        case (true, _):
            self.init(
                .noRadio,
                "no Bluetooth adapter was ready within 5 s (state: \(state)): plug one in, or start bluetoothd"
                    + Diagnosis.hint)
        case (false, _):
            let isRefused = ToolStatus.status(for: error) == .notAuthorized
            // A radio that another program shares is no matter of this machine's.
            let isShared =
                if case .backend(let failure) = error.reason { failure.name.hasPrefix("SharedRadio.") } else { false }
            let hint = isShared ? "" : Diagnosis.hint
            self.init(isRefused ? .notAuthorized : .noRadio, ToolAdvice.text(for: error) + hint)
        }
    }
}
