// SPDX-License-Identifier: MIT

import BlueCap
import Foundation
import Testing

/// The examples of the article "GATT profiles" with profiles from a file.
@Suite("GATT profiles from a file", .timeLimit(.minutes(60)))
struct ProfileFileExamples {
    /// The article's file.
    private static let json = """
        {
          "schema": "bluecap-profiles",
          "version": 1,
          "services": [
            { "uuid": "F000AA80-0451-4000-B000-000000000000", "name": "Lamp", "tag": "My Services",
              "characteristics": [
                { "uuid": "F000AA81-0451-4000-B000-000000000000", "name": "Switch", "properties": ["read", "write"],
                  "permissions": ["readable", "writeEncryptionRequired"], "initialValue": "00",
                  "fields": [{ "name": "state", "type": "uint8", "values": { "off": 0, "on": 1 } }] },
                { "uuid": "F000AA82-0451-4000-B000-000000000000", "name": "Climate", "properties": ["read", "notify"],
                  "flags": "uint8",
                  "fields": [
                    { "name": "temperature", "type": "int16", "scale": 0.01, "unit": "°C", "unknown": -32768 },
                    { "name": "humidity", "type": "uint16", "scale": 0.01, "unit": "%", "flag": 0 },
                    { "name": "history", "type": "uint8", "flag": 1, "repeats": true }
                  ] }
              ] }
          ]
        }
        """

    @Test func `a central is given the profiles of a file beside those of the library`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
        try Data(Self.json.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let backend = VirtualRadio().central()
        let profiles = ProfileManager.all.adding(try ProfileManager(json: Data(contentsOf: file)))
        let central = CentralManager(backend: backend, configuration: .init(profiles: profiles))
        #expect(central.profiles.service(withUUID: "180F") != nil)
        let lamp = try #require(central.profiles.service(withUUID: "F000AA80-0451-4000-B000-000000000000"))
        #expect(lamp.tag == "My Services")
        #expect(lamp.characteristics.first?.stringValues == ["off", "on"])
        #expect(lamp.characteristics.first?.permissions == [.readable, .writeEncryptionRequired])
        let climate = try #require(lamp.characteristics.last)
        #expect(
            climate.stringValue([0x03, 0xC4, 0x09, 0xBF, 0x13, 1, 2]) == [
                "temperature": "25.00", "humidity": "50.55", "history": "1 2",
            ])
        #expect(climate.units == ["temperature": "°C", "humidity": "%"])
        #expect(climate.bytes(fromString: [:])?.hex == "000080")
    }

    @Test func `the article shows that file`() throws {
        let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../../Sources/BlueCapCore/Documentation.docc/GATTProfiles.md")
        #expect(try String(contentsOf: article, encoding: .utf8).contains("```json\n\(Self.json)\n```"))
    }

    @Test(arguments: [
        ("", "this is not JSON"), ("[1]", ""), ("{", "this is not JSON"),
        ("{}", "this is JSON, but no file of profiles"),
        (#"{"schema": "bluecap-profiles"}"#, "version: it is missing"),
        (
            #"{"schema": "bluecap-profiles", "version": 1, "services": [{"uuid": "x"}]}"#,
            "services[0].uuid: 'x' is no UUID"
        ),
        (
            #"{"schema": "bluecap-profiles", "version": 1, "services": [{"uuid": "FFF0", "name": 5}]}"#,
            "services[0].name: "
        ),
    ])
    func `a file that is wrong is refused with the place`(json: String, message: String) {
        let error = #expect(throws: ProfileFileError.self) { try ProfileManager(json: json.utf8) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test func `a file with more values than a decoder should have is refused before it is decoded`() {
        let many = repeatElement("0", count: 600_000).joined(separator: ",")
        let json = #"{"schema": "bluecap-profiles", "version": 1, "later": [\#(many)]}"#
        let error = #expect(throws: ProfileFileError.self) { try ProfileManager(json: json.utf8) }
        #expect(error?.description.contains("there are more than 524288 values") == true, "\(error?.description ?? "")")
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        let nested = #expect(throws: ProfileFileError.self) { try ProfileManager(json: deep.utf8) }
        #expect(nested?.description.contains("too deep") == true, "\(nested?.description ?? "")")
    }

    @Test func `a file that is too long is not read`() {
        let long = repeatElement(UInt8(ascii: " "), count: ProfileManager.maximumJSONByteCount + 1)
        #expect(throws: ProfileFileError.tooLong(byteCount: long.count, maximum: long.count - 1)) {
            try ProfileManager(json: long)
        }
    }
}
