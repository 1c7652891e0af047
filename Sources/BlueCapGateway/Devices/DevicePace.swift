// SPDX-License-Identifier: MIT

#if Gateway
/// The shortest and the longest time between two states of a device.
struct DevicePace: Hashable {
    var shortest: Duration
    var longest: Duration

    /// How long a state holds at least.
    var expiry: Duration { max(longest * 3, .seconds(30)) }

    /// The pace of a device, whose rule may have times of its own.
    func adapted(to rule: GatewayRule?) -> DevicePace {
        DevicePace(
            // A longest time of the rule alone may be less than the shortest of the plan.
            shortest: rule?.shortestInterval ?? min(shortest, rule?.longestInterval ?? shortest),
            longest: rule?.longestInterval ?? max(longest, rule?.shortestInterval ?? .zero))
    }
}
#endif
