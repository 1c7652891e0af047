// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
package import BlueCapTesting

/// The behaviours that BlueZ makes impossible, and the results that are seen instead.
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
        WorldLimit(
            .channelRefusal,
            reason: "the kernel tells no result code, and pairs by itself where the peer wants another security"),
        WorldLimit(
            .channelFault, reason: "the kernel does not tell which rule of a channel a peer has broken"),
        WorldLimit(
            .serviceDataPattern, reason: "bluetoothd does not compare service data as they are in the packet",
            error: .unsupported),
        WorldLimit(
            .advertisementCount, reason: "bluetoothd tells what came since its last turn as one change of Device1"),
    ]

    /// The limits of a world without a kernel that a program may ask.
    package static let withoutKernel = [
        WorldLimit(
            .everyPacket, reason: "packets come from the kernel, for which a program needs CAP_NET_ADMIN",
            error: .unsupported),
        WorldLimit(
            .connectionParameters, reason: "the kernel takes them, from a program with CAP_NET_ADMIN",
            error: .unsupported),
    ]

    /// The limits of the peripheral role.
    ///
    /// - Parameters:
    ///   - takesScanResponse: Whether the daemon looks at `ScanResponseData`.
    ///   - isExtended: Whether the controller has extended advertising.
    ///   - isLong: Whether the daemon sends more than 31 bytes where the controller has it.
    package static func peripheral(
        takesScanResponse: Bool, isExtended: Bool = false, isLong: Bool = true
    ) -> [WorldLimit] {
        var limits = [
            WorldLimit(
                .preparedWrites, reason: "bluetoothd keeps the parts of a long write to itself until it is executed")
        ]
        if !isExtended {
            limits += [
                WorldLimit(
                    .advertising(.txPower), reason: "only extended advertising lets the power be chosen",
                    error: .unsupported),
                WorldLimit(
                    .advertising(.secondaryPHY), reason: "the controller has no extended advertising",
                    error: .unsupported),
            ]
        } else if !isLong {
            limits.append(
                WorldLimit(
                    .longAdvertisement, reason: "bluetoothd 5.66 refuses more than 31 bytes",
                    error: PeripheralManagerError.advertisementTooLong(excess: 1).reason))
        }
        if !takesScanResponse {
            limits.append(
                WorldLimit(
                    .advertising(.scanResponse), reason: "bluetoothd reads ScanResponseData from 5.80 on",
                    error: .unsupported))
        }
        return limits
    }
}
#endif
