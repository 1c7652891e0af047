// SPDX-License-Identifier: MIT

public import BlueCapCore

extension PeripheralManager {
    /// Advertises as an iBeacon of a region; no service is needed, and no central can connect.
    ///
    /// - Parameters:
    ///   - region: The region to advertise. A major or minor number that the region does not define is sent as 0.
    ///   - measuredPower: The signal strength at a distance of one metre in dBm, to be measured once for each device.
    ///   - timeout: The longest time that the platform may take; nil for any time.
    /// - Throws: As `startAdvertising(_:timeout:)` of an advertisement does.
    public func startAdvertising(
        _ region: BeaconRegion, measuredPower: Int8 = BeaconRegion.defaultMeasuredPower, timeout: Duration? = nil
    ) async throws(PeripheralManagerError) {
        try await startAdvertising(region.advertisement(measuredPower: measuredPower), timeout: timeout)
    }
}
