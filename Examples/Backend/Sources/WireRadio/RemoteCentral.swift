// SPDX-License-Identifier: MIT

import BlueCapCore

/// The peripheral backend's record of a central at the other end of a wire.
struct RemoteCentral {
    let wire: Wire
    /// The number of the central's wire: a central that comes back has another one.
    let wireNumber: UInt64
    /// The bytes of its wire, up to the next message.
    var reader = LineReader()
    /// The number of the link that stands.
    var link: UInt64?
    /// The characteristics that it is subscribed to.
    var subscriptions: Set<AttributeID> = []
}
