// SPDX-License-Identifier: MIT

import BlueCapProfiles
import BlueCapSerDe
import Testing

private typealias Sensing = EnvironmentalSensingService

@Suite("The descriptors of Environmental Sensing", .timeLimit(.minutes(60)))
struct EnvironmentalSensingDescriptorTests {
    @Test func `how is measured takes eleven bytes, the flags first`() throws {
        let mean = Sensing.MeasurementDescriptor(
            samplingFunction: .mean, measurementPeriod: 3600, updateInterval: 60, application: .outdoor,
            uncertainty: try Scaled(2.5))
        // 3600 is 0x000e10; 2.5 % is 5 halves.
        expectBytes(mean, [0, 0, 2, 0x10, 0x0e, 0, 60, 0, 0, 0x13, 5])
        #expect(
            mean.stringValue == [
                "samplingFunction": "Arithmetic Mean", "measurementPeriod": "3600", "updateInterval": "60",
                "application": "Outdoor", "uncertainty": "2.5",
            ])
        #expect(Sensing.MeasurementDescriptor.Application(rawValue: 0x21).description == "Solar")
        #expect(Sensing.MeasurementDescriptor.Application(rawValue: 0x22).description == "34")
    }

    @Test func `flags without a meaning are passed over`() throws {
        let value: Sensing.MeasurementDescriptor = try SerDe.deserialize(
            [0xff, 0xff, 1, 0, 0, 0, 0, 0, 0, 1, 255] as Bytes)
        #expect(value == Sensing.MeasurementDescriptor(samplingFunction: .instantaneous, application: .air))
    }

    @Test func `an uncertainty that is not known is unknown in text`() {
        let value = Sensing.MeasurementDescriptor(samplingFunction: .mean)
        expectBytes(value, [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 255])
        #expect(value.stringValue["uncertainty"] == "unknown")
    }

    @Test func `a trigger has the operand that its condition needs`() throws {
        expectBytes(Sensing.TriggerSetting.inactive, [0])
        expectBytes(Sensing.TriggerSetting.fixedInterval(seconds: 600), [1, 0x58, 0x02, 0x00])
        expectBytes(Sensing.TriggerSetting.minimumInterval(seconds: 1), [2, 1, 0, 0])
        expectBytes(Sensing.TriggerSetting.valueChange, [3])
        // 30 °C is 3000 = 0x0bb8 hundredths.
        let hot = Sensing.TriggerSetting.compare(.greaterThan, try Sensing.Temperature(30))
        expectBytes(hot, [6, 0xb8, 0x0b])
        #expect(hot.comparand(as: Sensing.Temperature.self)?.value == 30)
        #expect(hot.comparand(as: Sensing.Pressure.self) == nil)
        #expect(hot.seconds == nil)
        #expect(Sensing.TriggerSetting.fixedInterval(seconds: 600).seconds == 600)
        #expect(Sensing.TriggerSetting.fixedInterval(seconds: 600).comparand(as: UInt24.self) == nil)
    }

    @Test func `triggers are combined by one byte`() {
        expectBytes(Sensing.Configuration.all, [0])
        expectBytes(Sensing.Configuration.any, [1])
        #expect(throws: SerDeError.invalidValue(offset: 0)) {
            try SerDe.deserialize([2] as Bytes, as: Sensing.Configuration.self)
        }
    }

    @Test func `a changed descriptor's characteristic is named in 2 or 16 bytes`() throws {
        // Changed by a client (bit 0), a trigger setting (bit 1), of Temperature.
        expectBytes(
            Sensing.DescriptorValueChanged(
                flags: [.changedByClient, .triggerSetting], characteristic: Sensing.Temperature.uuid),
            [0x03, 0x00, 0x6e, 0x2a])
        let long = Sensing.DescriptorValueChanged(
            flags: .measurement, characteristic: "00112233-4455-6677-8899-AABBCCDDEEFF")
        expectBytes(
            long,
            [
                0x08, 0x00, 0xff, 0xee, 0xdd, 0xcc, 0xbb, 0xaa, 0x99, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
                0x00,
            ])
        #expect(throws: SerDeError.trailingBytes(1)) {
            try SerDe.deserialize([8, 0, 1, 2, 3] as Bytes, as: Sensing.DescriptorValueChanged.self)
        }
    }

    @Test func `whatever decodes survives bytes and text`() {
        expectRoundTrips(of: Sensing.MeasurementDescriptor.self, size: 11)
        expectRoundTrips(of: Sensing.TriggerSetting.self, inputs: 1500)
        expectRoundTrips(of: Sensing.Configuration.self, size: 1, atLeast: 30)
        expectRoundTrips(of: Sensing.DescriptorValueChanged.self, size: 4)
        expectRoundTrips(of: Sensing.DescriptorValueChanged.self, size: 18)
    }
}
