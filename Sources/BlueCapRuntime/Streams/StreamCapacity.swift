// SPDX-License-Identifier: MIT

/// The number of elements that a stream keeps for a consumer that is slower than the radio, and the choice of those to
/// drop.
///
/// A radio cannot be paused, so elements have to be dropped. They are counted: see `droppedCount` of the sequence,
/// where it has one, and of the object that made it.
public enum StreamCapacity: Sendable, Hashable {
    /// Keeps the newest `count` elements and drops the oldest. A count below 1 is taken as 1.
    case newest(_ count: Int)
    /// Keeps the oldest `count` elements and drops later ones. A count below 1 is taken as 1.
    case oldest(_ count: Int)
    /// Keeps all, for as long as memory lasts. Choose it only for a consumer that is known to keep up in the end.
    case unbounded
}
