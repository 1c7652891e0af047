// SPDX-License-Identifier: MIT

// The firmware's end of a service that is declared once, as a program in Embedded mode: `.ci/run embedded` runs it on
// this machine, and also compiles its modules for microcontrollers.

import BlueCapProfiles
import BlueCapSerDe

nonisolated(unsafe) var (passed, failed) = (0, 0)

/// Counts a passed check, or reports a failed one.
func check(_ holds: Bool, _ what: StaticString) {
    if holds {
        passed += 1
    } else {
        failed += 1
        print(what)
    }
}

for (sample, bytes) in SoilService.samples {
    check(SerDe.serialize(sample) == bytes, "a sample has other bytes")
    check((try? SerDe.deserialize(bytes, as: SoilService.Sample.self)) == sample, "bytes are another sample")
}
do throws(SerDeError) {
    _ = try SerDe.deserialize([101, 0, 0, 0, 0, 0, 0] as Bytes, as: SoilService.Sample.self)
    check(false, "a moisture of 101 % was taken")
} catch {
    check(error == .invalidValue(offset: 0), "a moisture of 101 % gave another error")
}
do throws(SerDeError) {
    _ = try SerDe.deserialize([1, 2] as Bytes, as: SoilService.Sample.self)
    check(false, "two bytes were taken for a sample")
} catch {
    check(error == .truncated(needed: 2, available: 1, offset: 1), "two bytes gave another error")
}
check(SoilService.Sampling(rawValue: 1) == .on && SoilService.Sampling(rawValue: 2) == nil, "the cases are others")

let measurement = HeartRateService.Measurement(beatsPerMinute: 300, rrIntervals: [1024, 1010])
check(SerDe.serialize(measurement) == [0x11, 0x2C, 1, 0, 4, 0xF2, 3], "a heart rate has other bytes")
check((try? SerDe.deserialize(SerDe.serialize(measurement))) == measurement, "a heart rate is read as another")
check(BatteryService.Level(rawValue: 101) == nil, "a level of 101 % was taken")
check(MedFloat(mantissa: 3640, exponent: -2)?.description == "36.40", "a number has another text")
check(Extremes<Int16>("-20...310")?.maximum == 310, "a range is read as another")

print("\(passed) passed, \(failed) failed")
if failed > 0 { fatalError() }
