// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// A far device of a ``ConformanceWorld``, as a test moves it: it plays a ``PeerDescription`` and makes trouble on
/// command.
///
/// Every method returns when the device has done what it was told.
public protocol ConformancePeer: Sendable {
    /// Makes the device what `description` says, without advertising. Called before anything else; calling it again
    /// makes another device of it, at another address unless the description has one.
    ///
    /// - Returns: The identifier under which the world's centrals see it.
    func configure(_ description: PeerDescription) async throws -> PeerIdentifier

    /// Starts or stops to advertise. Advertising pauses while a central is connected and resumes by itself after.
    func advertise(_ isOn: Bool) async throws

    /// Replaces what is advertised, at once if it is advertising.
    func updateAdvertisement(_ advertisement: PeerAdvertisement) async throws

    /// The signal strength with which centrals hear the device from now on, in dBm (within the world's own noise).
    func setRSSI(_ rssi: Int) async throws

    /// Replaces the value of an attribute without telling anyone.
    func setValue(_ value: Bytes, of attribute: PeerAttribute) async throws

    /// The value that an attribute has now.
    func value(of attribute: PeerAttribute) async throws -> Bytes

    /// Every write that an attribute has taken, oldest first.
    func writes(to attribute: PeerAttribute) async throws -> [PeerWrite]

    /// Answers an access with an ATT error from now on; nil answers it normally again.
    func setError(_ error: ATTError?, of attribute: PeerAttribute, on access: PeerAccess) async throws

    /// Leaves requests for an access unanswered until ``release(_:on:)``.
    func hold(_ attribute: PeerAttribute, on access: PeerAccess) async throws

    /// Answers the requests that are held now, as the attribute is now, and goes on to hold those that come after.
    func answerHeld(_ attribute: PeerAttribute, on access: PeerAccess) async throws

    /// Answers the requests that are held, and those that come after.
    func release(_ attribute: PeerAttribute, on access: PeerAccess) async throws

    /// Returns as soon as a condition holds; at once if it does already.
    func wait(until condition: PeerCondition) async throws

    /// Notifies values in order to whoever is subscribed.
    func notify(_ attribute: PeerAttribute, _ values: [Bytes]) async throws

    /// Notifies `count` values of `size` bytes (4 at least) in a row: each begins with its number from zero, as a
    /// 32-bit little-endian integer, the rest is zero.
    func notifyMany(_ attribute: PeerAttribute, count: Int, size: Int) async throws

    /// Indicates values, each after the one before was confirmed.
    ///
    /// - Returns: How many were confirmed.
    func indicate(_ attribute: PeerAttribute, _ values: [Bytes]) async throws -> Int

    /// Notifies a value inside each subscription from now on, before the subscription itself is answered; nil ends
    /// that.
    func notifyOnSubscribe(_ attribute: PeerAttribute, _ value: Bytes?) async throws

    /// How often notifications or indications of an attribute were switched on since the device was configured, and
    /// whether they are on.
    func subscriptions(to attribute: PeerAttribute) async throws -> PeerSubscriptions

    /// Ends its connections from its side.
    func disconnect() async throws

    /// Goes out of range: nothing is heard of it, links are lost by supervision timeout.
    func vanish() async throws

    /// Leaves links up but sends nothing more over them, no answers either, and does not advertise.
    func mute() async throws

    /// Ends ``vanish()`` and ``mute()``.
    func comeBack() async throws

    /// Whether attempts to connect fail from now on, although it advertises.
    func refuseConnections(_ refuses: Bool) async throws

    /// How many connections it has and had.
    func connections() async throws -> PeerConnections

    /// Replaces the GATT database and tells connected centrals so (Service Changed).
    func changeServices(_ services: [PeerService]) async throws
}
