// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import BlueCapVendorProfiles
import Testing

private typealias SelfTest = TISensorTag.SensorTagTestService
private typealias Keys = TISensorTag.KeyPressedService

@Suite("The SensorTag's self-test and keys", .timeLimit(.minutes(60)))
struct TestAndKeysTests {
    @Test func `UUIDs, names, tags and properties are those that both roles use`() {
        #expect(SelfTest.uuid == "F000AA60-0451-4000-B000-000000000000")
        #expect(SelfTest.Data.uuid == "F000AA61-0451-4000-B000-000000000000")
        #expect(SelfTest.Enabled.uuid == "F000AA62-0451-4000-B000-000000000000")
        #expect([SelfTest.name, SelfTest.tag] == ["TI Sensor Tag Test", "TI Sensor Tag"])
        #expect([SelfTest.Data.name, SelfTest.Enabled.name] == ["Test Data", "Test Enabled"])
        #expect(SelfTest.Data.properties == [.read])
        #expect(SelfTest.Enabled.properties == [.read, .write])
        #expect(Keys.uuid == BluetoothUUID(UInt16(0xffe0)))
        #expect(Keys.Data.uuid == BluetoothUUID(UInt16(0xffe1)))
        #expect([Keys.name, Keys.tag, Keys.Data.name] == ["Sensor Tag Key Pressed", "TI Sensor Tag", "Key Pressed"])
        #expect(Keys.Data.properties == [.notify])
    }

    @Test func `the lowest bit is the first test, a set bit one that passed`() throws {
        let results: SelfTest.Data = try SerDe.deserialize([0b0000_0101] as Bytes)
        #expect((1...8).map(results.hasPassed) == [true, false, true, false, false, false, false, false])
        #expect(![Int.min, 0, 9, Int.max].contains { SelfTest.Data(rawValue: 0xff).hasPassed($0) })
    }

    @Test func `at first the upper four tests passed`() throws {
        let results: SelfTest.Data = try SerDe.deserialize(#require(SelfTest.Data.initialValue))
        #expect(
            results.stringValue == [
                "test1": "FAILED", "test2": "FAILED", "test3": "FAILED", "test4": "FAILED",
                "test5": "PASSED", "test6": "PASSED", "test7": "PASSED", "test8": "PASSED", "resultRaw": "240",
            ])
    }

    @Test func `results are one byte and survive bytes and text`() {
        expectFixedSize(SelfTest.Data.self, size: 1, valid: [0xf0])
        #expect(SelfTest.Data(stringValue: ["test1": "PASSED"]) == nil)
        #expect(SelfTest.Data(stringValue: ["resultRaw": "256"]) == nil)
    }

    @Test func `the self-test is off at first`() throws {
        expectChoices(SelfTest.Enabled.self, ["No", "Yes"])
        #expect(try SerDe.deserialize(#require(SelfTest.Enabled.initialValue)) == SelfTest.Enabled.no)
    }

    @Test func `keys are one byte with a bit for each, the first key at first`() throws {
        expectChoices(Keys.Data.self, ["None", "Button One", "Button Two", "Both Buttons"])
        expectFixedSize(Keys.Data.self, size: 1, valid: [1])
        #expect(try SerDe.deserialize(#require(Keys.Data.initialValue)) == Keys.Data.buttonOne)
    }
}
