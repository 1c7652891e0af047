// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture

extension RadioOptions {
    /// A source that listens to bluetoothd.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/noRadio`` in a build without BlueZ.
    func listener() throws(CommandFailure) -> any PassiveSource {
        #if os(Linux) && BlueZ
        return BlueZSource(BlueZListener(adapter: selection))
        #else
        throw CommandFailure(.noRadio, "--passive listens to bluetoothd, and this program was built without BlueZ")
        #endif
    }
}

#if os(Linux) && BlueZ
/// A source of the values that bluetoothd announces.
struct BlueZSource: PassiveSource {
    private let listener: BlueZListener

    init(_ listener: BlueZListener) { self.listener = listener }

    func listen(to device: String, _ body: @Sendable (PassiveValue) -> Void) async {
        for await value in await listener.values(of: device) {
            body(
                PassiveValue(
                    characteristic: value.characteristic, value: value.value, isNotification: value.isNotification))
        }
    }

    func twin(of device: String) async throws -> Twin? {
        var twin = try await listener.peer(device)
        twin?.recorded = .now
        return twin
    }
}
#endif
