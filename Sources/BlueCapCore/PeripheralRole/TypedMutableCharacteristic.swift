// SPDX-License-Identifier: MIT

public import BlueCapSerDe

/// A characteristic that this program offers, with the values of a declared type: the counterpart of
/// ``TypedCharacteristic``.
///
/// ```swift
/// let enabled = TypedMutableCharacteristic<TISensorTag.AccelerometerService.Enabled>()
/// service.characteristics = [enabled.characteristic]
/// try await manager.add(service, timeout: .seconds(5))
/// for await request in enabled.writeRequests() {
///     request.accept()
///     print(request.newValue)                         // decoded; bytes that are no value were refused
/// }
/// ```
///
/// Reads are answered from ``value``, as for every ``MutableCharacteristic``.
public struct TypedMutableCharacteristic<Value: ByteCodable>: Sendable {
    /// The characteristic itself, to be assigned to a service, with its bytes, its subscribers and its other streams.
    public let characteristic: MutableCharacteristic

    /// Creates a typed view of a characteristic; the UUID of the characteristic is not checked.
    public init(_ characteristic: MutableCharacteristic) { self.characteristic = characteristic }

    /// Creates a characteristic; by default centrals may read and write it and subscribe to it.
    ///
    /// - Parameters:
    ///   - uuid: The UUID under which centrals find it.
    ///   - properties: The operations that centrals see as supported.
    ///   - permissions: The operations that are allowed, and the encryption or authentication that they need.
    ///   - value: The value that centrals read at first; nil for an empty value.
    @_disfavoredOverload
    public init(
        uuid: BluetoothUUID, properties: CharacteristicProperties = [.read, .write, .notify],
        permissions: AttributePermissions = [.readable, .writeable], value: Value? = nil
    ) {
        self.init(
            MutableCharacteristic(
                uuid: uuid, properties: properties, permissions: permissions, value: value.map { SerDe.serialize($0) }))
    }

    /// The UUID of the characteristic.
    public var uuid: BluetoothUUID { characteristic.uuid }

    /// The centrals that are subscribed, as ``MutableCharacteristic/subscribers``.
    public var subscribers: [Central] { characteristic.subscribers }

    /// Returns the beginnings and ends of subscriptions, as ``MutableCharacteristic/subscriptions()``.
    public func subscriptions() -> AsyncStream<SubscriptionEvent> { characteristic.subscriptions() }

    /// The value, decoded; nil without a value, and if the bytes of ``MutableCharacteristic/value`` are not a value of
    /// the type.
    ///
    /// It can be set at any time; setting it does not send it to subscribers: see ``update(_:)``.
    public var value: Value? {
        get { characteristic.value.flatMap { try? SerDe.deserialize($0) } }
        nonmutating set { characteristic.value = newValue.map { SerDe.serialize($0) } }
    }

    /// Sets the value and sends it to all subscribers, as ``MutableCharacteristic/update(_:)-(Bytes)``.
    ///
    /// - Throws: As ``MutableCharacteristic/update(_:)-(Bytes)``.
    public func update(_ value: Value) throws(MutableCharacteristicError) {
        try characteristic.update(SerDe.serialize(value))
    }

    /// Sends a value to one subscriber, as ``MutableCharacteristic/update(_:for:)-(Bytes,_)``.
    ///
    /// - Parameters:
    ///   - value: A value whose encoding has at most 512 bytes.
    ///   - central: A subscriber with an identifier, from ``MutableCharacteristic/subscribers``.
    /// - Throws: As ``MutableCharacteristic/update(_:for:)-(Bytes,_)``.
    public func update(_ value: Value, for central: Central) throws(MutableCharacteristicError) {
        try characteristic.update(SerDe.serialize(value), for: central)
    }

    /// Returns the writes of centrals from now on, decoded; otherwise as
    /// ``MutableCharacteristic/writeRequests(capacity:)``.
    ///
    /// A write after which the bytes would not be a value of the type does not reach the loop. It is refused when its
    /// turn comes, and the value does not change. The answer to the central depends on the reason (Core Specification,
    /// Vol 3, Part F, 3.4.1.1):
    ///
    /// - `.invalidAttributeValueLength` (0x0D) for too few or too many bytes,
    /// - `.valueNotAllowed` (0x13) for bytes of the right number that the type does not allow, or `.unlikelyError`
    ///   (0x0E) if the platform cannot send that error: BlueZ has no name for it (``ATTError/isSendable(on:)``),
    /// - `.invalidOffset` (0x07) for an offset beyond the end of the value.
    ///
    /// For other codes, such as an application's own, read ``MutableCharacteristic/writeRequests(capacity:)`` instead.
    /// If several streams have a request, the first answer counts, even a refusal.
    ///
    /// - Parameter capacity: The number of requests that are kept for a slow loop; the oldest is dropped and counted.
    public func writeRequests(capacity: StreamCapacity = .newest(1024)) -> AsyncStream<TypedWriteRequest<Value>> {
        let requests = characteristic.writeRequests(capacity: capacity)
        return AsyncStream {
            for await request in requests {
                if let typed = TypedWriteRequest<Value>(request) { return typed }
            }
            return nil
        }
    }
}

extension TypedMutableCharacteristic where Value == UntypedLiteral {
    /// Asks for the type of a literal.
    @available(*, deprecated, message: "say how wide the literal is, such as UInt8(5); this call traps")
    public init(
        uuid: BluetoothUUID, properties: CharacteristicProperties = [.read, .write, .notify],
        permissions: AttributePermissions = [.readable, .writeable], value: UntypedLiteral
    ) { self.init(MutableCharacteristic(uuid: uuid, value: value.bytes)) }
}

extension TypedMutableCharacteristic where Value: CharacteristicConfigurable {
    /// Creates a characteristic as the type declares it, with the type's initial value.
    ///
    /// Its text is hexadecimal.
    public init() { self.init(MutableCharacteristic(profile: CharacteristicProfile(declaredBy: Value.self))) }
}

extension TypedMutableCharacteristic where Value: ProfileValue {
    /// Creates a characteristic as the type declares it, with the type's initial value and its form in text.
    public init() { self.init(MutableCharacteristic(profile: ValueCharacteristicProfile<Value>())) }
}

extension MutableService {
    /// Returns the characteristic with values of a type, which names its UUID.
    ///
    /// If the service has several characteristics with the UUID, it is the first; nil if it has none.
    ///
    /// ```swift
    /// service.characteristicsFromProfiles()
    /// let enabled = service.characteristic(Enabled.self)
    /// ```
    public func characteristic<Value: CharacteristicValue>(_ type: Value.Type) -> TypedMutableCharacteristic<Value>? {
        characteristics.first { $0.uuid == Value.uuid }.map { TypedMutableCharacteristic($0) }
    }
}
