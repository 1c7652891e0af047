// SPDX-License-Identifier: MIT

public import Foundation

/// The number of an L2CAP channel.
public typealias CBL2CAPPSM = UInt16

/// An L2CAP channel. The stand-in opens none: each attempt ends with an error (section 10 of the rules is an issue of
/// its own).
public final class CBL2CAPChannel: NSObject {
    public let peer: CBPeer!
    public let inputStream: InputStream!
    public let outputStream: OutputStream!
    public let psm: CBL2CAPPSM

    init(peer: CBPeer, inputStream: InputStream, outputStream: OutputStream, psm: CBL2CAPPSM) {
        self.peer = peer
        self.inputStream = inputStream
        self.outputStream = outputStream
        self.psm = psm
    }
}
