// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

extension VirtualPeripheral {
    /// Takes channels on a PSM from now on, instead of as before; channels that are open keep their behaviour.
    ///
    /// ```swift
    /// strap.publish(TwinChannel(psm: 0x80, behaviour: .echo))
    /// ```
    public func publish(_ channel: TwinChannel) { act { $0.withChannels { $0.publish(channel) } } }

    /// Takes no more channels on a PSM. Those that are open stay.
    public func withdrawChannel(psm: UInt16) { act { $0.withChannels { $0.withdraw(psm) } } }

    /// Returns the newest 10,000 units that arrived over channels on a PSM, oldest first.
    public func channelUnits(psm: UInt16) -> [Bytes] { facts.withLock { $0.units(on: psm) } }

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
    public func misbehave(_ fault: TwinChannel.Fault, psm: UInt16) {
        act { $0.withChannels { $0.misbehave(fault, psm) } }
    }
}
