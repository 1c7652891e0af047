// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The policy for updates of a characteristic made while no central is subscribed.
public enum UpdatePolicy: Sendable, Hashable {
    /// All updates are kept, as far as memory allows, and sent in order to the first subscriber; also while a central
    /// is subscribed and the transport is busy.
    case all
    /// The newest updates are kept, at most the given number, and sent in order to the first subscriber; the other
    /// updates are counted as dropped.
    case newest(_ count: Int)
    /// No update is kept: a subscriber receives the updates made after its subscription.
    ///
    /// Earlier updates are counted as dropped.
    case none

    /// Returns the default policy of a characteristic.
    ///
    /// Values that are notified are measurements and states, of which only the last is of use. Values that are only
    /// indicated are events, each of which a central confirms.
    static func standard(for properties: CharacteristicProperties) -> Self {
        let isNotified = !properties.isDisjoint(with: [.notify, .notifyEncryptionRequired])
        return isNotified ? .newest(1) : .newest(1024)
    }

    /// The number of updates that may wait; nil for any number.
    var limit: Int? {
        switch self {
        case .all: nil
        case .newest(let count): max(count, 0)
        case .none: 0
        }
    }
}
