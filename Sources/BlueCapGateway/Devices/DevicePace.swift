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
        var pace = DevicePace(
            // A longest time of the rule alone may be less than the shortest of the plan.
            shortest: rule?.times.shortest ?? min(shortest, rule?.times.longest ?? shortest),
            longest: rule?.times.longest ?? max(longest, rule?.times.shortest ?? .zero))
        // A state holds for as long as its device counts as present.
        if let presence = rule?.times.presence {
            pace.longest = min(pace.longest, presence / 3)
            pace.shortest = min(pace.shortest, pace.longest)
        }
        return pace
    }
}
#endif
