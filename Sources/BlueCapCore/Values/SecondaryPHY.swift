// SPDX-License-Identifier: MIT

/// The modulation in which extended advertising sends its data, on the secondary advertising channels (Core
/// Specification, Vol 6, Part B, 2.3.4.4; Vol 6, Part A, 3).
public enum SecondaryPHY: String, Sendable, Hashable, Codable, CaseIterable {
    /// LE 1M: 1 Mbit/s, which every controller with extended advertising has.
    case le1M = "1M"
    /// LE 2M: 2 Mbit/s, for half the time on the air and a shorter range.
    case le2M = "2M"
    /// LE Coded: 125 or 500 kbit/s, as the controller chooses, for a longer range.
    case coded
}
