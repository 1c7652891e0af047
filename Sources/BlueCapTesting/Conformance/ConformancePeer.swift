// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// A far device of a ``ConformanceWorld``, which a test controls: it plays a `Twin` and misbehaves on command.
///
/// ```swift
/// let peer = try await world.peer(0)
/// let identifier = try await peer.configure(Twin(name: "Lamp"))
/// try await peer.advertise(true)
/// ```
///
/// Every method returns when the device has carried the command out. It throws if the device is not configured, if it
/// has no such attribute, or if the world cannot reach the device; the error is the world's own.
public protocol ConformancePeer: Sendable {
    /// Gives the device the properties of a twin, without advertising. A test calls it before anything else; calling it
    /// again makes another device of it, at another address unless the twin has one.
    ///
    /// Of the twin a world needs to support the address, the name (Generic Access, Device Name), the advertisement, the
    /// MTU and the services without their handles. A nil address is replaced by one that was never used before, and a
    /// nil MTU or interval by the world's own (100 ms or less). A twin without an advertisement advertises its name and
    /// nothing else. An advertisement without flags is sent as general discoverable without BR/EDR. Generic Access and
    /// Generic Attribute come by themselves and are not counted.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - pairing: The behaviour when a central pairs.
    /// - Returns: The identifier under which the world's centrals see it.
    /// - Throws: An error of the world if it cannot play the device.
    func configure(_ device: Twin, pairing: PeerPairing) async throws -> PeerIdentifier

    /// Starts or stops to advertise. Advertising pauses while a central is connected and resumes by itself after that.
    ///
    /// - Throws: An error if the device is not configured or cannot be reached.
    func advertise(_ isOn: Bool) async throws

    /// Replaces the advertisement, at once if the device is advertising.
    ///
    /// - Throws: An error if the device is not configured or cannot be reached.
    func updateAdvertisement(_ advertisement: TwinAdvertisement) async throws

    /// Changes the signal strength with which centrals receive the device from now on, in dBm (within the world's own
    /// noise).
    ///
    /// - Throws: An error if the device is not configured or cannot be reached.
    func setRSSI(_ rssi: Int) async throws

    /// Replaces the value of an attribute without a notification or indication.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - attribute: The attribute that has it.
    /// - Throws: An error if the device is not configured, has no such attribute or cannot be reached.
    func setValue(_ value: Bytes, of attribute: PeerAttribute) async throws

    /// Returns the value that an attribute has now.
    ///
    /// - Throws: An error if the device is not configured, has no such attribute or cannot be reached.
    func value(of attribute: PeerAttribute) async throws -> Bytes

    /// Returns every write that an attribute has accepted, oldest first.
    ///
    /// - Throws: An error if the device is not configured, has no such attribute or cannot be reached.
    func writes(to attribute: PeerAttribute) async throws -> [PeerWrite]

    /// Answers an access with an ATT error from now on.
    ///
    /// - Parameters:
    ///   - error: The error; nil restores the normal answers.
    ///   - attribute: The attribute that is accessed.
    ///   - access: The kind of access that fails.
    /// - Throws: An error if the device is not configured, has no such attribute or cannot be reached.
    func setError(_ error: ATTError?, of attribute: PeerAttribute, on access: PeerAccess) async throws

    /// Leaves requests for an access unanswered until ``release(_:on:)``.
    ///
    /// - Parameters:
    ///   - attribute: The attribute that is accessed.
    ///   - access: The kind of access to hold.
    /// - Throws: An error if the device is not configured, has no such attribute or cannot be reached.
    func hold(_ attribute: PeerAttribute, on access: PeerAccess) async throws

    /// Answers the requests that are held now, from the present state of the attribute, and continues to hold later
    /// ones.
    ///
    /// - Parameters:
    ///   - attribute: The attribute that is accessed.
    ///   - access: The kind of access that is held.
    /// - Throws: An error if the device is not configured, has no such attribute or cannot be reached.
    func answerHeld(_ attribute: PeerAttribute, on access: PeerAccess) async throws

    /// Answers the requests that are held, and stops holding.
    ///
    /// - Parameters:
    ///   - attribute: The attribute that is accessed.
    ///   - access: The kind of access that is held.
    /// - Throws: An error if the device is not configured, has no such attribute or cannot be reached.
    func release(_ attribute: PeerAttribute, on access: PeerAccess) async throws

    /// Returns as soon as a condition holds; at once if it does already.
    ///
    /// - Throws: An error if the device is not configured or cannot be reached; `CancellationError`.
    func wait(until condition: PeerCondition) async throws

    /// Sends notifications, in order, to the subscribed centrals.
    ///
    /// - Parameters:
    ///   - attribute: The characteristic that has the values.
    ///   - values: The values of the notifications.
    /// - Throws: An error if the device is not configured, has no such attribute or cannot be reached.
    func notify(_ attribute: PeerAttribute, _ values: [Bytes]) async throws

    /// Sends notifications in a row. Each value begins with its number from zero, as a 32-bit little-endian integer;
    /// the rest is zero.
    ///
    /// - Parameters:
    ///   - attribute: The characteristic that has the values.
    ///   - count: The number of notifications.
    ///   - size: The size of each value in bytes, 4 at least.
    /// - Throws: An error if the device is not configured, has no such attribute or cannot be reached.
    func notifyMany(_ attribute: PeerAttribute, count: Int, size: Int) async throws

    /// Sends indications, each after the one before was confirmed.
    ///
    /// - Parameters:
    ///   - attribute: The characteristic that has the values.
    ///   - values: The values of the indications.
    /// - Returns: The number of confirmations.
    /// - Throws: An error if the device is not configured, has no such attribute or cannot be reached.
    func indicate(_ attribute: PeerAttribute, _ values: [Bytes]) async throws -> Int

