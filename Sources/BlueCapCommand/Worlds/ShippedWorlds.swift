// SPDX-License-Identifier: MIT

import BlueCap

/// The virtual worlds that the program brings with it, in the form of a file.
enum ShippedWorlds {
    /// The names, as `--backend virtual:NAME` takes them.
    static let names = ["house", "sensors", "shop", "storm"]

    /// The file of a world; nil for an unknown name.
    static func text(_ name: String) -> String? {
        switch name {
        case "house": house
        case "sensors": sensors
        case "shop": shop
        case "storm": storm
        default: nil
        }
    }

    /// The usual world: devices near and far, one that moves, one that comes and goes.
    static let town = """
        {
          "world": 1,
          "devices": [
            { "name": "SensorTag", "address": "C0:DE:00:00:00:01", "metres": 1.5, "services": ["TI Accelerometer"],
              "values": { "accelerometer enabled": "yes", "accelerometer update period": "0a" } },
            { "builtIn": "heartStrap", "address": "C0:DE:00:00:00:02", "metres": 4 },
            { "address": "C0:DE:00:00:00:03", "paired": true,
              "twin": { "schema": "bluecap-twin", "version": 1, "name": "Dog Collar",
                "advertisement": { "data": { "localName": "Dog Collar", "serviceUUIDs": ["180F"], "flags": 6 } },
                "services": [{ "uuid": "180F",
                  "characteristics": [{ "uuid": "2A19", "properties": ["read"], "value": "40" }] }] },
              "path": [{ "at": 0, "metres": 2 }, { "at": 18, "metres": 20 }, { "at": 36, "metres": 2 }], "period": 36 },
            { "address": "C0:DE:00:00:00:04",
              "twin": { "schema": "bluecap-twin", "version": 1, "name": "Visitor's Bracelet ⌚️",
                "advertisement": { "interval": 0.25,
                  "data": { "localName": "Visitor's Bracelet ⌚️", "serviceUUIDs": ["1805"] } } },
              "faults": [{ "at": 8, "do": "vanish" }, { "at": 50, "do": "reappear" }], "period": 60 },
            { "address": "C0:DE:00:00:00:05", "metres": 30,
              "twin": { "schema": "bluecap-twin", "version": 1,
                "advertisement": { "connectable": false, "interval": 0.4,
                  "data": { "manufacturerData": { "ffff": "beac0102" }, "txPower": -12 } } } }
          ]
        }
        """

    /// The device of the demo.
    static let demo = """
        { "world": 1, "devices": [
          { "name": "SensorTag", "address": "C0:DE:00:00:00:01", "metres": 1.5, "services": ["TI Accelerometer"] }] }
        """

    /// The usual world for beacons: an iBeacon near, one that is carried away and back, one far off that comes and
    /// goes; beside them an AltBeacon and an Eddystone.
    static func beacons(of uuid: BluetoothUUID) -> String {
        let family = uuid.fullDescription
        let digits = family.filter { $0 != "-" }
        return """
            {
              "world": 1,
              "devices": [
                { "address": "C0:DE:00:00:00:B1", "metres": 0.3,
                  "iBeacon": { "uuid": "\(family)", "major": 1, "minor": 1 } },
                { "address": "C0:DE:00:00:00:B2", "iBeacon": { "uuid": "\(family)", "major": 1, "minor": 2 },
                  "path": [{ "at": 0, "metres": 1 }, { "at": 6, "metres": 7 }, { "at": 12, "metres": 1 }], "period": 12 },
                { "address": "C0:DE:00:00:00:B3", "metres": 9,
                  "iBeacon": { "uuid": "\(family)", "major": 1, "minor": 3 },
                  "faults": [{ "at": 10, "do": "vanish" }, { "at": 30, "do": "reappear" }], "period": 40 },
                { "address": "C0:DE:00:00:00:B4", "metres": 2,
                  "altBeacon": { "uuid": "\(family)", "major": 1, "minor": 4 } },
                { "address": "C0:DE:00:00:00:B5", "metres": 5,
                  "eddystone": { "uuid": "\(digits.prefix(8))000000000000\(digits.dropFirst(8).prefix(12))", "minor": 5 } }
              ]
            }
            """
    }

