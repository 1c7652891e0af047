// SPDX-License-Identifier: MIT

/// The virtual worlds that the program brings with it, in the form of a file.
enum ShippedWorlds {
    /// The names, as `--backend virtual:NAME` takes them.
    static let names = ["house", "shop", "storm"]

    /// The file of a world; nil for an unknown name.
    static func text(_ name: String) -> String? {
        switch name {
        case "house": house
        case "shop": shop
        case "storm": storm
        default: nil
        }
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
