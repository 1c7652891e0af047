// SPDX-License-Identifier: MIT

import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe

/// Reads advertisements of sensors for Tests/Tool/sensor_formats.py. A line has the data of companies and of services,
/// as `0499=0512…` and `181A=A4C1…` with `c` or `s` before each, and after a bar the name of the device; `kKEY=ADDRESS`
/// decrypts them. The answer has the format, the counter, the address, and between bars the values, each as
/// `NAME ORDINAL NUMBER UNIT`, and the events, as `@button 2 press 0`, or is empty.
/// The line `names` is answered by those of the library's formats, and `wFORMAT|KEY|ADDRESS|COUNTER|NAME=VALUE|…`, with
/// `-` for no key, by the service data of a frame that is made of these values.
@main
struct SensorFormatsPeer {
    static func main() {
        while let line = readLine() {
            print((try? answer(line)) ?? "")
        }
    }

    private static func answer(_ line: String) throws -> String {
        if line == "names" { return SensorFormats.shipped.names.joined(separator: "|") }
        if line.hasPrefix("w") { return try written(line.dropFirst().split(separator: "|")) }
        let parts = line.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        var advertisements = PeripheralAdvertisements(localName: parts.count > 1 ? String(parts[1]) : nil)
        var decryptor: BTHomeDecryptor?
        for word in parts[0].split(separator: " ") {
            let pair = word.dropFirst().split(separator: "=", omittingEmptySubsequences: false)
            if word.first == "k" {
                decryptor = BTHomeKey(try Bytes(hex: pair[0])).map {
                    BTHomeDecryptor(key: $0, device: PeerIdentifier(String(pair[1])))
                }
                continue
            }
            let data = try Bytes(hex: pair[1])
            if word.first == "s" {
                advertisements.serviceData[try BluetoothUUID(text: String(pair[0]))] = data
            } else if let company = UInt16(pair[0], radix: 16) {
                advertisements.manufacturerData[company] = data
            }
        }
        guard let reading = try decryptor?.decrypt(advertisements) ?? SensorReading(advertisements) else { return "" }
        let head = [
            reading.format, reading.counter.map { "\($0)" } ?? "-", reading.address?.hex ?? "-",
        ]
        let values = reading.values.map { value in
            let name = value.name.replacing(" ", with: "_")
            return "\(name) \(value.ordinal) \(value.number.map { "\($0)" } ?? "-") \(value.unit)"
        }
        let events = reading.events.map { "@\($0.part.rawValue) \($0.number) \($0.action.rawValue) \($0.count ?? 0)" }
        return (head + values + events).joined(separator: "|")
    }

    private static func written(_ parts: [Substring]) throws -> String {
        var values: [String: SensorSetting] = [:]
        for pair in parts.dropFirst(4).map({ $0.split(separator: "=") }) {
            values[String(pair[0])] = Double(pair[1]).map { .number($0) } ?? .word(String(pair[1]))
        }
        let frame = try SensorFormats.shipped.frame(
            of: String(parts[0]), values, counter: UInt64(parts[3]) ?? 0, address: try Bytes(hex: parts[2]),
            key: parts[1] == "-" ? nil : try Bytes(hex: parts[1]))
        return frame.advertisement.serviceData.values.first?.hex ?? ""
    }
}
