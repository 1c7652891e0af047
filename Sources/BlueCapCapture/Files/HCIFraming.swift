// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// How HCI packets are framed within the records of capture files.
enum HCIFraming {
    /// The packet-type bytes of the UART transport (Core Specification, Vol 4, Part A, 2).
    enum UARTType: UInt8 {
        case command = 0x01
        case data = 0x02
        case synchronousData = 0x03
        case event = 0x04
        case isochronousData = 0x05
    }

    /// The opcodes of the Linux monitor (the kernel's `include/net/bluetooth/hci_mon.h`; BlueZ, `doc/btsnoop.rst`).
    enum MonitorOpcode: UInt16 {
        case newIndex = 0
        case deletedIndex = 1
        case command = 2
        case event = 3
        case dataSent = 4
        case dataReceived = 5
        case openIndex = 8
        case closeIndex = 9
        case indexInformation = 10
    }

    /// A packet behind its type byte.
    static func uart(
        _ bytes: ArraySlice<UInt8>, _ direction: CapturedPacket.Direction?, time: Timestamp?, isCutOff: Bool
    ) -> CapturedPacket {
        let kind: CapturedPacket.Kind
        switch bytes.first.flatMap(UARTType.init(rawValue:)) {
        case .command: kind = .command
        case .event: kind = .event
        case .data: kind = .data(direction)
        case .synchronousData, .isochronousData, nil: kind = .other
        }
        return CapturedPacket(time: time, kind: kind, bytes: Bytes(bytes.dropFirst()), isCutOff: isCutOff)
    }

    /// A packet of the Linux monitor.
    ///
    /// New Index holds a type, a bus, the address and 8 bytes of name; Index Information the address and a
    /// manufacturer.
    static func monitor(
        _ opcode: UInt16, adapter: Int, _ bytes: ArraySlice<UInt8>, time: Timestamp?, isCutOff: Bool
    ) -> CapturedPacket {
        var kind = CapturedPacket.Kind.other
        var content = bytes
        switch MonitorOpcode(rawValue: opcode) {
        case .command: kind = .command
        case .event: kind = .event
        case .dataSent: kind = .data(.sent)
        case .dataReceived: kind = .data(.received)
        case .newIndex where bytes.count >= 8:
            kind = .controllerAdded
            content = bytes.dropFirst(2).prefix(6)
        case .indexInformation where bytes.count >= 6:
            kind = .controllerAdded
            content = bytes.prefix(6)
        default: break
        }
        return CapturedPacket(time: time, adapter: adapter, kind: kind, bytes: Bytes(content), isCutOff: isCutOff)
    }
}
