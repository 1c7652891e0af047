// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// A far device of a ``ConformanceWorld`` that takes connection-oriented channels, which a test controls.
///
/// A world whose devices do not, or whose managers have no channels, has the limit
/// ``WorldLimit/Subject-swift.enum/channels``.
public protocol ChannelPeer: ConformancePeer {
    /// Takes channels on a PSM from now on. Channels that are open stay.
    ///
    /// - Throws: An error if the device is not configured or cannot be reached.
    func publish(_ channel: TwinChannel) async throws

    /// Returns the units that arrived over channels on a PSM, oldest first.
    ///
    /// - Throws: An error if the device is not configured or cannot be reached.
    func channelUnits(psm: UInt16) async throws -> [Bytes]

    /// Returns as soon as this many channels are open on a PSM; at once if they are already.
    ///
    /// - Parameters:
    ///   - count: The number of channels.
    ///   - psm: The PSM to which they were opened.
    /// - Throws: An error if the device is not configured or cannot be reached; `CancellationError`.
    func wait(forChannels count: Int, psm: UInt16) async throws

    /// Sends units to the channels that are open on a PSM, as the central gives credits; returns before they have gone
    /// out.
    ///
    /// - Parameters:
    ///   - units: The units in their order.
    ///   - psm: The PSM to which the channels were opened.
    /// - Throws: An error if the device is not configured or cannot be reached.
    func sendUnits(_ units: [Bytes], psm: UInt16) async throws

    /// Closes the channels that are open on a PSM.
    ///
    /// - Throws: An error if the device is not configured or cannot be reached.
    func closeChannels(psm: UInt16) async throws

    /// Breaks a rule on the channels that are open on a PSM.
    ///
    /// - Parameters:
    ///   - fault: The rule.
    ///   - psm: The PSM to which the channels were opened.
    /// - Throws: An error if the device is not configured or cannot be reached.
    func misbehave(_ fault: TwinChannel.Fault, psm: UInt16) async throws
}
