// SPDX-License-Identifier: MIT

/// What takes a platform's Bluetooth away from a running program for a while.
public enum Outage: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The platform's Bluetooth service is told to end, as an upgrade does, takes everything down in order, and is
    /// started again.
    case restart
    /// The platform's Bluetooth service ends without a word, as in a crash, and is started again.
    case crash
    /// The adapter is unplugged and plugged in again.
    case unplugging

    /// What happens, as the subject of a sentence.
    public var description: String {
        switch self {
        case .restart: "a restart of the platform's service"
        case .crash: "a crash of the platform's service"
        case .unplugging: "an unplugging of the adapter"
        }
    }
}
