// SPDX-License-Identifier: MIT

#if Macros
import BlueCapLayout
import BlueCapProfiles
import Testing

@Suite("Layouts that the macro wrote", .timeLimit(.minutes(60)))
struct LayoutTests {
    private static let heartRates: [Bytes] = [
        [0x00, 0x48], [0x01, 0x2c, 0x01], [0x06, 0x50], [0x04, 0x50], [0x08, 0x50, 0x34, 0x12],
        [0x10, 0x50, 0x00, 0x04, 0xf2, 0x03], [0x1f, 0x2c, 0x01, 0xff, 0xff, 0x00, 0x04, 0xf2, 0x03],
        [0x10, 0x50], [0xe0, 0x50], [0x10, 0x50, 0x00, 0x04, 0xf2], [0x00, 0x48, 0x99],
    ]

    /// The measurement that is written by hand, as the declared one says it.
    private func declared(_ measurement: HeartRateService.Measurement) -> HeartRate {
        HeartRate(
            beatsPerMinute: measurement.beatsPerMinute, sensorContact: measurement.sensorContact.rawValue,
            energyExpended: measurement.energyExpended, rrIntervals: measurement.rrIntervals)
    }

    @Test(arguments: heartRates)
    func `a declared Heart Rate Measurement reads what the written one reads`(bytes: Bytes) throws {
        let written: HeartRateService.Measurement = try SerDe.deserialize(bytes)
        #expect(try SerDe.deserialize(bytes, as: HeartRate.self) == declared(written))
    }

    @Test(arguments: heartRates)
    func `a declared Heart Rate Measurement writes what the written one writes`(bytes: Bytes) throws {
        let written: HeartRateService.Measurement = try SerDe.deserialize(bytes)
        #expect(SerDe.serialize(declared(written)) == SerDe.serialize(written))
        #expect(declared(written).encodedByteCount == written.encodedByteCount)
    }

    @Test(arguments: heartRates)
    func `a cut Heart Rate Measurement fails as the written one does, at every length`(bytes: Bytes) {
        for length in 0...bytes.count {
            let cut = Bytes(bytes.prefix(length))
            #expect(error(cut, HeartRate.self) == error(cut, HeartRateService.Measurement.self))
        }
        #expect(error(Bytes(), HeartRate.self) == .truncated(needed: 1, available: 0, offset: 0))
    }

    private func error<T: ByteDecodable>(_ bytes: Bytes, _ type: T.Type) -> SerDeError? {
        do throws(SerDeError) {
            _ = try SerDe.deserialize(bytes, as: type)
            return nil
        } catch {
            return error
        }
    }

    private let climate = Climate(
        temperature: 22.56, humidity: 40.5, sequence: 0x0102_0304, slope: -6, samples: [1, -2], rest: [9, 8])

    @Test
    func `constants, scaled, big-endian and counted fields and the rest stand one behind the other`() throws {
        let bytes = SerDe.serialize(climate)
        #expect(bytes.hex == "07" + "d008" + "6500" + "01020304" + "fffe" + "02" + "0100feff" + "0908")
        #expect(climate.encodedByteCount == bytes.count)
        #expect(try SerDe.deserialize(bytes) == climate)
    }

    @Test func `another byte than the constant is refused where it stands`() throws {
        var bytes = SerDe.serialize(climate)
        bytes[0] = 8
        #expect(error(bytes, Climate.self) == .invalidValue(offset: 0))
    }

    @Test func `a big-endian constant is read in the order in which it is written`() throws {
        let bytes = SerDe.serialize(Marked(count: 1))
        #expect(bytes.hex == "beac01")
        #expect(try SerDe.deserialize(bytes) == Marked(count: 1))
        #expect(error([0xac, 0xbe, 0x01], Marked.self) == .invalidValue(offset: 0))
    }

