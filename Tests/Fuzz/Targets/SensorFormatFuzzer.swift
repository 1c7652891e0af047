// SPDX-License-Identifier: MIT

import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe

/// Files of sensor formats, as they are and with changes, and frames of the formats that come out.
struct SensorFormatFuzzer {
    /// The short ones: an input is to take little time.
    private static let texts = SensorFormats.texts.map { Array($0.utf8) }.filter { $0.count < 2500 }

    func run(_ input: inout FuzzInput) {
        switch input.byte() % 4 {
        case 0: Self.read(input.rest(), Bytes())
        case 1:
            // A part of a file of the library is replaced.
            var text = input.pick(Self.texts)
            let start = min(Int(input.word()), text.count)
            let end = min(start + Int(input.byte() % 16), text.count)
            text.replaceSubrange(start..<end, with: input.counted())
            Self.read(text, Bytes(input.rest()))
        case 2:
            let (key, name) = (input.word(), input.pick(Self.names))
            Self.check(.shipped, key, Bytes(input.rest()), name)
        default:
            // A list of objects or an encrypted frame, whose first bytes say how to go on.
            Self.check(.shipped, input.pick([0xFE95, 0x181A]), Bytes(input.rest()), "")
        }
    }

    /// Names of devices, and the beginning of one.
    private static let names = ["sps", "tps", "iBBQ", "IBS-P02B", "TP357 (2142)", "GVH5102_1", "GVH5106_1", "G", ""]

    private static func read(_ text: [UInt8], _ frame: Bytes) {
        do throws(SensorFormatError) {
            let formats = try SensorFormats(json: text)
            for key in [0x0499, 0xEC88, 0x0001, 0x181A, 0xFD3D, 0xFEAA] as [UInt16] {
                check(formats, key, frame, "GVH5102_1")
            }
        } catch {
            expect(!error.mistakes.isEmpty && !"\(error)".isEmpty, "a file is refused without a reason")
        }
    }

    private static func check(_ formats: SensorFormats, _ key: UInt16, _ frame: Bytes, _ name: String) {
        let advertisements = PeripheralAdvertisements(
            localName: name, manufacturerData: [key: frame], serviceData: [BluetoothUUID(key): frame])
        for reading in formats.readings(in: advertisements) {
            expect(reading.values.count <= 32, "\(reading.values.count) values")
            expect(!reading.isEncrypted || reading.values.isEmpty && reading.events.isEmpty, "values without a key")
            for event in reading.events {
                expect(event.number >= 1 && (event.count ?? 0) >= 0, "\(event) of \(frame)")
            }
            expect(reading.address.map { $0.count == 6 } ?? true, "an address of other than six bytes")
            for value in reading.values {
                expect(value.number?.isFinite ?? true, "\(reading.format): \(value) of \(frame)")
                expect(!value.isState || [nil, 0, 1].contains(value.number), "\(reading.format): \(value)")
            }
        }
    }
}
