// SPDX-License-Identifier: MIT

public import BlueCapCore
public import BlueCapSerDe

/// A far device of a ``ConformanceWorld`` in the central role, for behaviours of the peripheral role.
///
/// Every method returns when the device has carried the command out. Its ATT packets have 185 bytes at most where its
/// platform allows the choice, so that longer values are read and written in parts.
public protocol FarCentral: Sendable {
    /// The features that the device's platform makes impossible; empty by default.
    var limits: [WorldLimit] { get }

    /// Scans actively until it hears a device that `isWanted` accepts, and returns that device. `isWanted` receives the
    /// advertisement and the scan response taken together.
    ///
    /// - Throws: An error of the device's platform; `CancellationError` if no such device is heard before the task is
    ///   cancelled.
    func hear(_ isWanted: @escaping @Sendable (PeripheralAdvertisements) -> Bool) async throws -> HeardDevice

    /// Scans actively for the given time, and returns every device that it heard meanwhile.
    ///
    /// - Throws: An error of the device's platform; `CancellationError`.
    func listen(for duration: Duration) async throws -> [HeardDevice]

    /// Connects to a device that was heard, discovers everything and subscribes to Service Changed.
    ///
    /// - Returns: The services of the device.
    /// - Throws: An error of the device's platform if the connection or the discovery fails.
    func connect(to device: HeardDevice) async throws -> [FarService]

    /// Discovers the whole database again, and returns the services.
    ///
    /// - Throws: An error of the device's platform if there is no connection, or the discovery fails.
    func discover() async throws -> [FarService]

    /// Waits for an indication of Service Changed (Core Specification, Vol 3, Part G, 7.1), one for each call. An
    /// indication that came earlier counts for the next call.
    ///
    /// - Returns: The range of handles that changed; nil if the device's platform does not report it.
    /// - Throws: An error of the device's platform if there is no connection or it ends first; `CancellationError`.
    func serviceChange() async throws -> ClosedRange<AttributeID>?

    /// Reads the whole value.
    ///
    /// - Returns: The value, or the ATT error with which the peer refused.
    /// - Throws: An error of the device's platform if the read failed for any other reason.
    func read(_ attribute: AttributeID) async throws -> Result<Bytes, ATTError>

    /// Writes a value.
    ///
    /// - Parameters:
    ///   - value: The value to write.
    ///   - attribute: The attribute that receives it.
    ///   - isCommand: False for a write with response, which uses prepared writes where the value is long; true for a
    ///     command.
    /// - Returns: Success, or the ATT error with which the peer refused.
    /// - Throws: An error of the device's platform if the write failed for any other reason.
    func write(_ value: Bytes, to attribute: AttributeID, isCommand: Bool) async throws -> Result<Void, ATTError>

    /// Subscribes to an attribute, and keeps the values that come for ``received(from:count:)``.
    ///
    /// - Parameters:
    ///   - attribute: The characteristic to subscribe to.
    ///   - indications: True for indications; false for notifications.
    /// - Throws: An error of the device's platform if the subscription fails.
    func subscribe(to attribute: AttributeID, indications: Bool) async throws

    /// Ends a subscription.
    ///
    /// - Throws: An error of the device's platform if that fails.
    func unsubscribe(from attribute: AttributeID) async throws

    /// Waits for at least `count` values since the last call, and returns all values since then. Behaviours send no
    /// more than `count`.
    ///
    /// - Parameters:
    ///   - attribute: The characteristic that is subscribed to.
    ///   - count: The number of values to wait for.
    /// - Throws: An error of the device's platform if there is no subscription; `CancellationError`.
    func received(from attribute: AttributeID, count: Int) async throws -> [Bytes]

    /// Pairs with the Just Works method, which the device accepts.
    ///
    /// - Returns: Whether the pairing succeeded.
    /// - Throws: An error of the device's platform if there is no connection, or it is lost.
    func pair() async throws -> Bool

    /// Ends the connection; does nothing without one.
    ///
    /// - Throws: An error of the device's platform if that fails.
    func disconnect() async throws
}

extension FarCentral {
    /// No limits: an empty array.
    public var limits: [WorldLimit] { [] }
}

/// A service as a far central discovered it.
public struct FarService: Sendable, Hashable {
    /// The UUID of the attribute.
    public var uuid: BluetoothUUID
    /// The characteristics in the order of their handles.
    public var characteristics: [FarCharacteristic]

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the service.
    ///   - characteristics: The characteristics in the order of their handles.
    public init(uuid: BluetoothUUID, characteristics: [FarCharacteristic]) {
        self.uuid = uuid
        self.characteristics = characteristics
    }
}

/// A characteristic as a far central discovered it.
public struct FarCharacteristic: Sendable, Hashable {
    /// The UUID of the attribute.
    public var uuid: BluetoothUUID
    /// The identifier of the characteristic's value.
    public var id: AttributeID
    /// The operations that the declaration offers.
    public var properties: CharacteristicProperties
    /// The identifiers of the descriptors by UUID.
    public var descriptors: [BluetoothUUID: AttributeID]

    /// Creates a characteristic.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the characteristic.
    ///   - id: The identifier of its value.
    ///   - properties: The operations that the declaration offers.
    ///   - descriptors: The identifiers of the descriptors by UUID.
    public init(
        uuid: BluetoothUUID, id: AttributeID, properties: CharacteristicProperties,
        descriptors: [BluetoothUUID: AttributeID]
    ) {
        self.uuid = uuid
        self.id = id
        self.properties = properties
        self.descriptors = descriptors
    }
}
