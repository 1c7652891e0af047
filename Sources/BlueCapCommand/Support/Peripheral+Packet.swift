// SPDX-License-Identifier: MIT

import BlueCap

extension Peripheral {
    /// Makes sure that a value fits in one packet.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` and what to add.
    func requirePacket(for value: Bytes) throws(CommandFailure) {
        let packet = maximumWriteLength(for: .withoutResponse)
        if value.count <= packet { return }
        throw CommandFailure(
            .usage,
            "the value has \(TextLayout.count(value.count, "byte")), and a packet to \(label) carries \(packet): add "
                + "--long to write it in parts")
    }
}
