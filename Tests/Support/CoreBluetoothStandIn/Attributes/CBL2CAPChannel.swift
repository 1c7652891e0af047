// SPDX-License-Identifier: MIT

public import Foundation

/// The number of an L2CAP channel.
public typealias CBL2CAPPSM = UInt16

/// An L2CAP channel. One that the program releases is closed (L3).
public final class CBL2CAPChannel: NSObject {
    public let peer: CBPeer!
    public let inputStream: InputStream!
    public let outputStream: OutputStream!
    public let psm: CBL2CAPPSM
    private let pipe: ChannelPipe?
    private let count: ObjectCount?

    init(peer: CBPeer, pipe: ChannelPipe) {
        let host = pipe.host
        self.peer = peer
        self.pipe = pipe
        psm = host.settings.psmOfChannels ?? pipe.psm
        count = ObjectCount(.channels, in: host.counts)
        let hasStreams = !host.has(.opensWithoutStreams)
        let (input, output) = (PipedInputStream(pipe), PipedOutputStream(pipe))
        pipe.attach(input, output)
        inputStream = hasStreams ? input : nil
        outputStream = hasStreams ? output : nil
    }

    /// A channel that no radio has, for callbacks that no documentation allows.
    init(peer: CBPeer?, inputStream: InputStream?, outputStream: OutputStream?, psm: CBL2CAPPSM) {
        self.peer = peer
        self.inputStream = inputStream
        self.outputStream = outputStream
        self.psm = psm
        (pipe, count) = (nil, nil)
    }

    deinit { pipe?.close() }
}
