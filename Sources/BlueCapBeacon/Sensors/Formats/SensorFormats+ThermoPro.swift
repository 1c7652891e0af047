// SPDX-License-Identifier: MIT

// swift-format-ignore-file

extension SensorFormats {
    /// The thermometers of ThermoPro.
    static let thermoPro = #"""
{"schema": "bluecap-sensors", "version": 1, "formats": [
  {"name": "ThermoPro TP35x", "about": "also TP39x; the second byte is the low one of the temperature",
    "company": "any", "names": ["TP35*", "TP39*"], "prefix": "C2", "length": [6, 9],
    "fields": [
      {"kind": "temperature", "at": 1, "type": "int16", "factor": 0.1, "unknownIf": {"at": 1, "is": "FFFFFF"}},
      {"kind": "humidity", "at": 3, "type": "uint8", "unknownIf": {"at": 1, "is": "FFFFFF"}},
      {"kind": "battery", "at": 4, "type": "uint8", "bits": [0, 1], "values": [1, 50, 100]}
    ]}
]}
"""#
}
