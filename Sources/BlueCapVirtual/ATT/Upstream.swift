// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// What the central's side of a link sends.
enum Upstream {
    case request(ATTRequest)
    /// Write Command.
    case command(UInt16, Bytes)
    /// Confirms an indication.
    case confirmation
    case terminate
}
