// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// A PSM on which a virtual peripheral takes connection-oriented channels, and the way in which its
/// firmware treats them.
///
/// ```swift
/// strap.publish(VirtualChannel(psm: 0x80, behaviour: .echo))
/// ```
public struct VirtualChannel: Sendable, Hashable {
    /// The treatment of the units of a channel by the firmware.
    public enum Behaviour: Sendable, Hashable {
        /// It keeps them: ``VirtualPeripheral/channelUnits(psm:)``.
        case keep
        /// It keeps them, and sends each back.
        case echo
        /// It takes none, and gives no more credits than the first eight.
        case stall
    }

    /// The PSM, 1 through 255.
    public var psm: UInt16
    /// The treatment of the units of a channel by the firmware.
    public var behaviour: Behaviour
    /// Whether a central is refused while its link is not encrypted.
    public var isEncrypted: Bool
    /// The result code by which every central is refused; nil for none.
    public var refusal: ChannelRefusal?
    /// The maximum number of bytes of a unit that the firmware takes.
    public var maximumReceiveLength: Int

    /// Creates a PSM.
    ///
    /// - Parameters:
    ///   - psm: The PSM, 1 through 255.
    ///   - behaviour: The treatment of the units of a channel by the firmware.
    ///   - isEncrypted: Whether a central is refused while its link is not encrypted.
    ///   - refusal: The result code by which every central is refused; nil for none.
    ///   - maximumReceiveLength: The maximum number of bytes of a unit; brought to the nearest of 23 through 65,535.
    public init(
        psm: UInt16, behaviour: Behaviour = .keep, isEncrypted: Bool = false, refusal: ChannelRefusal? = nil,
        maximumReceiveLength: Int = 2048
    ) {
        self.psm = psm
        self.behaviour = behaviour
        self.isEncrypted = isEncrypted
        self.refusal = refusal
        self.maximumReceiveLength = min(max(maximumReceiveLength, 23), 65_535)
    }
}

/// A rule of channels that a virtual peripheral breaks on command.
public enum VirtualChannelFault: String, Sendable, Hashable, CaseIterable {
    /// It sends more packets than it has credits for.
    case exceedingCredits
    /// It sends a unit that is longer than the central takes.
    case exceedingLength
    /// It closes the channel after the first packet of a longer unit.
    case closingWithinUnit
}

extension VirtualPeripheral {
    /// Takes channels on a PSM from now on, instead of as before; channels that are open keep their behaviour.
    public func publish(_ channel: VirtualChannel) { act { $0.withChannels { $0.publish(channel) } } }

    /// Takes no more channels on a PSM. Those that are open stay.
    public func withdrawChannel(psm: UInt16) { act { $0.withChannels { $0.withdraw(psm) } } }

    /// Returns the units that arrived over channels on a PSM, oldest first.
    public func channelUnits(psm: UInt16) -> [Bytes] { facts.withLock { $0.channelUnits[psm] ?? [] } }

    /// Returns the number of channels on a PSM that are open.
    public func channelCount(psm: UInt16) -> Int { facts.withLock { $0.channelCounts[psm] ?? 0 } }

    /// Sends units to the channels that are open on a PSM, as far as the central gives credits.
    ///
    /// - Parameters:
    ///   - units: The units in their order; an empty one, and one that is longer than the central takes, is left out.
    ///   - psm: The PSM.
    public func sendUnits(_ units: [Bytes], psm: UInt16) { act { $0.withChannels { $0.send(units, psm) } } }

    /// Closes the channels that are open on a PSM.
    public func closeChannels(psm: UInt16) { act { $0.withChannels { $0.close(psm) } } }

    /// Breaks a rule on the channels that are open on a PSM.
    ///
    /// - Parameters:
    ///   - fault: The rule.
    ///   - psm: The PSM.
    public func misbehave(_ fault: VirtualChannelFault, psm: UInt16) {
        act { $0.withChannels { $0.misbehave(fault, psm) } }
    }
}
