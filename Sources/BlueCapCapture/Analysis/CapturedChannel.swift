// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// A connection-oriented channel of L2CAP that a capture shows, from the request for it on.
///
/// It belongs to the device that was asked for it; the other end of the link is the peer.
public struct CapturedChannel: Sendable, Hashable {
    /// The terms of one end and the traffic that left it.
    public struct End: Sendable, Hashable {
        /// The number of the end (Core Specification, Vol 3, Part A, 2.1); 0 for a device that refused.
        public var number: UInt16 = 0
        /// The maximum number of bytes of a unit that the end takes; 0 for a device that refused.
        public var maximumUnitLength = 0
        /// The maximum number of bytes of a frame that the end takes; 0 for a device that refused.
        public var maximumFrameLength = 0
        /// The number of frames that the end took at first.
        public var initialCredits = 0
        /// The number of frames for which the end gave credits later.
        public var addedCredits = 0
        /// The number of frames that the end sent.
        public var frameCount = 0
        /// The number of units that the end sent, as far as they are whole.
        public var unitCount = 0
        /// The number of bytes in those units.
        public var byteCount = 0
    }

    /// A unit that passed over the channel.
    public struct Unit: Sendable, Hashable {
        /// The time at which its last frame was captured; nil where the file does not say.
        public var time: Timestamp?
        /// A Boolean value that is true if the device sent it, and false if the peer did.
        public var isFromDevice: Bool
        /// The unit in bytes.
        public var value: Bytes
    }

    /// The way in which a channel ended, or was not opened.
    public enum Outcome: Sendable, Hashable {
        /// The device refused the channel.
        case refused(ChannelRefusal)
        /// The device closed the channel.
        case closedByDevice
        /// The peer closed the channel.
        case closedByPeer
        /// The link ended.
        case linkEnded
    }

    /// The time of the request for the channel; nil where the file does not say.
    public var time: Timestamp?
    /// The PSM to which the channel was opened.
    public var psm: UInt16
    /// A Boolean value that is true if the link was encrypted when the peer asked for the channel.
    public var isEncrypted: Bool
    /// A Boolean value that is true if the device accepted the channel.
    public var isAccepted = false
    /// The device's end.
    public var device = End()
    /// The peer's end.
    public var peer: End
    /// The units in their order, those of both ends.
    public var units: [Unit] = []
    /// The way in which the channel ended; nil if the capture does not show it.
    public var outcome: Outcome?
    /// The number of packets that break a rule of the channel: frames without a credit, frames and units that are too
    /// long or have no length, and credits beyond 65,535. Behind a wrong length no more units of that end are found.
    public var malformedCount = 0
}

extension CapturedChannel {
    /// Takes an event of the channel.
    ///
    /// - Returns: The unit that it completes.
    mutating func take(_ event: ChannelConversation.Event.Kind, time: Timestamp?) -> Unit? {
        switch event {
        case .asked: break
        case .accepted(let terms): (isAccepted, device) = (true, End(terms))
        case .credits(let isFromDevice, let count):
            if isFromDevice { device.addedCredits += count } else { peer.addedCredits += count }
        case .ended(let outcome): self.outcome = self.outcome ?? outcome
        case .malformed: malformedCount += 1
        case .frame(let isFromDevice, let value):
            if isFromDevice { device.count(value) } else { peer.count(value) }
            guard let value else { break }
            let unit = Unit(time: time, isFromDevice: isFromDevice, value: value)
            units.append(unit)
            return unit
        }
        return nil
    }
}

extension CapturedChannel.End {
    init(_ terms: ChannelSignal.Terms) {
        self.init(
            number: terms.number, maximumUnitLength: Int(terms.maximumUnitLength),
            maximumFrameLength: Int(terms.maximumFrameLength), initialCredits: Int(terms.credits))
    }

    /// Counts a frame, and the unit that it completes.
    fileprivate mutating func count(_ unit: Bytes?) {
        frameCount += 1
        guard let unit else { return }
        unitCount += 1
        byteCount += unit.count
    }
}
