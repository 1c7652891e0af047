// SPDX-License-Identifier: MIT

/// Counts the occasions on which CoreBluetooth did not do as it is documented, or a peer sent unusable data, and a
/// backend went on without it.
public struct CoreBluetoothStatistics: Sendable, Hashable {
    /// The cancelled attempts and connections that CoreBluetooth did not answer within two seconds.
    public var unansweredCancels = 0
    /// The values that were written without a response before CoreBluetooth had once said on their connection that it
    /// was ready.
    public var forcedCommands = 0
    /// The values without a response that failed because CoreBluetooth had no room for three seconds.
    public var refusedCommands = 0
    /// The callbacks that answered no request, or came for an object that is not known.
    public var strayCallbacks = 0
    /// The attributes that were left out, because their UUID was not usable or their number was too large.
    public var droppedAttributes = 0

    /// Creates counters that are zero.
    public init() {}
}
