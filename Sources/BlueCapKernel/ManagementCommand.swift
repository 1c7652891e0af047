// SPDX-License-Identifier: MIT

#if os(Linux)
/// A command of the management interface that the package sends.
enum ManagementCommand: Equatable {
    /// Reports each packet that has one of the patterns, without a discovery. A controller that does not compare
    /// patterns itself has the kernel report all packets.
    case addMonitor([AdvertisementPattern])
    /// Ends a monitor of this socket, by its handle.
    case removeMonitor(UInt16)

    var code: UInt16 {
        switch self {
        case .addMonitor: 0x0052
        case .removeMonitor: 0x0053
        }
    }

    var parameters: [UInt8] {
        switch self {
        case .addMonitor(let patterns): [UInt8(patterns.count)] + patterns.flatMap(\.bytes)
        case .removeMonitor(let handle): [UInt8(handle & 0xFF), UInt8(handle >> 8)]
        }
    }
}
#endif
