// SPDX-License-Identifier: MIT

/// One of several advertisements of a manager: what ``PeripheralManager/advertise(_:timeout:)`` put on the air.
///
/// It does not keep the manager, and its release does not end the advertisement: ``stop(timeout:)`` does, and the end
/// of the manager.
public final class AdvertisementHandle: Sendable {
    /// The number of the advertisement, which its ``AdvertisingEvent/id`` carries.
    public let id: AdvertisementID
    private weak let manager: PeripheralManager?

    init(_ id: AdvertisementID, manager: PeripheralManager) {
        self.id = id
        self.manager = manager
    }

    /// Whether it is on the air.
    public var isOnAir: Bool { manager?.isOnAir(id) ?? false }

    /// Changes what the advertisement says while it is on the air, as
    /// ``PeripheralManager/updateAdvertisement(_:timeout:)``. With an error it says what it said before.
    ///
    /// - Parameters:
    ///   - advertisement: Everything that it is to say; fields that are not set are not sent any more.
    ///   - timeout: How long the change may take, from the call; nil for as long as the platform waits.
    /// - Throws: `.notAdvertising` once it has ended, `.invalidated` once the manager is released; else as
    ///   ``PeripheralManager/updateAdvertisement(_:timeout:)``.
    public func update(
        _ advertisement: Advertisement, timeout: Duration? = nil
    ) async throws(PeripheralManagerError) {
        guard let manager else { throw .invalidated }
        try await manager.update(id, advertisement, timeout: timeout)
    }

    /// Takes the advertisement off the air, and returns when it is; at once when it has ended or the manager is
    /// released.
    ///
    /// - Parameter timeout: How long it may take, from the call; nil for as long as the platform waits.
    /// - Throws: As ``PeripheralManager/stopAdvertising(timeout:)``.
    public func stop(timeout: Duration? = .seconds(10)) async throws(PeripheralManagerError) {
        try await manager?.stop(id, timeout: timeout)
    }
}
