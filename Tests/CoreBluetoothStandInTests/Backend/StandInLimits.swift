// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapTesting

/// The parts of the suite that CoreBluetooth makes impossible, each with its rule's number.
enum StandInLimits {
    /// The limits of both roles.
    static let all: [WorldLimit] = [
        WorldLimit(.advertisingField("appearance"), reason: "B5: a discovery has eight keys"),
        WorldLimit(.advertisingField("flags"), reason: "B5: a discovery has eight keys"),
        WorldLimit(.unitBoundaries, reason: "L6: a stream knows no units"),
        WorldLimit(.channelRefusal, reason: "L7: the result of a refusal is not told"),
        WorldLimit(.channelFault, reason: "L7: an error of a stream names no rule"),
        WorldLimit(.passiveScan, reason: "B1: no option of a scan makes it passive", error: .unsupported),
        WorldLimit(
            .everyPacket, reason: "B1: no option of a scan has the system report each packet", error: .unsupported),
        WorldLimit(
            .connectionParameters, reason: "C10: no call sets the parameters of a connection", error: .unsupported),
        WorldLimit(
            .centralDisconnection, reason: "J5: no call ends the link of a central", error: .unsupported),
        WorldLimit(
            .advertising(.secondaryPHY), reason: "H1: the app does not choose how an advertisement is sent",
            error: .unsupported),
        WorldLimit(.linkSecurity, reason: "I7: a central has no security"),
        WorldLimit(.preparedWrites, reason: "I2: a long write comes when it is executed"),
        WorldLimit(.abandonedWork, reason: "I5: nothing says that a central left before the answer"),
    ]

    /// The behaviours that consist of something impossible, by the rule.
    static let impossible: [String: [String]] = [
        // An attempt to connect that a peer refuses goes on.
        "C1": [
            "a connection that the peer refuses throws, and is made once it does not",
            "a reconnect policy gives up on a peripheral that is there and refuses",
        ],
        // A service that is added again has the handles that the system chooses.
        "D6": ["restored services stand where they stood, and are advertised again"],
        // While a characteristic notifies, the value of a read is passed to the subscribers as well.
        "E1": ["a read does not look like a notification"],
        // The system pairs by itself.
        "F1": [
            "a PSM that wants encryption refuses a link without",
            "an encrypted channel pairs first",
            "a channel is not opened in the clear where the peer does not pair",
            "a read that needs encryption has the app asked, and is answered when it agrees to pair",
            "a write that needs encryption has the app asked, and is done when it agrees to pair",
            "a read that needs encryption fails when the app refuses to pair",
            "a read that needs encryption fails when the request to pair is released unanswered",
            "after a refusal to pair the peer can be connected to again, and pairs",
            "a central that pairs is bonded without being asked about Just Works",
            "two sides that can compare digits pair when the app says that they are the same",
            "two sides that can compare digits do not pair when the app says that they differ",
            "pairing that is taken back throws, and its request is over",
            "taking a pairing back when none is under way keeps the bond and the connection",
            "pairing with a peer that refuses throws, and leaves no bond",
            "a call to pair is the consent to Just Works, without a stream of requests",
            "a bond that is removed ends the connection and is forgotten",
            "a central pairs when the app accepts, and reads a value that needs encryption",
            "a central that the app refuses to pair with does not pair",
            "a central that paired by Just Works is refused what needs authentication",
            "a bonded central that comes back and subscribes again gets notifications",
            "a bonded central that comes back and subscribes again gets indications",
            "of two managers each is asked about its own side",
            "a request tells the security of its link, before and after pairing",
        ],
        // Only the local name and service UUIDs are sent.
        "H1": [
            "a central hears manufacturer data", "a central hears service data", "a central hears an appearance",
            "a central hears a service that is sought", "a central hears that a transmit power is told",
            "a central hears a structure of any other type", "an advertisement is changed while it is on the air",
            "an advertisement that does not fit is refused with the bytes that are too many",
            "an advertisement that is not discoverable does not say that it is in the flags",
            "an advertisement with an interval of a second is heard that seldom",
            "an advertisement with an interval of 25 ms is heard that often",
            "an interval that is changed on the air, to longer, shorter and none, is the one that is heard",
            "what the scan response is to say is heard in it, beside the name, or refused",
            "a transmit power is asked for, or refused",
        ],
        // One advertisement at a time.
        "H3": ["several advertisements are on the air at once"],
        // An advertisement is connectable.
        "H7": [
            "an advertisement that nobody can connect to is heard with its bytes",
            "a broadcast does not say that it is in the flags",
        ],
        // The platform does not report whether a peripheral is there. An attempt of a bounded policy that only waited
        // counts as one that failed, and the peripheral is given up while it is away.
        "N4": [
            "a reconnect policy has a peripheral that was away for long back within two seconds",
            "a reconnect policy gives up a peripheral that is away for longer than it may be",
        ],
    ]

    /// The parts of the suite that are not claimed, because the system pairs by itself (F1). Behaviours of them that it
    /// has are shown all the same.
    static let unclaimed: [ConformancePart] = [.pairing, .pairingWithCentrals]

    /// The number of limits of the parts that are claimed: of the features, and of the behaviours that are left out.
    static var claimedCount: Int {
        let others = Set(unclaimed.flatMap(\.behaviours).map(\.name))
        return all.count + names.subtracting(others).count
    }

    private static let names = Set(impossible.values.joined())

    /// The behaviours that CoreBluetooth has.
    static func possible(_ behaviours: [Behaviour]) -> [Behaviour] { behaviours.filter { !names.contains($0.name) } }
}
