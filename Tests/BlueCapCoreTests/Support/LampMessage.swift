// SPDX-License-Identifier: MIT

import BlueCapSerDe

@testable import BlueCapCore

/// Two bytes or more of a control point: requests 1...15 with a parameter, 0x80 for a response, 9 to abort.
struct LampMessage: ControlPointMessage {
    static let uuid: BluetoothUUID = "2A19"
    static let succeeded: UInt8 = 1
    static let failed: UInt8 = 4
    static let abort: Self? = Self(opCode: 9)

    var opCode: UInt8
    var parameter: Bytes = []

    var outcome: (request: UInt8, result: UInt8)? {
        opCode == 0x80 && parameter.count >= 2 ? (parameter[0], parameter[1]) : nil
    }

    init(opCode: UInt8, parameter: Bytes = []) { (self.opCode, self.parameter) = (opCode, parameter) }

    init(to request: UInt8, _ result: UInt8) { self.init(opCode: 0x80, parameter: [request, result]) }

    init(from reader: inout ByteReader) throws(SerDeError) {
        opCode = try reader.read()
        parameter = try reader.read()
    }

    var encodedByteCount: Int { 1 + parameter.count }

    func encode(into output: inout OutputRawSpan) {
        output.write(opCode)
        output.write(parameter)
    }
}

/// The same without a way to abort.
struct PlainLampMessage: ControlPointMessage {
    static let uuid = LampMessage.uuid
    static let succeeded: UInt8 = 1
    static let failed: UInt8 = 4

    var message: LampMessage

    var opCode: UInt8 { message.opCode }
    var outcome: (request: UInt8, result: UInt8)? { message.outcome }

    init(opCode: UInt8) { message = LampMessage(opCode: opCode) }
    init(to request: UInt8, _ result: UInt8) { message = LampMessage(to: request, result) }
    init(from reader: inout ByteReader) throws(SerDeError) { message = try LampMessage(from: &reader) }
    var encodedByteCount: Int { message.encodedByteCount }
    func encode(into output: inout OutputRawSpan) { message.encode(into: &output) }
}