    @Test func `the unknown value is nil both ways`() throws {
        var climate = climate
        climate.humidity = nil
        let bytes = SerDe.serialize(climate)
        #expect(bytes[3] == 0xff && bytes[4] == 0xff)
        #expect(try SerDe.deserialize(bytes) == climate)
    }

    @Test(arguments: [(1000.0, Int16.max), (-1000, .min), (.infinity, .max), (.nan, 0), (0.014, 1), (0.015, 2)])
    func `a scaled value out of range is written as the nearest that there is, and NaN as 0`(
        temperature: Double, raw: Int16
    ) throws {
        var climate = climate
        climate.temperature = temperature
        let (_, written) = try SerDe.deserialize(
            Bytes(SerDe.serialize(climate).prefix(3)), as: UInt8.self, Int16.self)
        #expect(written == raw)
    }

    @Test func `every step of a hundredth reads as the literal of that number`() throws {
        for raw in Int16(-1000)...1000 {
            let bytes = SerDe.serialize(UInt8(7), raw, UInt16(0), UInt32(0))
            let text = SerDe.serialize(UInt8(0), UInt8(0), UInt8(0))
            let climate: Climate = try SerDe.deserialize(Bytes(Array(bytes) + Array(text)))
            #expect(climate.temperature == Double("\(raw)e-2"))
        }
    }

    @Test func `an array with more elements than its count can tell is cut to the first`() throws {
        var climate = climate
        climate.samples = (0..<300).map { $0 }
        let back: Climate = try SerDe.deserialize(SerDe.serialize(climate))
        #expect(back.samples == (0..<255).map { $0 })
        #expect(back.rest == climate.rest)
    }

    @Test func `the elements of a counted array are values of any fixed size`() throws {
        let outing = Outing(strides: [.walk, .run], seconds: 9)
        let bytes = SerDe.serialize(outing)
        #expect(bytes.hex == "02" + "0201" + "0302" + "0900")
        #expect(try SerDe.deserialize(bytes) == outing)
        #expect(error(Bytes(bytes.prefix(3)), Outing.self) == .truncated(needed: 4, available: 2, offset: 1))
    }

    @Test func `the units of the fields are those of the value's text`() {
        func units<Value: StringDeserializable>(of type: Value.Type) -> [String: String] { type.units }
        #expect(units(of: Pressure.self) == ["pressure": "hPa"])
    }

    @Test func `the units stand by the names of the fields`() {
        #expect(Climate.units == ["temperature": "°C", "humidity": "%"])
        #expect(Everything.units == ["distance": "m"])
    }

    @Test
    func `every combination of fields that are there comes back, and each is refused when a byte is missing`() throws {
        for bits in 0..<32 {
            let value = Everything(
                isMetric: bits & 1 != 0, side: bits & 1 == 0 ? .left : .right,
                distance: bits & 2 == 0 ? nil : 1_234.5, inner: bits & 4 == 0 ? nil : Inner(turns: 77, time: 5),
                name: bits & 8 == 0 ? "" : "Zürich", output: bits & 16 == 0 ? nil : 0x0102, value: 3, flags: 4)
            let bytes = SerDe.serialize(value)
            #expect(bytes.count == value.encodedByteCount)
            #expect(try SerDe.deserialize(bytes) == value)
            for length in 0..<bytes.count {
                guard case .truncated = error(Bytes(bytes.prefix(length)), Everything.self) else {
                    Issue.record("\(length) of \(bytes.count) bytes are taken for a value")
                    continue
                }
            }
        }
    }

    @Test func `bits that are no raw value are refused, with the place of the flags`() {
        #expect(error([0x06, 0, 0, 1, 2], Everything.self) == .invalidValue(offset: 0))
    }

    @Test func `flags are sent in all their bytes`() {
        let value = Everything(
            isMetric: true, side: .right, distance: nil, inner: nil, name: "", output: 0x0102, value: 3, flags: 4)
        #expect(SerDe.serialize(value) == [0x05, 0x00, 0x80, 0x01, 0x02, 0x03, 0x04])
    }
}
#endif
