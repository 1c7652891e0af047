// SPDX-License-Identifier: MIT

/// A kind of object that the stand-in counts, see ``StandIn/liveCount(_:)``.
public enum StandInObject: String, Sendable, Hashable, CaseIterable {
    case managers
    case peripherals
    case services
    case characteristics
    case descriptors
    case centrals
    case channels
    case requests
}
