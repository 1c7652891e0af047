// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@Suite("Decimal numbers of medical devices", .timeLimit(.minutes(60)))
struct MedicalFloatTests {
    @Test
    func `each of the 65536 short patterns comes back from bytes, from text, and as a number from Double`() throws {
        for pattern in UInt16.min...UInt16.max {
            let value = SFloat(bitPattern: pattern)
            let bytes = SerDe.serialize(value)
            try hold(bytes == Bytes([UInt8(truncatingIfNeeded: pattern), UInt8(pattern >> 8)]), value)
            try hold(SerDe.deserialize(bytes, as: SFloat.self) == value, value)
            try hold(SFloat(value.description) == value, value)
            guard value.isFinite else { continue }
            try hold(SFloat(mantissa: value.mantissa, exponent: value.exponent) == value, value)
            try hold(value.doubleValue == Double("\(value.mantissa)e\(value.exponent)"), value)
            if abs(value.mantissa) <= 2045 {
                try hold(SFloat(value.doubleValue).doubleValue == value.doubleValue, value)
                try hold(SFloat(rounding: value.doubleValue, exponent: value.exponent) == value, value)
            }
        }
    }

    @Test func `random long patterns come back from bytes, from text, and as a number from Double`() throws {
        var random = SplitMix64(seed: 32)
        for _ in 0..<20_000 {
            let value = MedFloat(bitPattern: UInt32.random(in: .min ... .max, using: &random))
            try hold(SerDe.deserialize(SerDe.serialize(value), as: MedFloat.self) == value, value)
            try hold(MedFloat(value.description) == value, value)
            guard value.isFinite else { continue }
            try hold(value.doubleValue == Double("\(value.mantissa)e\(value.exponent)"), value)
            if abs(value.mantissa) <= MedFloat.greatestMantissa {
                try hold(MedFloat(value.doubleValue).doubleValue == value.doubleValue, value)
                try hold(MedFloat(rounding: value.doubleValue, exponent: value.exponent) == value, value)
            }
        }
    }

    @Test func `known values have their known bits`() throws {
        // 36.4 = 364 × 10^−1: exponent 0xFF, mantissa 0x00016C (256 + 108 = 364).
        #expect(MedFloat(36.4).bitPattern == 0xff00_016c)
        #expect(SerDe.serialize(MedFloat(36.4)) == [0x6c, 0x01, 0x00, 0xff])
        // 36.40 = 3640 × 10^−2: exponent 0xFE, mantissa 0x000E38 (14 × 256 + 3 × 16 + 8 = 3640).
        #expect(MedFloat(rounding: 36.4, exponent: -2)?.bitPattern == 0xfe00_0e38)
        // 114 = 0x72 with exponent 0.
        #expect(SFloat(114).bitPattern == 0x0072)
        // −1.5 = −15 × 10^−1: exponent 0xF, mantissa 0x1000 − 15 = 0xFF1 of 12 bits.
        #expect(SFloat(-1.5).bitPattern == 0xfff1)
        // 98.6 = 986 × 10^−1: exponent 0xF, mantissa 0x3DA (3 × 256 + 13 × 16 + 10 = 986).
        #expect(SFloat(98.6).bitPattern == 0xf3da)
        #expect(SFloat(0).bitPattern == 0)
        #expect(SFloat(-0.0).bitPattern == 0)
    }

    @Test func `the special values have their bits, their text and no number`() throws {
        let short: [(SFloat, UInt16, String)] = [
            (.nan, 0x07ff, "NaN"), (.notAtThisResolution, 0x0800, "NRes"), (.positiveInfinity, 0x07fe, "+INF"),
            (.negativeInfinity, 0x0802, "-INF"), (.reserved, 0x0801, "Reserved"),
        ]
        for (value, bits, text) in short {
            #expect(value.bitPattern == bits)
            #expect(value.description == text)
            #expect(!value.isFinite)
            #expect(SFloat(mantissa: value.mantissa, exponent: 0) == nil)
        }
        #expect(MedFloat.nan.bitPattern == 0x007f_ffff)
        #expect(MedFloat.notAtThisResolution.bitPattern == 0x0080_0000)
        #expect(MedFloat.positiveInfinity.bitPattern == 0x007f_fffe)
        #expect(MedFloat.negativeInfinity.bitPattern == 0x0080_0002)
        #expect(MedFloat.reserved.bitPattern == 0x0080_0001)
        #expect(MedFloat.positiveInfinity.doubleValue == .infinity)
        #expect(MedFloat.negativeInfinity.doubleValue == -.infinity)
        #expect(MedFloat.nan.doubleValue.isNaN)
        #expect(MedFloat.notAtThisResolution.doubleValue.isNaN)
        #expect(MedFloat.reserved.doubleValue.isNaN)
        #expect(SFloat.nan.isNaN)
        #expect(!SFloat.notAtThisResolution.isNaN)
    }

