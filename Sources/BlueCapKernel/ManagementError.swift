// SPDX-License-Identifier: MIT

/// The reason of the kernel's management interface against a request.
package enum ManagementError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The process has no `CAP_NET_ADMIN`.
    case notPermitted
    /// There are no sockets of Bluetooth: the process is in a network namespace of its own, or the kernel has none.
    case noBluetooth
    /// The adapter is away.
    case noAdapter
    /// The kernel does not know the command, or the adapter does not.
    case unsupported
    /// The kernel did not answer a command in time.
    case unanswered
    /// The kernel refused a command with this status (BlueZ, doc/mgmt-protocol.rst).
    case refused(status: UInt8)
    /// A call of the system failed with this `errno`.
    case system(call: String, errno: Int32)

    /// The error of a status; nil for success.
    init?(status: UInt8) {
        switch status {
        case 0: return nil
        case 0x01, 0x0C: self = .unsupported
        case 0x11: self = .noAdapter
        case 0x14: self = .notPermitted
        default: self = .refused(status: status)
        }
    }

    /// A word for each case, for programs.
    package var name: String {
        switch self {
        case .notPermitted: "NotPermitted"
        case .noBluetooth: "NoBluetooth"
        case .noAdapter: "NoAdapter"
        case .unsupported: "Unsupported"
        case .unanswered: "Unanswered"
        case .refused: "Refused"
        case .system: "System"
        }
    }

    package var description: String {
        switch self {
        case .notPermitted: "the kernel asks for CAP_NET_ADMIN, which the process does not have"
        case .noBluetooth: "there are no Bluetooth sockets here; a container needs the network of its host"
        case .noAdapter: "the adapter is away"
        case .unsupported: "the kernel or the adapter does not know the command"
        case .unanswered: "the kernel's management interface does not answer"
        case .refused(let status): "the kernel's management interface refused with status \(status)"
        case .system(let call, let errno): "\(call) failed with errno \(errno)"
        }
    }
}
