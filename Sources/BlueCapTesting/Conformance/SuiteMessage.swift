// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// A message of the suite's control point: op code and parameter; 0x80 is a response, 9 aborts.
struct SuiteMessage: ControlPointMessage {
    static let uuid = BluetoothUUID.characteristic(0)
    static let succeeded: UInt8 = 1
    static let failed: UInt8 = 4
    static let abort: Self? = Self(opCode: 9)

    let opCode: UInt8
    var parameter: Bytes = []

    init(opCode: UInt8) { self.opCode = opCode }

    init(to request: UInt8, _ result: UInt8) { (opCode, parameter) = (0x80, [request, result]) }

    init(from reader: inout ByteReader) throws(SerDeError) {
        opCode = try reader.read()
        parameter = try reader.read()
    }

    var outcome: (request: UInt8, result: UInt8)? {
        opCode == 0x80 && parameter.count >= 2 ? (parameter[0], parameter[1]) : nil
    }

    var encodedByteCount: Int { 1 + parameter.count }

    func encode(into output: inout OutputRawSpan) {
        output.write(opCode)
        output.write(parameter)
    }
}
