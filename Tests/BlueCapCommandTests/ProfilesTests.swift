// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct ProfilesTests {
    @Test func `all services are listed under their groups`() throws {
        let lines = try ProfileCatalog.entries(name: nil, tag: nil).lines
        #expect(lines.contains("  180D  Heart Rate"))
        #expect(lines.contains("  F000AA10-0451-4000-B000-000000000000  TI Accelerometer"))
        let tags = lines.filter { !$0.hasPrefix(" ") && !$0.isEmpty }
        #expect(tags == tags.sorted() && tags.contains(HeartRateService.tag) && tags.contains(TISensorTag.tag))
    }

    @Test func `a group is listed alone, in capitals or not`() throws {
        let catalog = try ProfileCatalog.entries(name: nil, tag: TISensorTag.tag.uppercased())
        #expect(catalog.services.count == TISensorTagProfiles.services.count)
        let failure = #expect(throws: CommandFailure.self) { try ProfileCatalog.entries(name: nil, tag: "Nobody") }
        #expect(failure?.status == .usage)
        #expect(failure?.message.contains("'\(TISensorTag.tag)'") == true)
    }

    @Test(arguments: ["180D", "heart rate", "0x180d"])
    func `a service is shown with its characteristics`(name: String) throws {
        #expect(
            try ProfileCatalog.entries(name: name, tag: nil).lines == [
                "Heart Rate  180D", HeartRateService.tag, "  2A37  Heart Rate Measurement  notify",
                "  2A38  Body Sensor Location  read", "  2A39  Heart Rate Control Point  write",
            ])
    }

    @Test func `a characteristic is shown with its parts and their choices`() throws {
        #expect(
            try ProfileCatalog.entries(name: "heart-rate-measurement", tag: nil).lines == [
                "Heart Rate Measurement  2A37", "in          Heart Rate", "properties  notify",
                "parts       heartRate (bpm)",
                "            sensorContact: 'Not Supported', 'Not Detected' or 'Detected'",
                "            energyExpended (kJ): may be left out", "            rrIntervals: may be left out",
            ])
    }

    @Test
    func `a characteristic of few values is shown with its choices, an example, and how it is written`() throws {
        let uuid = TISensorTag.AccelerometerService.Enabled.uuid.description
        #expect(
            try ProfileCatalog.entries(name: "accelerometer enabled", tag: nil).lines == [
                "Accelerometer Enabled  \(uuid)", "in          TI Accelerometer", "properties  read write",
                "choices     'No' or 'Yes'", "example     No  00",
                "write it    bluecap write DEVICE \(uuid) \"No\"",
            ])
    }

    @Test func `a part is shown with its unit, in JSON too`() throws {
        let catalog = try ProfileCatalog.entries(name: "2A6E", tag: nil)
        #expect(catalog.lines.contains("parts       Temperature (°C)"))
        let part = #""parts":[{"choices":[],"name":"Temperature","optional":false,"unit":"°C"}]"#
        #expect(catalog.jsonLines.first?.contains(part) == true)
    }

    @Test func `a value is shown with its unit, and what stands for none without`() throws {
        let temperature = KnownProfiles.profile("2A6E")
        #expect(ValueText([0xC4, 0x09], temperature).line == "25.00 °C")
        #expect(ValueText([0x00, 0x80], temperature).line == "unknown")
        let measurement = KnownProfiles.profile(HeartRateService.Measurement.uuid)
        #expect(
            ValueText([0x08, 72, 5, 0], measurement).line
                == "heartRate 72 bpm, sensorContact Not Supported, energyExpended 5 kJ")
    }

    @Test func `a part of a name gives all that have it`() throws {
        let catalog = try ProfileCatalog.entries(name: "battery", tag: nil)
        #expect(catalog.lines == ["Battery  180F", BatteryService.tag, "  2A19  Battery Level  read notify"])
        let lines = try ProfileCatalog.entries(name: "accelerom", tag: nil).lines
        #expect(lines.contains { $0.hasSuffix("  TI Accelerometer") })
        #expect(lines.contains("Characteristics"))
        #expect(lines.contains { $0.hasSuffix("  Accelerometer Data") })
    }

    @Test(arguments: ["1811", "Alert Notification", "2A46", "New Alert"])
    func `what has a name and no profile is told as such`(name: String) throws {
        let lines = try ProfileCatalog.entries(name: name, tag: nil).lines
        #expect(lines.last == "a name without a profile: values are bytes")
    }

    @Test(arguments: ["Nonsense", "F1F2", ""])
    func `what is not known is an error that says where to look`(name: String) {
        let failure = #expect(throws: CommandFailure.self) { try ProfileCatalog.entries(name: name, tag: nil) }
        #expect(failure?.status == .usage)
        #expect(failure?.message.contains("'bluecap profiles'") == true)
    }

    @Test(arguments: ["0x004C", "004c", "76", "apple, inc"])
    func `a company is found by number and by a part of its name`(text: String) throws {
        #expect(try ProfileCatalog.companies(text).lines.contains("0x004C  Apple, Inc."))
    }

    @Test func `a company that is not there is an error`() {
        #expect(throws: CommandFailure.self) { try ProfileCatalog.companies("No Such Company Anywhere") }
    }

    @Test func `each profile that is shipped has a page no wider than 80 columns`() throws {
        for service in KnownProfiles.manager.services {
            for uuid in [service.uuid] + service.characteristics.map(\.uuid) {
                let lines = try ProfileCatalog.entries(name: uuid.description, tag: nil).lines
                #expect(lines.allSatisfy { TextLayout.width(of: $0) <= 80 }, "\(lines)")
            }
        }
    }

    @Test func `in JSON each entry is an object`() throws {
        let line = try #require(try ProfileCatalog.entries(name: "2A38", tag: nil).jsonLines.first)
        #expect(
            line.hasPrefix(
                #"{"choices":["Other","Chest","Wrist","Finger","Hand","Ear Lobe","Foot"],"event":"characteristic","example":"01","exampleText":"Chest","name":"Body Sensor Location","parts":["#
            ))
        #expect(
            try ProfileCatalog.companies("76").jsonLines == [#"{"event":"company","id":"0x004C","name":"Apple, Inc."}"#]
        )
    }

    @Test func `companies and names are not looked up together`() {
        #expect(throws: (any Error).self) { try ProfilesCommand.parse(["180D", "--company", "76"]) }
    }
}
