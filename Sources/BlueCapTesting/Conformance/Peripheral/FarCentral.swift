// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// A far device of a ``ConformanceWorld`` in the central role, for behaviours of the peripheral role.
///
/// Every method returns when the device has done what it was told. Its ATT packets are of 185 bytes at most where its
/// platform lets that be chosen, so that longer values are read and written in parts.
public protocol FarCentral: Sendable {
    /// What its platform keeps from it; nothing unless it says otherwise.
    var limits: [WorldLimit] { get }

    /// Listens, actively, until a device is heard that advertises as `isWanted` says, advertisement and scan response
    /// taken together.
    func hear(_ isWanted: @escaping @Sendable (PeripheralAdvertisements) -> Bool) async throws -> HeardDevice

    /// Listens, actively, for that long, and returns every device that was heard meanwhile.
    func listen(for duration: Duration) async throws -> [HeardDevice]

    /// Connects to a device that was heard, discovers everything and has Service Changed indicated.
    func connect(to device: HeardDevice) async throws -> [FarService]

    /// Discovers everything anew.
    func discover() async throws -> [FarService]

    /// Waits until Service Changed was indicated (Core Specification, Vol 3, Part G, 7.1), once for each call: an
    /// indication that came earlier counts for the next one.
    ///
    /// - Returns: The handles it is about; nil if the device's platform does not tell.
    func serviceChange() async throws -> ClosedRange<AttributeID>?

    /// Reads the whole value.
    func read(_ attribute: AttributeID) async throws -> Result<Bytes, ATTError>

    /// Writes a value: with response, prepared where it is long; or as a command.
    func write(_ value: Bytes, to attribute: AttributeID, isCommand: Bool) async throws -> Result<Void, ATTError>

    /// Subscribes, to indications rather than notifications if told so, and keeps what comes.
    func subscribe(to attribute: AttributeID, indications: Bool) async throws

    /// Ends a subscription.
    func unsubscribe(from attribute: AttributeID) async throws

    /// What came since the last call, as soon as there are at least `count` values; behaviours send no more than that.
    func received(from attribute: AttributeID, count: Int) async throws -> [Bytes]

    /// Pairs, Just Works, agreeing from its side; whether that succeeded.
    func pair() async throws -> Bool

    /// Ends the connection; without one does nothing.
    func disconnect() async throws
}

extension FarCentral {
    /// Nothing is kept from it.
    public var limits: [WorldLimit] { [] }
}
