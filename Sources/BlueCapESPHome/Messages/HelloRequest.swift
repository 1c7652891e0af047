// SPDX-License-Identifier: MIT

/// The first message of a client.
package struct HelloRequest: APIMessage {
    package static let number: UInt16 = 1
    package static let fields: [APIField<Self>] = [
        .text(1, \.client), .unsigned(2, \.majorVersion), .unsigned(3, \.minorVersion),
    ]

    package var client: String = ""
    package var majorVersion: UInt32 = 0
    package var minorVersion: UInt32 = 0

    package init() {}
}

/// The answer to the hello.
package struct HelloResponse: APIMessage {
    package static let number: UInt16 = 2
    package static let fields: [APIField<Self>] = [
        .unsigned(1, \.majorVersion), .unsigned(2, \.minorVersion), .text(3, \.server), .text(4, \.name),
    ]

    package var majorVersion: UInt32 = 0
    package var minorVersion: UInt32 = 0
    package var server: String = ""
    /// The name of the node, which the client compares with the one that it expects.
    package var name: String = ""

    package init() {}
}

/// Comes right behind the hello from older clients; passwords are gone.
package struct AuthenticationRequest: APIMessage {
    package static let number: UInt16 = 3

    package init() {}
}

/// Older clients wait for it.
package struct AuthenticationResponse: APIMessage {
    package static let number: UInt16 = 4
    package static let fields: [APIField<Self>] = [.bool(1, \.isInvalid)]

    package var isInvalid: Bool = false

    package init() {}
}

/// A farewell, from either side: it is answered, and then the connection ends.
package struct DisconnectRequest: APIMessage {
    package static let number: UInt16 = 5
    package static let fields: [APIField<Self>] = [.unsigned(1, \.reason)]

    package var reason: UInt32 = 0

    package init() {}
}

/// The last message.
package struct DisconnectResponse: APIMessage {
    package static let number: UInt16 = 6

    package init() {}
}

/// A sign of life, from either side.
package struct PingRequest: APIMessage {
    package static let number: UInt16 = 7

    package init() {}
}

/// The answer to a sign of life.
package struct PingResponse: APIMessage {
    package static let number: UInt16 = 8

    package init() {}
}

/// Another key for the server.
package struct SetKeyRequest: APIMessage {
    package static let number: UInt16 = 124
    package static let fields: [APIField<Self>] = [.bytes(1, \.key)]

    package var key: [UInt8] = []

    package init() {}
}

/// Whether the key was taken.
package struct SetKeyResponse: APIMessage {
    package static let number: UInt16 = 125
    package static let fields: [APIField<Self>] = [.bool(1, \.isSet)]

    package var isSet: Bool = false

    package init() {}
}
