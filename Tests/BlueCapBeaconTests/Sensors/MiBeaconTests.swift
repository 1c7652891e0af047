// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapTestExecutor
import Testing

@testable import BlueCapBeacon

@Suite("Frames of MiBeacon", .timeLimit(.minutes(60)))
struct MiBeaconTests {
    private func reading(_ hex: String) throws -> SensorReading? {
        SensorReading(PeripheralAdvertisements(serviceData: ["FE95": try Bytes(hex: hex)]))
    }

    // Recorded frames of devices, as the tests of decoders of others have them.
    @Test(
        arguments: [
            ("5020aa01da219335342d580d1004fe004802", "temperature 25.4 °C, humidity 58.4 %", 0xDA, "582d34359321"),
            ("7120980012f34f6b8d7cc40d041002c400", "temperature 19.6 °C", 0x12, "c47c8d6b4ff3"),
            ("503053013f7450e94124f8011003000000", "button press", 0x3F, "f82441e95074"),
        ] as [(String, String, UInt64, String)])
    func `a recorded frame has its values, its number and its address`(
        _ hex: String, _ text: String, _ counter: UInt64, _ address: String
    ) throws {
        let reading = try #require(try reading(hex))
        #expect(reading.format == "MiBeacon")
        #expect("\(reading)" == text)
        #expect(reading.counter == counter)
        #expect(reading.address?.hex == address)
        #expect(!reading.isEncrypted)
    }

    @Test(
        arguments: [
            ("07100364000008100132", "illuminance 100 lx, moisture 50 %"), ("0910022c01", "conductivity 300 µS/cm"),
            ("0a100161", "battery 97 %"), ("0a1001ff", "battery unknown"), ("061002f401", "humidity 50 %"),
            ("061002ffff", "humidity unknown"), ("041002ffff", "temperature -0.1 °C"),
            ("0f0003010000", "motion detected"), ("1710043c000000", "motion none"), ("18100101", "light detected"),
            ("19100100", "opening open"), ("19100101", "opening closed"), ("19100103", ""),
            ("15100101", "smoke detected"), ("14100100", "moisture dry"), ("014804cdccac41", "temperature 21.6 °C"),
            ("0148040000807f", "temperature unknown"), ("164e0901401f000000000000", "mass 80 kg"),
            ("166e090120d3d00c00000000", "mass 80 kg, impedance 82 Ω"),
            // Twice the same: the later one counts.
            ("041002c400041002d200", "temperature 21 °C"),
            // An object that is not known, and one of another length than its kind has.
            ("ff7f0200000a100161", "battery 97 %"), ("041003010203", ""),
        ])
    func `an object has its value`(_ objects: String, _ text: String) throws {
        #expect(try reading("4020980001\(objects)")?.description == text)
    }

    @Test(
        arguments: [
            (0x98, "011003000001", "button double press"), (0x98, "011003020002", "button 3 long press"),
            (0x98, "011003000009", ""), (0x0153, "011003060000", ""), (0x0A8D, "011003050000", "button press"),
            (0x1569, "011003020001", "button long press, button 2 long press"), (0x1569, "011003030001", ""),
            (0x03B6, "011003000203", "dimmer press 2"), (0x03B6, "011003010403", "dimmer long press 4"),
            (0x03B6, "011003000304", "dimmer rotate right 3"), (0x03B6, "01100300fd04", "dimmer rotate left 3"),
            (0x03B6, "011003020004", "dimmer rotate right pressed 2"),
            (0x03B6, "011003fe0004", "dimmer rotate left pressed 2"), (0x04E1, "011003010000", "dimmer rotate left"),
            (0x1949, "0d4e0103", "button double press, button 2 double press"), (0x1949, "0d4e0104", ""),
            (0x1C10, "0c4e010f", "button double press"), (0x5968, "0e4a0101", "button 2 long press"),
            (0x3A61, "0c560104", "button 4 press"), (0x3A61, "0c560105", ""),
            (0x520B, "0d560100", "button double press"),
        ] as [(UInt16, String, String)])
    func `an object of a product has its events`(_ product: UInt16, _ objects: String, _ text: String) throws {
        let number = SerDe.serialize(product).hex
        #expect(try reading("4050\(number)07\(objects)")?.description == text)
    }

