// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The encrypted frames of the firmwares ATC1441 and pvvx of thermometers with a chip of Telink
/// (github.com/pvvx/ATC_MiThermometer): a counter of one byte, the measurements, and a tag.
///
/// Nothing but their length distinguishes them from the data that others send as of their service, so that only their
/// key decides.
enum TelinkSealed {
    static let formats = (try? SensorFormats(json: measurements.utf8))?.all.map(format) ?? []

    /// The decrypted bytes.
    private static let measurements = #"""
        {"schema": "bluecap-sensors", "version": 1, "formats": [
          {"name": "ATC1441 encrypted", "service": "181A", "length": 3,
            "fields": [
              {"kind": "temperature", "at": 0, "type": "uint8", "factor": 0.5, "offset": -40},
              {"kind": "humidity", "at": 1, "type": "uint8", "factor": 0.5},
              {"kind": "battery", "at": 2, "type": "uint8", "bits": [0, 6]}
            ]},
          {"name": "pvvx encrypted", "service": "181A", "length": 6,
            "fields": [
              {"kind": "temperature", "at": 0, "type": "int16", "factor": 0.01},
              {"kind": "humidity", "at": 2, "type": "uint16", "factor": 0.01},
              {"kind": "battery", "at": 4, "type": "uint8"}
            ]}
        ]}
        """#

    private static let tagByteCount = 4

    private static func format(_ measurements: SensorFormat) -> SensorFormat {
        let byteCount = measurements.parts.lengths.lowerBound
        let length = 1 + byteCount + tagByteCount
        var parts = measurements.parts
        (parts.lengths, parts.fields, parts.isKnownByKey) = (length...length, [], true)
        let writer = SensorFormat.Writer(valueNames: measurements.valueNames) {
            (values, counter, _, _) throws(SensorFrameError) in
            var writer = try SensorFrameWriter(measurements, values)
            let body = try writer.write(counter: 0, name: nil, address: nil).frame
            let head: Bytes = [UInt8(counter % 256)]
            let tag = Bytes(repeating: 0, count: tagByteCount)
            return SensorFormat.Draft(frame: head + body + tag, body: 1..<1 + byteCount)
        }
        return SensorFormat(parts, writer: writer) { frame in
            guard frame.count == length else { return nil }
            let counter = frame[0]
            // The nonce has the structure of the advertisement around the data: its length, its type and the service.
            let tail: Bytes = [UInt8(truncatingIfNeeded: length + 3), 0x16, 0x1A, 0x18, counter]
            let sealed = SealedFrame.Parts(
                body: Bytes(frame[1...byteCount]), tag: Bytes(frame.suffix(tagByteCount)), nonceTail: tail,
                counter: UInt32(counter), isOrdered: false)
            return SensorReading(
                format: measurements.name, counter: UInt64(counter),
                sealed: SealedFrame(sealed) { body in
                    measurements.reading(of: body, name: nil).map {
                        SensorReading(format: $0.format, values: $0.values, counter: UInt64(counter))
                    }
                })
        }
    }
}
