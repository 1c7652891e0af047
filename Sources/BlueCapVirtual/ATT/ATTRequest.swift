// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// A client's request to a server, one at a time on each link (Core Specification, Vol 3, Part F, 3.4).
enum ATTRequest {
    case exchangeMTU(Int)
    /// Read By Group Type, for primary services.
    case readServices(from: UInt16)
    /// Read By Type, for include declarations.
    case readIncludes(from: UInt16, to: UInt16)
    /// Read By Type, for characteristic declarations.
    case readCharacteristics(from: UInt16, to: UInt16)
    case findInformation(from: UInt16, to: UInt16)
    case read(UInt16)
    case readBlob(UInt16, offset: Int)
    case write(UInt16, Bytes)
    case prepareWrite(UInt16, offset: Int, Bytes)
    case executeWrite(commit: Bool)
}

/// A packet from the central's side of a link.
enum Upstream {
    case request(ATTRequest)
    /// Write Command.
    case command(UInt16, Bytes)
    /// Confirms an indication.
    case confirmation
    /// Another timing, from the event that carries it on; the function is called then.
    case parameters(ConnectionParameters, applied: () -> Void)
    /// A packet of a connection-oriented channel.
    indirect case channel(ChannelPacket)
    case terminate
}