    @Test func `a frame without objects, of a mesh, or of another version is not claimed`() throws {
        for hex in ["102098000112345678", "c020980001041002c400", "4010980001041002c400", "4060980001041002c400"] {
            #expect(try reading(hex) == nil, "\(hex)")
        }
    }

    @Test func `a frame that is cut is not claimed, but between its objects`() throws {
        let frame = try Bytes(hex: "5020aa01da219335342d580d1004fe0048020a100161")
        for count in 0..<frame.count {
            let reading = SensorReading(PeripheralAdvertisements(serviceData: ["FE95": Bytes(frame.prefix(count))]))
            #expect(reading?.values.count == (count == 18 ? 2 : nil), "\(count)")
        }
        for more in 1...2 {
            let longer = frame + Bytes(repeating: 0x10, count: more)
            #expect(SensorReading(PeripheralAdvertisements(serviceData: ["FE95": longer])) == nil)
        }
    }

    @Test(arguments: [1 as UInt64])
    func `random bytes are read to numbers of their kinds or to nothing`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var claimed = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...31, using: &random)
            var frame = Bytes((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
            if frame.count > 8 {
                (frame[0], frame[1]) = (frame[0] & 0x7F | 0x40, 0x50)
                if Bool.random(using: &random) {
                    (frame[0], frame[7]) = (0x40, UInt8(count - 8))
                    frame[6] = [0x00, 0x10, 0x48, 0x4A, 0x4E][count % 5]
                }
            }
            guard let reading = SensorReading(PeripheralAdvertisements(serviceData: ["FE95": frame])) else { continue }
            claimed += 1
            for value in reading.values {
                #expect(value.number?.isFinite ?? true, "\(frame)")
                #expect(!value.isState || [0, 1].contains(value.number), "\(frame)")
            }
            #expect(reading.values.isEmpty || !reading.isEncrypted)
        }
        #expect(claimed > 1000)
    }

    @Test func `a frame that is made of values has them`() throws {
        func made(_ values: [String: SensorSetting], address: Bytes? = nil) throws -> SensorReading? {
            let frame = try SensorFormats.shipped.frame(of: "MiBeacon", values, counter: 258, address: address)
            #expect(frame.address == address)
            let reading = SensorReading(PeripheralAdvertisements(serviceData: frame.advertisement.serviceData))
            #expect(reading?.counter == 2 && reading?.address == address && reading?.description == frame.text)
            return reading
        }
        let numbers: [String: Double] = [
            "temperature": -12.3, "humidity": 99.9, "illuminance": 70_000, "conductivity": 65_535, "battery": 100,
        ]
        let reading = try #require(try made(numbers.mapValues { .number($0) }, address: [1, 2, 3, 4, 5, 6]))
        #expect(Dictionary(uniqueKeysWithValues: reading.values.map { ($0.name, $0.number) }) == numbers)
        for (name, off, on) in [
            ("opening", "closed", "open"), ("motion", "none", "detected"), ("light", "none", "detected"),
            ("smoke", "none", "detected"), ("power", "off", "on"), ("moisture", "dry", "wet"),
        ] {
            #expect(try made([name: .state(false)])?.description == "\(name) \(off)")
            #expect(try made([name: .word(on)])?.description == "\(name) \(on)")
        }
        #expect(try made(["moisture": .number(40)])?.description == "moisture 40 %")
        #expect(try made(["temperature": .word("21.04 °C")])?.description == "temperature 21 °C")
    }

    @Test(
        arguments: [
            (["temprature": .number(1)], .value("temprature")),
            (["temperature 2": .number(1)], .value("temperature 2")),
            (["temperature": .number(3276.8)], .value("temperature")), (["humidity": .number(101)], .value("humidity")),
            (["temperature": .number(.nan)], .value("temperature")), (["humidity": .unknown], .value("humidity")),
            (["opening": .number(1)], .value("opening")), (["battery": .number(-1)], .value("battery")), ([:], .values),
        ] as [([String: SensorSetting], SensorFrameError.Part)])
    func `values that no frame can have are refused`(values: [String: SensorSetting], part: SensorFrameError.Part) {
        let error = #expect(throws: SensorFrameError.self) {
            try SensorFormats.shipped.frame(of: "MiBeacon", values, counter: 0)
        }
        #expect(error?.part == part, "\(error?.reason ?? "")")
    }
}
