// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import Testing

@Suite("A service that is declared once", .timeLimit(.minutes(60)))
struct SoilServiceTests {
    @Test func `has the same bytes on the gateway as in the firmware, which Tests/Embedded compiles`() throws {
        for (sample, bytes) in SoilService.samples {
            #expect(SerDe.serialize(sample) == bytes)
            #expect(try SerDe.deserialize(bytes) == sample)
        }
        #expect(throws: SerDeError.invalidValue(offset: 0)) {
            try SerDe.deserialize([101, 0, 0, 0, 0, 0, 0] as Bytes, as: SoilService.Sample.self)
        }
    }

    @Test func `is offered by a peripheral as it is declared`() {
        let service = MutableService(profile: ConfiguredServiceProfile<SoilService>())
        #expect(service.uuid == SoilService.uuid)
        #expect(service.name == "Soil")
    }
}
