// SPDX-License-Identifier: MIT

#if os(Linux)
/// An event of the management interface that the package uses.
enum ManagementEvent: Equatable {
    /// A command has ended with a status, 0 for success, and its results.
    case completed(command: UInt16, status: UInt8, results: [UInt8])
    case adapterAdded, adapterRemoved
    /// A monitor is gone; all are where the handle is 0.
    case monitorRemoved(handle: UInt16)
    case received(ReceivedPacket)

    /// The event of a frame; nil for others, and for one whose parameters are cut off.
    init?(_ frame: ManagementFrame) {
        let parameters = frame.parameters
        func number(at place: Int) -> UInt16 { UInt16(parameters[place]) | UInt16(parameters[place + 1]) << 8 }
        switch frame.code {
        case 0x0001 where parameters.count >= 3, 0x0002 where parameters.count == 3:
            self = .completed(command: number(at: 0), status: parameters[2], results: Array(parameters[3...]))
        case 0x0004: self = .adapterAdded
        case 0x0005: self = .adapterRemoved
        case 0x0012:
            guard let packet = ReceivedPacket(parameters[...]) else { return nil }
            self = .received(packet)
        case 0x002C where parameters.count == 2: self = .monitorRemoved(handle: number(at: 0))
        case 0x002F:
            guard let packet = ReceivedPacket(parameters.dropFirst(2)) else { return nil }
            self = .received(packet)
        default: return nil
        }
    }
}
#endif
