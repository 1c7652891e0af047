// SPDX-License-Identifier: MIT

public import BlueCapCore

extension PeripheralManager {
    /// Advertises as a sensor of BTHome; no service is needed, and no central can connect.
    ///
    /// - Parameters:
    ///   - frame: The measurements to send, clear or encrypted.
    ///   - localName: The name under which receivers list the sensor; nil for none. It counts towards the length of the
    ///     packet, as the frame does.
    ///   - timeout: The longest time that the platform may take; nil for any time.
    /// - Throws: As `startAdvertising(_:timeout:)` of an advertisement does.
    public func startAdvertising(
        _ frame: BTHome, localName: String? = nil, timeout: Duration? = nil
    ) async throws(PeripheralManagerError) {
        try await startAdvertising(frame.advertisement(localName: localName), timeout: timeout)
    }

    /// Sends a sensor's next frame in the place of the one on the air.
    ///
    /// - Parameters:
    ///   - frame: The measurements to send, clear or encrypted.
    ///   - localName: The name under which receivers list the sensor; nil for none.
    ///   - timeout: The longest time that the change may take; nil for any time.
    /// - Throws: As `updateAdvertisement(_:timeout:)` of an advertisement does.
    public func updateAdvertisement(
        _ frame: BTHome, localName: String? = nil, timeout: Duration? = nil
    ) async throws(PeripheralManagerError) {
        try await updateAdvertisement(frame.advertisement(localName: localName), timeout: timeout)
    }
}

extension BTHome {
    fileprivate func advertisement(localName: String?) -> Advertisement {
        var advertisement = advertisement
        advertisement.localName = localName
        return advertisement
    }
}
