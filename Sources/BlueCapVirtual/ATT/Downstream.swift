// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// A packet from the peripheral's side of a link.
enum Downstream {
    case response(ATTResult)
    case notification(UInt16, Bytes)
    case indication(UInt16, Bytes)
    /// The indication of the Service Changed characteristic: the services whose attributes are gone or different.
    case servicesChanged([UInt16])
    case terminate
}