    private static let house = """
        {
          "world": 1,
          "about": "A house with sensors in its rooms, somebody who walks about in it, and a lock that pairs.",
          "devices": [
            { "name": "Bedroom", "address": "C0:DE:01:00:00:01", "metres": 4,
              "services": ["Environmental Sensing", "Battery"], "characteristics": ["Temperature", "Humidity"],
              "values": { "temperature": "19.4", "humidity": "48", "battery level": "88" },
              "moves": { "temperature": "wave:19.4..21.6", "humidity": "walk:42..54" } },
            { "name": "Runner", "address": "C0:DE:01:00:00:02", "services": ["Heart Rate", "Battery"],
              "values": { "body sensor location": "Chest" },
              "moves": { "heart rate measurement": "wave:62..148", "battery level": "ramp:100..0:5" },
              "path": [{ "at": 0, "metres": 2 }, { "at": 30, "metres": 25 }, { "at": 60, "metres": 2 }], "period": 60 },
            { "name": "Scale", "address": "C0:DE:01:00:00:03", "metres": 7, "services": ["Weight Scale", "Battery"],
              "values": { "weight scale feature": "18000000", "battery level": "64" },
              "moves": { "weight measurement.weight": "walk:71.8..72.8" }, "paired": true },
            { "name": "Front Door", "address": "C0:DE:01:00:00:04", "metres": 9, "services": ["Battery", "Device Information"],
              "characteristics": ["Manufacturer Name String", "Model Number String", "Firmware Revision String"],
              "values": { "manufacturer name string": "4578616d706c65204c6f636b73", "model number string": "446f6f722032",
                "firmware revision string": "312e342e30" },
              "moves": { "battery level": "ramp:91..31:5" }, "pairing": "comparing" }
          ]
        }
        """

    /// A sensor of each format that is known.
    private static var sensors: String {
        let formats = KnownFormats.formats
        let devices = ([SensorFrame.btHome] + formats.names).compactMap { format -> String? in
            var values = formats.exampleValues(of: format)
            if (try? formats.frame(of: format, values, counter: 0)) == nil { return nil }
            let moves = values.removeValue(forKey: "temperature") == nil ? "" : #""temperature": "wave:19..23:2""#
            let texts = values.sorted { $0.key < $1.key }.map { JSONLine.text($0.key) + ": " + text($0.value) }
            return """
                    { "sensor": { "format": \(JSONLine.text(format)),
                        "values": { \(texts.joined(separator: ", ")) }, "moves": { \(moves) } } }
                """
        }
        return """
            {
              "world": 1,
              "about": "A sensor of each format that is known.",
              "devices": [
            \(devices.joined(separator: ",\n"))
              ]
            }
            """
    }

    private static func text(_ setting: SensorSetting) -> String {
        switch setting {
        case .number(let number): JSONLine.text(number)
        case .state(let isOn): "\(isOn)"
        case .word(let word): JSONLine.text(word)
        case .unknown: "null"
        }
    }

    private static let shop = """
        {
          "world": 1,
          "about": "A shop with a beacon at its door, one at its counter, and one that a visitor carries through.",
          "devices": [
            { "address": "C0:DE:02:00:00:01", "metres": 12,
              "iBeacon": { "uuid": "7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70", "major": 1, "minor": 1 } },
            { "address": "C0:DE:02:00:00:02", "metres": 1,
              "iBeacon": { "uuid": "7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70", "major": 1, "minor": 2 } },
            { "address": "C0:DE:02:00:00:03",
              "iBeacon": { "uuid": "7C0E8A36-52D1-4B6F-9A44-1F3D5E2B9C70", "major": 2, "minor": 1, "power": -65 },
              "path": [{ "at": 0, "metres": 15 }, { "at": 20, "metres": 1 }, { "at": 40, "metres": 15 }],
              "faults": [{ "at": 45, "do": "vanish" }, { "at": 75, "do": "reappear" }], "period": 80 }
          ]
        }
        """

    private static let storm = """
        {
          "world": 1,
          "seed": 7,
          "about": "Devices that do everything wrong: one is lost, one does not answer, one refuses, one loses packets.",
          "devices": [
            { "name": "Lost", "address": "C0:DE:03:00:00:01", "metres": 3, "services": ["Battery"],
              "moves": { "battery level": "ramp:100..0" },
              "faults": [{ "at": 8, "do": "vanish" }, { "at": 16, "do": "reappear" }], "period": 24 },
            { "name": "Silent", "address": "C0:DE:03:00:00:02", "metres": 3, "services": ["Battery"],
              "faults": [{ "at": 0, "do": "mute" }] },
            { "name": "Busy", "address": "C0:DE:03:00:00:03", "metres": 3, "services": ["Battery"],
              "faults": [{ "at": 0, "do": "refuse" }, { "at": 30, "do": "accept" }] },
            { "name": "Noisy", "address": "C0:DE:03:00:00:04", "metres": 20, "services": ["Heart Rate"],
              "moves": { "heart rate measurement": "walk:55..180:0.5" },
              "faults": [{ "at": 0, "do": "lose", "value": 0.4 }, { "at": 0, "do": "slow", "value": 0.2 }] },
            { "name": "Flaky", "address": "C0:DE:03:00:00:05", "metres": 3, "services": ["Heart Rate"],
              "moves": { "heart rate measurement": "wave:60..120" },
              "faults": [{ "at": 5, "do": "disconnect" }, { "at": 11, "do": "reset" }], "period": 15 }
          ]
        }
        """
}
