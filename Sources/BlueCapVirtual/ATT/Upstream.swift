// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// A packet from the central's side of a link.
enum Upstream {
    case request(ATTRequest)
    /// Write Command.
    case command(UInt16, Bytes)
    /// Confirms an indication.
    case confirmation
    case terminate
}
