// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@Suite("Numbers from Double", .timeLimit(.minutes(60)))
struct RoundingTests {
    private func check<T: Deserializable & FixedWidthInteger>(_ type: T.Type) {
        #expect(T(rounding: Double(T.min)) == T.min)
        #expect(T(rounding: Double(T.min) - 0.49) == T.min)
        #expect(T(rounding: Double(T.min) - 0.5) == nil)
        #expect(T(rounding: Double(T.max)) == T.max)
        #expect(T(rounding: Double(T.max) + 0.49) == T.max)
        #expect(T(rounding: Double(T.max) + 0.5) == nil)
        for value in [Double.nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude, 1e19, -1e19] {
            #expect(T(rounding: value) == nil)
        }
    }

    @Test
    func `an integer takes what rounds to its bounds and refuses the next unit, NaN and the infinities`() {
        check(Int8.self)
        check(UInt8.self)
        check(Int16.self)
        check(UInt16.self)
        check(Int32.self)
        check(UInt32.self)
    }

    @Test func `64 bits end where Double has its next number`() {
        #expect(Int64(rounding: 0x1p63) == nil)
        #expect(Int64(rounding: -0x1p63) == .min)
        #expect(Int64(rounding: (0x1p63).nextDown) == Int64.max - 1023)
        #expect(UInt64(rounding: 0x1p64) == nil)
        #expect(UInt64(rounding: (0x1p64).nextDown) == UInt64.max - 2047)
        #expect(UInt64(rounding: -0.4) == 0)
    }

    @Test func `narrow integers are held to their own bounds`() {
        #expect(UInt24(rounding: 16_777_215.4) == .max)
        #expect(UInt24(rounding: 16_777_215.5) == nil)
        #expect(UInt24(rounding: -0.5) == nil)
        #expect(Int24(rounding: -8_388_608.4) == .min)
        #expect(Int24(rounding: -8_388_608.5) == nil)
        #expect(UInt48(rounding: 281_474_976_710_655) == .max)
        #expect(UInt48(rounding: 281_474_976_710_656) == nil)
        #expect(UInt40(rounding: .nan) == nil)
        #expect(Int48(rounding: -.infinity) == nil)
    }

    @Test func `ties go away from zero unless the rule says otherwise`() {
        #expect(Int16(rounding: 2.5) == 3)
        #expect(Int16(rounding: -2.5) == -3)
        #expect(Int16(rounding: 2.5, .toNearestOrEven) == 2)
        #expect(UInt24(rounding: 2.9, .down) == 2)
    }

    @Test func `a Float takes what is nearest and refuses what is too great`() {
        #expect(Float(rounding: 0.1) == 0.1)
        #expect(Float(rounding: Double(Float.greatestFiniteMagnitude)) == .greatestFiniteMagnitude)
        #expect(Float(rounding: 1e39) == nil)
        #expect(Float(rounding: .nan) == nil)
        #expect(Float(rounding: -.infinity) == nil)
    }

    @Test func `the nearest integer is a bound for a number out of range, and 0 for NaN`() {
        #expect(Int8(nearest: 1.5) == 2)
        #expect(Int8(nearest: 200) == .max)
        #expect(Int8(nearest: -.infinity) == .min)
        #expect(UInt64(nearest: 0x1p64) == .max)
        #expect(Int16(nearest: .nan) == 0)
        #expect(UInt24(nearest: 1.5) == 2)
        #expect(UInt24(nearest: -1) == 0)
        #expect(UInt24(nearest: 0x1p24) == .max)
        #expect(Int24(nearest: -1e300) == .min)
        #expect(Int48(nearest: .nan) == 0)
    }
}
