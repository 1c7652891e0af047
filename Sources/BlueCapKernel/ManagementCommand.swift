// SPDX-License-Identifier: MIT

#if os(Linux)
/// A command of the management interface that the package sends.
package enum ManagementCommand: Equatable {
    /// The version of the interface, of no adapter.
    case readVersion
    /// The strength and the power of a connection.
    case readConnection(KernelAddress)
    /// The parameters of connections to a device. They displace those of all devices that the kernel does not look for
    /// itself, unless the kernel has some of this device already.
    case loadParameters(KernelAddress, KernelParameters)
    /// Reports each packet that has one of the patterns, without a discovery. A controller that does not compare
    /// patterns itself has the kernel report all packets.
    case addMonitor([AdvertisementPattern])
    /// Ends a monitor of this socket, by its handle.
    case removeMonitor(UInt16)

    package var code: UInt16 {
        switch self {
        case .readVersion: 0x0001
        case .readConnection: 0x0031
        case .loadParameters: 0x0035
        case .addMonitor: 0x0052
        case .removeMonitor: 0x0053
        }
    }

    /// The number in the place of an adapter's for a command of no adapter.
    package var controller: UInt16? { self == .readVersion ? ManagementFrame.noController : nil }

    package var parameters: [UInt8] {
        switch self {
        case .readVersion: []
        case .readConnection(let address): address.bytes
        case .loadParameters(let address, let parameters):
            [1, 0] + address.bytes + parameters.numbers.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        case .addMonitor(let patterns): [UInt8(patterns.count)] + patterns.flatMap(\.bytes)
        case .removeMonitor(let handle): [UInt8(handle & 0xFF), UInt8(handle >> 8)]
        }
    }
}

/// The parameters of a connection in the kernel's units.
package struct KernelParameters: Sendable, Equatable {
    /// The shortest and the longest interval in units of 1.25 ms, the latency in events, and the supervision timeout in
    /// units of 10 ms.
    let numbers: [UInt16]

    package init(interval: ClosedRange<UInt16>, latency: UInt16, timeout: UInt16) {
        numbers = [interval.lowerBound, interval.upperBound, latency, timeout]
    }
}
#endif