    @Test func `special Doubles become special values, and are refused where a number is wanted`() {
        #expect(SFloat(Double.nan) == .nan)
        #expect(SFloat(Double.infinity) == .positiveInfinity)
        #expect(SFloat(-Double.infinity) == .negativeInfinity)
        #expect(SFloat(rounding: .nan) == nil)
        #expect(SFloat(rounding: .infinity) == nil)
        #expect(SFloat(rounding: -.infinity) == nil)
        #expect(SFloat(rounding: .nan, exponent: 0) == nil)
    }

    @Test
    func `the greatest numbers are taken to the last unit, and what rounds to more is out of range`() {
        #expect(SFloat(rounding: 2045e7)?.bitPattern == 0x77fd)
        #expect(SFloat(rounding: 20_454_999_999)?.bitPattern == 0x77fd)
        #expect(SFloat(rounding: 20_455_000_000) == nil)
        #expect(SFloat(rounding: -20_455_000_000) == nil)
        #expect(SFloat(20_455_000_000.0) == .positiveInfinity)
        #expect(SFloat(-1e300) == .negativeInfinity)
        #expect(MedFloat(rounding: 8_388_605e127)?.doubleValue == 8_388_605e127)
        #expect(MedFloat(rounding: 8_388_606e127) == nil)
        #expect(SFloat(rounding: 4e-9)?.bitPattern == 0)
        #expect(SFloat(rounding: 1e-8) == SFloat(mantissa: 1, exponent: -8))
        #expect(MedFloat(rounding: .leastNonzeroMagnitude)?.bitPattern == 0)
        #expect(SFloat(rounding: 204.6, exponent: -1) == nil)
        #expect(SFloat(rounding: 1, exponent: 8) == nil)
        #expect(SFloat(rounding: 1, exponent: -9) == nil)
    }

    @Test func `a Double loses less than half a unit of the last digit that fits`() throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<10_000 {
            let value =
                Double.random(in: -1000...1000, using: &random) / Double(Int.random(in: 1...1000, using: &random))
            let float = SFloat(value)
            // With one decimal more the mantissa would be above 2045, so a unit is less than 10/2045 of the number; the
            // smallest unit there is is 10^−8.
            try hold(abs(float.doubleValue - value) <= max(abs(value) * 10 / 2045, 1e-8) * 0.500_001, value)
        }
        #expect(SFloat(1.0 / 3).description == "0.333")
        #expect(SFloat(0.1).description == "0.1")
        #expect(SFloat(1234.5678).description == "1235")
        #expect(SFloat(12345.678).description == "1235e1")
        #expect(MedFloat(1.0 / 3).description == "0.3333333")
    }

    @Test(arguments: [
        ("36.40", 3640, -2), ("-0.05", -5, -2), ("+7", 7, 0), ("12e3", 12, 3), ("1.5e3", 15, 2), ("0.0", 0, -1),
        ("2000e1", 2000, 1), ("0020", 20, 0),
    ])
    func `text keeps its digits where they fit`(text: String, mantissa: Int, exponent: Int) throws {
        let value = try #require(MedFloat(text))
        #expect(value.mantissa == mantissa)
        #expect(value.exponent == exponent)
    }

    @Test func `text with more digits than fit becomes the nearest number`() {
        #expect(SFloat("16.4444")?.description == "16.44")
        #expect(SFloat("36.4444")?.description == "36.4")
        #expect(SFloat("20000") == SFloat(mantissa: 2000, exponent: 1))
        #expect(SFloat("3.14159265358979323846264338327950288")?.description == "3.14")
    }

    @Test(arguments: [
        "", "-", "1.", ".5", "1e", "1e+", "e1", "1 ", " 1", "1,5", "0x10", "nan", "infinity",
        "1e99999999999999999999",
        "1e300", "1.5.5", "１",
    ])
    func `other text is refused`(text: String) {
        #expect(MedFloat(text) == nil)
    }

    @Test func `equal numbers with different resolution are different values`() throws {
        let fine = try #require(MedFloat("36.40"))
        let coarse = try #require(MedFloat("36.4"))
        #expect(fine != coarse)
        #expect(fine.doubleValue == coarse.doubleValue)
    }
}
