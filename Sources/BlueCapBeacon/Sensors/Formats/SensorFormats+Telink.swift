// SPDX-License-Identifier: MIT

// swift-format-ignore-file

extension SensorFormats {
    /// The firmwares ATC1441 and pvvx of thermometers with a chip of Telink.
    static let telink = #"""
{"schema": "bluecap-sensors", "version": 1, "formats": [
  {"name": "ATC1441",
    "about": "github.com/atc1441/ATC_MiThermometer; the addresses are those of Telink and Qingping",
    "service": "181A", "length": 13, "prefix": ["A4C138", "582D34"], "counter": {"at": 12, "type": "uint8"},
    "address": {"at": 0, "bigEndian": true},
    "fields": [
      {"kind": "temperature", "at": 6, "type": "int16", "bigEndian": true, "factor": 0.1},
      {"kind": "humidity", "at": 8, "type": "uint8"},
      {"kind": "battery", "at": 9, "type": "uint8"},
      {"kind": "voltage", "at": 10, "type": "uint16", "bigEndian": true, "factor": 0.001}
    ]},
  {"name": "pvvx", "about": "github.com/pvvx/ATC_MiThermometer, its own format", "service": "181A", "length": 15,
    "prefix": ["00000038C1A4", "000000342D58"], "mask": "000000FFFFFF", "counter": {"at": 13, "type": "uint8"},
    "address": {"at": 0},
    "fields": [
      {"kind": "temperature", "at": 6, "type": "int16", "factor": 0.01},
      {"kind": "humidity", "at": 8, "type": "uint16", "factor": 0.01},
      {"kind": "battery", "at": 12, "type": "uint8"},
      {"kind": "voltage", "at": 10, "type": "uint16", "factor": 0.001}
    ]}
]}
"""#
}
