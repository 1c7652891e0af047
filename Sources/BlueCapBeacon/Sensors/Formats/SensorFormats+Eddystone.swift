// SPDX-License-Identifier: MIT

// swift-format-ignore-file

extension SensorFormats {
    /// The telemetry of Eddystone beacons.
    static let eddystone = #"""
{"schema": "bluecap-sensors", "version": 1, "formats": [
  {"name": "Eddystone telemetry", "about": "github.com/google/eddystone, Eddystone-TLM, version 0",
    "service": "FEAA", "prefix": "2000", "length": 14, "counter": {"at": 6, "type": "uint32", "bigEndian": true},
    "fields": [
      {"kind": "voltage", "at": 2, "type": "uint16", "bigEndian": true, "factor": 0.001, "unknown": [0]},
      {"kind": "temperature", "at": 4, "type": "int16", "bigEndian": true, "factor": 0.00390625,
        "unknown": [-32768]},
      {"kind": "duration", "at": 10, "type": "uint32", "bigEndian": true, "factor": 0.1}
    ]}
]}
"""#
}
