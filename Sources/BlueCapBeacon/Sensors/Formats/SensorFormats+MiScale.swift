// SPDX-License-Identifier: MIT

// swift-format-ignore-file

extension SensorFormats {
    /// The scales of Xiaomi: 200 steps of a mass that has settled are a kilogram, or two jin; 100 are a pound.
    static let miScale = #"""
{"schema": "bluecap-sensors", "version": 1, "formats": [
  {"name": "Mi Smart Scale", "service": "181D", "length": 10,
    "fields": [
      {"kind": "mass", "at": 1, "type": "uint16", "factor": 0.005, "unknown": [0],
        "if": {"at": 0, "mask": "A1", "is": "20"}},
      {"kind": "mass", "at": 1, "type": "uint16", "unit": "lb", "factor": 0.01, "unknown": [0],
        "if": {"at": 0, "mask": "A1", "is": "21"}}
    ]},
  {"name": "Mi Body Composition Scale", "service": "181B", "length": 13,
    "fields": [
      {"kind": "mass", "at": 11, "type": "uint16", "factor": 0.005, "unknown": [0],
        "if": {"at": 0, "mask": "01A0", "is": "0020"}},
      {"kind": "mass", "at": 11, "type": "uint16", "unit": "lb", "factor": 0.01, "unknown": [0],
        "if": {"at": 0, "mask": "01A0", "is": "0120"}},
      {"kind": "impedance", "at": 9, "type": "uint16", "if": {"at": 0, "mask": "00A2", "is": "0022"}}
    ]}
]}
"""#
}
