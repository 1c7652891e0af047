// SPDX-License-Identifier: MIT

/// An event that takes a platform's Bluetooth away from a running program for a while.
public enum Outage: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The platform's Bluetooth service ends in order, as an upgrade ends it, removes everything, and starts again.
    case restart
    /// The platform's Bluetooth service ends abruptly, as in a crash, and starts again.
    case crash
    /// The adapter is unplugged and plugged in again.
    case unplugging

    /// The event, as the subject of a sentence.
    public var description: String {
        switch self {
        case .restart: "a restart of the platform's service"
        case .crash: "a crash of the platform's service"
        case .unplugging: "an unplugging of the adapter"
        }
    }
}
