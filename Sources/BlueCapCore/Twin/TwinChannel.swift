// SPDX-License-Identifier: MIT

/// A PSM on which a simulated or scripted peripheral takes connection-oriented channels, and the way in which its
/// firmware treats them.
public struct TwinChannel: Sendable, Hashable {
    /// The treatment of the units of a channel by the firmware.
    public enum Behaviour: String, Sendable, Hashable, Codable {
        /// It keeps them, for a test to look at.
        case keep
        /// It keeps them, and sends each back; it takes the next one when the central has given credits for the last.
        case echo
        /// It takes none, and gives no more credits than the first ones.
        case stall
    }

    /// A rule of channels that the firmware breaks on command.
    public enum Fault: String, Sendable, Hashable, Codable, CaseIterable {
        /// It sends more packets than it has credits for.
        case exceedingCredits
        /// It sends a unit that is longer than the central takes.
        case exceedingLength
        /// It closes the channel after the first packet of a longer unit.
        case closingWithinUnit
    }

    /// The PSM, 1 through 255.
    public var psm: UInt16
    /// The treatment of the units of a channel by the firmware.
    public var behaviour: Behaviour
    /// Whether a central is refused, by ``ChannelRefusal/insufficientEncryption``, while its link is not encrypted.
    public var isEncrypted: Bool
    /// The result code by which every central is refused; nil for none.
    public var refusal: ChannelRefusal?
    /// The maximum number of bytes of a unit that the firmware takes.
    public var maximumReceiveLength: Int
    /// The units that the firmware sends over each channel, in their order. A unit that is empty, or longer than the
    /// central takes, is left out.
    public var units: [TwinUnit]
    /// The number of units from the central after which, and after its own ``units``, the firmware closes the channel;
    /// nil for a firmware that does not.
    public var closesAfter: Int?

    /// Creates a PSM.
    ///
    /// - Parameters:
    ///   - psm: The PSM, 1 through 255.
    ///   - behaviour: The treatment of the units of a channel by the firmware.
    ///   - isEncrypted: Whether a central is refused while its link is not encrypted.
    ///   - refusal: The result code by which every central is refused; nil for none.
    ///   - maximumReceiveLength: The maximum number of bytes of a unit; brought to the nearest of 23 through 65,535.
    ///   - units: The units that the firmware sends over each channel.
    ///   - closesAfter: The number of units from the central after which, and after its own, the firmware closes the
    ///     channel.
    public init(
        psm: UInt16 = 0x80, behaviour: Behaviour = .keep, isEncrypted: Bool = false, refusal: ChannelRefusal? = nil,
        maximumReceiveLength: Int = 2048, units: [TwinUnit] = [], closesAfter: Int? = nil
    ) {
        self.psm = psm
        self.behaviour = behaviour
        self.isEncrypted = isEncrypted
        self.refusal = refusal
        self.maximumReceiveLength = min(max(maximumReceiveLength, 23), 65_535)
        self.units = units
        self.closesAfter = closesAfter
    }
}
