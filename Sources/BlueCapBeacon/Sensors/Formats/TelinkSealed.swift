// SPDX-License-Identifier: MIT

import BlueCapSerDe

/// The encrypted frames of the firmwares ATC1441 and pvvx of thermometers with a chip of Telink
/// (github.com/pvvx/ATC_MiThermometer): a counter of one byte, the measurements, and a tag.
///
/// Nothing but their length distinguishes them from the data that others send as of their service, so that only their
/// key decides.
enum TelinkSealed {
    static let formats = [
        format("ATC1441 encrypted", byteCount: 3) { body in
            [
                (temperature, Double(body[0]) / 2 - 40), (humidity, Double(body[1]) / 2),
                (battery, Double(body[2] & 0x7F)),
            ]
        },
        format("pvvx encrypted", byteCount: 6) { body in
            [
                (temperature, Double(Int16(truncatingIfNeeded: Int(body[0]) | Int(body[1]) << 8)) / 100),
                (humidity, Double(Int(body[2]) | Int(body[3]) << 8) / 100), (battery, Double(body[4])),
            ]
        },
    ]

    private static let temperature = SensorKind.number("temperature")
    private static let humidity = SensorKind.number("humidity")
    private static let battery = SensorKind.number("battery")
    private static let tagByteCount = 4

    private static func format(
        _ name: String, byteCount: Int, _ values: @escaping @Sendable (Bytes) -> [(kind: SensorKind?, number: Double)]
    ) -> SensorFormat {
        let length = 1 + byteCount + tagByteCount
        let parts = SensorFormat.Parts(
            name: name, sources: [.service("181A")], lengths: length...length, isKnownByKey: true)
        return SensorFormat(parts) { frame in
            guard frame.count == length else { return nil }
            let counter = frame[0]
            // The nonce has the structure of the advertisement around the data: its length, its type and the service.
            let tail: Bytes = [UInt8(truncatingIfNeeded: length + 3), 0x16, 0x1A, 0x18, counter]
            let sealed = SealedFrame.Parts(
                body: Bytes(frame[1...byteCount]), tag: Bytes(frame.suffix(tagByteCount)), nonceTail: tail,
                counter: UInt32(counter), isOrdered: false)
            return SensorReading(
                format: name, counter: UInt64(counter),
                sealed: SealedFrame(sealed) { body in
                    guard body.count == byteCount else { return nil }
                    let values = values(body).compactMap { kind, number in
                        let isKnown = kind != humidity && kind != battery || number <= 100
                        return kind.map {
                            SensorValue($0, unit: $0.units.first ?? "", ordinal: 1, number: isKnown ? number : nil)
                        }
                    }
                    return SensorReading(format: name, values: values, counter: UInt64(counter))
                })
        }
    }
}
