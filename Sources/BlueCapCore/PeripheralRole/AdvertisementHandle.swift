// SPDX-License-Identifier: MIT

/// A handle of one of several advertisements of a manager, which ``PeripheralManager/advertise(_:timeout:)`` put on the
/// air.
///
/// The handle does not retain the manager, and its release does not end the advertisement. The advertisement ends by
/// ``stop(timeout:)``, or with the manager.
public final class AdvertisementHandle: Sendable {
    /// The number of the advertisement, which its ``AdvertisingEvent/id`` carries.
    public let id: AdvertisementID
    private weak let manager: PeripheralManager?

    init(_ id: AdvertisementID, manager: PeripheralManager) {
        self.id = id
        self.manager = manager
    }

    /// A Boolean value that is true if the advertisement is on the air.
    public var isOnAir: Bool { manager?.isOnAir(id) ?? false }

    /// Changes the content of the advertisement while it is on the air, as
    /// ``PeripheralManager/updateAdvertisement(_:timeout:)``.
    ///
    /// After an error its content is the same as before.
    ///
    /// - Parameters:
    ///   - advertisement: The whole new content; fields that are not set are no longer sent.
    ///   - timeout: The maximum time for the change, from the call; nil for as long as the platform waits.
    /// - Throws: `.notAdvertising` if the advertisement has ended, `.invalidated` if the manager is released; otherwise
    ///   the errors of ``PeripheralManager/updateAdvertisement(_:timeout:)``.
    public func update(_ advertisement: Advertisement, timeout: Duration? = nil) async throws(PeripheralManagerError) {
        guard let manager else { throw .invalidated }
        try await manager.update(id, advertisement, timeout: timeout)
    }

    /// Takes the advertisement off the air, and returns when it is off the air; immediately if it has ended or the
    /// manager is released.
    ///
    /// - Parameter timeout: The maximum time from the call; nil for as long as the platform waits.
    /// - Throws: As ``PeripheralManager/stopAdvertising(timeout:)``.
    public func stop(timeout: Duration? = .seconds(10)) async throws(PeripheralManagerError) {
        try await manager?.stop(id, timeout: timeout)
    }
}
