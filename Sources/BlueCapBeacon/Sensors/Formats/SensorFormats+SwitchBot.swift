// SPDX-License-Identifier: MIT

// swift-format-ignore-file

extension SensorFormats {
    /// The sensors of SwitchBot.
    static let switchBot = #"""
{"schema": "bluecap-sensors", "version": 1, "formats": [
  {"name": "SwitchBot Meter", "about": "also Meter Plus", "service": ["FD3D", "0D00"], "prefix": ["54", "69"],
    "length": 6,
    "fields": [
      {"kind": "temperature", "at": 4, "type": "uint8", "bits": [0, 6], "times": 10,
        "plus": {"at": 3, "type": "uint8", "bits": [0, 3]}, "negative": {"at": 4, "mask": "80", "is": "00"},
        "factor": 0.1},
      {"kind": "humidity", "at": 5, "type": "uint8", "bits": [0, 6]},
      {"kind": "battery", "at": 2, "type": "uint8", "bits": [0, 6]}
    ]},
  {"name": "SwitchBot Contact Sensor", "about": "the opening stays true while it is open for too long",
    "service": ["FD3D", "0D00"], "prefix": "64", "length": 9,
    "fields": [
      {"state": "opening", "at": 3, "type": "uint8", "bits": [1, 2]},
      {"state": "motion", "at": 1, "type": "uint8", "bits": [6]},
      {"state": "light", "at": 3, "type": "uint8", "bits": [0]},
      {"kind": "battery", "at": 2, "type": "uint8", "bits": [0, 6]}
    ]},
  {"name": "SwitchBot Motion Sensor", "service": ["FD3D", "0D00"], "prefix": "73", "length": 6,
    "fields": [
      {"state": "motion", "at": 1, "type": "uint8", "bits": [6]},
      {"state": "light", "at": 5, "type": "uint8", "bits": [1]},
      {"kind": "battery", "at": 2, "type": "uint8", "bits": [0, 6]}
    ]},
  {"name": "SwitchBot Meter of its company",
    "about": "also the outdoor one; lamps and plugs send as many bytes of the company, so that the name decides",
    "company": "0969", "names": ["WoSensorTH*", "WoIOSensorTH*"], "length": [11, 20],
    "fields": [
      {"kind": "temperature", "at": 9, "type": "uint8", "bits": [0, 6], "times": 10,
        "plus": {"at": 8, "type": "uint8", "bits": [0, 3]}, "negative": {"at": 9, "mask": "80", "is": "00"},
        "factor": 0.1},
      {"kind": "humidity", "at": 10, "type": "uint8", "bits": [0, 6]}
    ]},
  {"name": "SwitchBot Contact Sensor of its company", "company": "0969", "names": ["WoContact*"], "length": [13, 20],
    "fields": [
      {"state": "opening", "at": 7, "type": "uint8", "bits": [4, 5]},
      {"state": "motion", "at": 7, "type": "uint8", "bits": [7]},
      {"state": "light", "at": 7, "type": "uint8", "bits": [6]}
    ]},
  {"name": "SwitchBot Motion Sensor of its company", "company": "0969", "names": ["WoPresence*"], "length": [8, 20],
    "fields": [
      {"state": "motion", "at": 7, "type": "uint8", "bits": [6]},
      {"state": "light", "at": 7, "type": "uint8", "bits": [5]}
    ]}
]}
"""#
}
