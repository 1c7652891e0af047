#if BlueZ && canImport(CDBus) && os(Linux)
import BlueCapCore
package import BlueCapTesting

/// What BlueZ makes impossible for a central, and what happens there instead.
package enum BlueZLimits {
    /// The limits of the central role.
    package static let central: [WorldLimit] = [
        WorldLimit(
            .advertisingField("solicitedServiceUUIDs"),
            reason: "Device1 has no property for the services that a device solicits"),
        WorldLimit(
            .weakKey,
            reason: "bluetoothd pairs anew for an authenticated key, and the kernel ends the link when that fails",
            error: .disconnected),
    ]
}
#endif
