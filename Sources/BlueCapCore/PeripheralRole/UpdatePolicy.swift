// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The policy for updates of a characteristic made while no central is subscribed.
public enum UpdatePolicy: Sendable, Hashable {
    /// All are kept, for as long as memory lasts, and sent in order to the first subscriber; also while a central is
    /// subscribed and the transport is busy.
    case all
    /// The newest are kept, at most so many, and sent in order to the first subscriber; the others are counted as
    /// dropped.
    case newest(_ count: Int)
    /// None is kept: a subscriber gets what is updated from then on. Updates made before are counted as dropped.
    case none

    /// The policy of a characteristic that the app has given none: values that are only notified are measurements and
    /// states, of which the one before the last says nothing any more.
    static func standard(for properties: CharacteristicProperties) -> Self {
        let isOnlyNotified = properties.isDisjoint(with: [.read, .indicate, .indicateEncryptionRequired])
        return isOnlyNotified ? .newest(1) : .newest(1024)
    }

    /// How many updates may wait; nil for any number.
    var limit: Int? {
        switch self {
        case .all: nil
        case .newest(let count): max(count, 0)
        case .none: 0
        }
    }
}
