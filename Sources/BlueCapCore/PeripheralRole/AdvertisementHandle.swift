// SPDX-License-Identifier: MIT

/// One of several advertisements of a manager: what ``PeripheralManager/advertise(_:timeout:)`` put on the air.
///
/// It does not keep the manager, and its release does not end the advertisement: ``stop(timeout:)`` does, and the end of the
/// manager.
public final class AdvertisementHandle: Sendable {
    /// Names it in ``AdvertisingEvent/id``.
    public let id: AdvertisementID
    private weak let manager: PeripheralManager?

    init(_ id: AdvertisementID, manager: PeripheralManager) {
        self.id = id
        self.manager = manager
    }

    /// Whether it is on the air.
    public var isOnAir: Bool { manager?.isOnAir(id) ?? false }

    /// Changes what it says; see ``PeripheralManager/updateAdvertisement(_:timeout:)``.
    public func update(
        _ advertisement: Advertisement, timeout: Duration? = nil
    ) async throws(PeripheralManagerError) {
        guard let manager else { throw .invalidated }
        try await manager.update(id, advertisement, timeout: timeout)
    }

    /// Takes it off the air; see ``PeripheralManager/stopAdvertising(timeout:)``.
    public func stop(timeout: Duration? = .seconds(10)) async throws(PeripheralManagerError) {
        try await manager?.stop(id, timeout: timeout)
    }
}