    /// Sends a notification during each subscription from now on, before the response to the subscription itself.
    ///
    /// - Parameters:
    ///   - attribute: The characteristic that is subscribed to.
    ///   - value: The value of the notification; nil ends this.
    /// - Throws: An error if the device is not configured, has no such attribute or cannot be reached.
    func notifyOnSubscribe(_ attribute: PeerAttribute, _ value: Bytes?) async throws

    /// Returns how often centrals switched the notifications or indications of an attribute on since the device was
    /// configured, and whether they are on.
    ///
    /// - Throws: An error if the device is not configured, has no such attribute or cannot be reached.
    func subscriptions(to attribute: PeerAttribute) async throws -> PeerSubscriptions

    /// Ends the device's connections from its side.
    ///
    /// - Throws: An error if the device is not configured or cannot be reached.
    func disconnect() async throws

    /// Moves out of range: centrals receive nothing, and links end by supervision timeout.
    ///
    /// - Throws: An error if the device is not configured or cannot be reached.
    func vanish() async throws

    /// Leaves links up but sends nothing more over them, responses included, and does not advertise.
    ///
    /// - Throws: An error if the device is not configured or cannot be reached.
    func mute() async throws

    /// Leaves every request for the database unanswered from now on, so that a platform which discovers by itself when
    /// it connects cannot finish. Configuring the device again and ``comeBack()`` end it. It does nothing by default,
    /// which is right where a platform discovers at the app's request alone.
    ///
    /// - Throws: An error if the device is not configured or cannot be reached.
    func holdDiscovery() async throws

    /// Ends ``vanish()``, ``mute()`` and ``holdDiscovery()``.
    ///
    /// - Throws: An error if the device is not configured or cannot be reached.
    func comeBack() async throws

    /// Lets attempts to connect fail from now on, although the device advertises, or, for false, accepts connections
    /// again.
    ///
    /// - Throws: An error if the device is not configured or cannot be reached.
    func refuseConnections(_ refuses: Bool) async throws

    /// Returns the number of connections that the device has and had.
    ///
    /// - Throws: An error if the device is not configured or cannot be reached.
    func connections() async throws -> PeerConnections

    /// Returns as soon as the newest connection has these parameters, with one of their intervals; at once if it has
    /// already. A world with the limit ``WorldLimit/Subject-swift.enum/connectionParameters`` is not asked.
    ///
    /// - Throws: An error if the device is not configured or cannot be reached; `CancellationError`.
    func wait(forConnection parameters: ConnectionParameters) async throws

    /// Replaces the GATT database and sends a Service Changed indication to the connected centrals.
    ///
    /// - Throws: An error if the device is not configured or cannot be reached.
    func changeServices(_ services: [TwinService]) async throws
}

extension ConformancePeer {
    /// Makes the device a twin that pairs by Just Works with any central, as ``configure(_:pairing:)`` does.
    ///
    /// - Parameter device: The device.
    /// - Returns: The identifier under which the world's centrals see it.
    /// - Throws: An error of the world if it cannot play the device.
    @discardableResult
    public func configure(_ device: Twin) async throws -> PeerIdentifier {
        try await configure(device, pairing: PeerPairing())
    }

    /// Does nothing, which is right where a platform discovers at the app's request alone.
    public func holdDiscovery() async {}
}

/// A kind of access to an attribute.
public enum PeerAccess: String, Sendable, Hashable, Codable, CaseIterable {
    /// A read of the value.
    case read
    /// A write of the value.
    case write
    /// A subscription, which switches notifications or indications on.
    case subscribe
}

/// The number of connections of a peer.
public struct PeerConnections: Sendable, Hashable {
    /// The number of present connections.
    public var current: Int
    /// The number of connections since the peer was configured, the present ones included.
    public var total: Int

    /// Creates a record of connections.
    ///
    /// - Parameters:
    ///   - current: The number of present connections.
    ///   - total: The number of connections since the peer was configured, the present ones included.
    public init(current: Int, total: Int) {
        self.current = current
        self.total = total
    }
}

/// The number of subscriptions to one attribute of a peer.
public struct PeerSubscriptions: Sendable, Hashable {
    /// The number of centrals that are subscribed now.
    public var current: Int
    /// The number of subscriptions since the peer was configured: how often a central switched the client configuration
    /// on after it was off.
    public var total: Int

    /// Creates a record of subscriptions.
    ///
    /// - Parameters:
    ///   - current: The number of centrals that are subscribed now.
    ///   - total: The number of subscriptions since the peer was configured.
    public init(current: Int, total: Int) {
        self.current = current
        self.total = total
    }
}

/// A condition of a peer for which a test can wait. A condition that holds already needs no wait.
public enum PeerCondition: Sendable, Hashable {
    /// A central is connected.
    case connected
    /// No central is connected.
    case disconnected
    /// A request for an access is held.
    case held(PeerAttribute, PeerAccess)
    /// A central is subscribed.
    case subscribed(PeerAttribute)
    /// No central is subscribed.
    case unsubscribed(PeerAttribute)
    /// An attribute has accepted at least this many writes.
    case written(PeerAttribute, count: Int)
}

/// A write that a peer accepted.
public struct PeerWrite: Sendable, Hashable {
    /// The kind of ATT operation of a write.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// A Write Request, or prepared writes.
        case request
        /// A Write Command.
        case command
    }

    /// The whole value that was written.
    public var value: Bytes
    /// The kind of ATT operation.
    public var kind: Kind

    /// Creates a record of a write.
    ///
    /// - Parameters:
    ///   - value: The whole value that was written.
    ///   - kind: The kind of ATT operation.
    public init(_ value: Bytes, kind: Kind) {
        self.value = value
        self.kind = kind
    }
}
