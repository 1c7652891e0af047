// SPDX-License-Identifier: MIT

/// The packets about connection-oriented channels that belong to no channel.
public struct CapturedChannelCounts: Sendable, Hashable {
    /// The number of packets of signalling whose lengths or numbers are wrong.
    public internal(set) var malformed = 0
    /// The number of frames, credits, answers and endings of channels whose opening the capture does not show, and of
    /// those whose sender is not recorded and could be either end.
    public internal(set) var unexplained = 0
    /// The number of packets of signalling about the enhanced mode of channels, which is not read.
    public internal(set) var enhanced = 0
}
