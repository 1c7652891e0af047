// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

@Suite("A field of several bits among flags", .timeLimit(.minutes(60)))
struct BitFieldTests {
    @Test(
        arguments: [
            (0x0000, "none"), (0x0008, "Pulse Rate Too High"), (0x0010, "Pulse Rate Too Low"),
            (0x0018, "Pulse Rate Range Reserved (3)"),
            (
                0x003F,
                "Body Movement, Cuff Too Loose, Irregular Pulse, Pulse Rate Range Reserved (3), Improper Position"
            ),
            (0x8019, "Body Movement, Pulse Rate Range Reserved (3), bit 15"),
        ] as [(UInt16, String)])
    func `says of the pulse range what its two bits say together`(bits: UInt16, text: String) {
        let status = BloodPressureService.Status(rawValue: bits)
        #expect(status.description == text)
        #expect(BloodPressureService.Status(text) == status)
    }

    @Test(
        arguments: [
            (0x10_0000, "Not for a Distributed System"), (0x20_0000, "For a Distributed System"),
            (0x30_0000, "Distributed System Support Reserved (3)"),
            (0x30_0008, "Crank Revolution Data, Distributed System Support Reserved (3)"),
        ] as [(UInt32, String)])
    func `says of a distributed system what its two bits say together`(bits: UInt32, text: String) {
        let feature = CyclingPowerService.Feature(rawValue: bits)
        #expect(feature.description == text)
        #expect(CyclingPowerService.Feature(text) == feature)
    }

    @Test func `contains none of its values but the one that it has`() {
        let status = BloodPressureService.Status(rawValue: 0x19)
        #expect(status.contains(.bodyMovement))
        #expect(!status.contains(.pulseRateTooHigh))
        #expect(!status.contains(.pulseRateTooLow))
        #expect(!status.contains([.bodyMovement, .pulseRateTooLow]))
        #expect(BloodPressureService.Status(rawValue: 0x11).contains([.bodyMovement, .pulseRateTooLow]))
        #expect(!CyclingPowerService.Feature(rawValue: 0x30_0000).contains(.forDistributedSystem))
    }

    @Test func `is reserved in a blood pressure measurement`() throws {
        // 10: a status follows; three times 120 mmHg.
        let value = try SerDe.deserialize(
            [0x10, 0x78, 0, 0x78, 0, 0x78, 0, 0x18, 0] as Bytes, as: BloodPressureService.Measurement.self)
        #expect(value.stringValue["status"] == "Pulse Rate Range Reserved (3)")
    }
}
