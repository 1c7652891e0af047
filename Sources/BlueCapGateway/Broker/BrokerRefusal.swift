// SPDX-License-Identifier: MIT

#if Gateway
/// The reason for which a broker refuses a connection, by its number: up to 5 by MQTT 3.1.1 (3.2.2.3), from 128 on by
/// MQTT 5.0 (3.2.2.2, 3.14.2.1).
package struct BrokerRefusal: Hashable, Sendable, CustomStringConvertible {
    package let code: Int32

    /// Whether the broker does not know the version of the protocol.
    var isOfVersion: Bool { code == 1 || code == 0x84 }

    /// Whether another client has come by the name of this one.
    var isOfNamesake: Bool { code == 0x8E }

    package var description: String {
        switch code {
        case 1, 0x84: "it does not speak this version of MQTT"
        case 2, 0x85: "it does not accept the name of this client"
        case 3, 0x88, 0x89: "it is not available"
        case 4, 0x86: "it does not accept the user or the password"
        case 5, 0x87: "this client is not authorized"
        case 0x8A: "this client is banned"
        case 0x8E: "another client has its name; give one of two gateways another --name"
        case 0x90: "it does not accept the topic of the will"
        case 0x97: "a quota is exceeded"
        case 0x9F: "there are too many connections"
        default: "its reason is \(code)"
        }
    }
}

/// The reason why a broker cannot be used as it was asked for.
package enum BrokerFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A setting is not taken; the library's words.
    case setup(String)
    /// A gateway has ended without a connection to it.
    case unreached(BrokerAddress)

    package var description: String {
        switch self {
        case .setup(let reason): reason
        case .unreached(let address): "\(address) was not reached"
        }
    }
}
#endif
