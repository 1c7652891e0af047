// SPDX-License-Identifier: MIT

// swift-format-ignore-file

extension SensorFormats {
    /// RuuviTag and Ruuvi Air.
    static let ruuvi = #"""
{"schema": "bluecap-sensors", "version": 1, "formats": [
  {"name": "RuuviTag 3", "about": "docs.ruuvi.com, data format 3 (RAWv1)", "company": "0499", "prefix": "03",
    "length": 14,
    "fields": [
      {"kind": "temperature", "at": 2, "type": "uint8", "bits": [0, 6], "times": 100,
        "plus": {"at": 3, "type": "uint8", "greatest": 99}, "negative": {"at": 2, "mask": "80", "is": "80"},
        "factor": 0.01},
      {"kind": "humidity", "at": 1, "type": "uint8", "factor": 0.5, "maximum": 127.5},
      {"kind": "pressure", "at": 4, "type": "uint16", "bigEndian": true, "factor": 0.01, "offset": 500},
      {"kind": "acceleration", "at": 6, "type": "int16", "bigEndian": true, "factor": 0.00980665,
        "unknown": [-32768]},
      {"kind": "acceleration", "at": 8, "type": "int16", "bigEndian": true, "factor": 0.00980665,
        "unknown": [-32768]},
      {"kind": "acceleration", "at": 10, "type": "int16", "bigEndian": true, "factor": 0.00980665,
        "unknown": [-32768]},
      {"kind": "voltage", "at": 12, "type": "uint16", "bigEndian": true, "factor": 0.001}
    ]},
  {"name": "RuuviTag 5", "about": "docs.ruuvi.com, data format 5 (RAWv2)", "company": "0499", "prefix": "05",
    "length": 24, "counter": {"at": 16, "type": "uint16", "bigEndian": true, "unknown": [65535]},
    "address": {"at": 18, "bigEndian": true},
    "fields": [
      {"kind": "temperature", "at": 1, "type": "int16", "bigEndian": true, "factor": 0.005, "unknown": [-32768]},
      {"kind": "humidity", "at": 3, "type": "uint16", "bigEndian": true, "factor": 0.0025, "unknown": [65535],
        "maximum": 163.835},
      {"kind": "pressure", "at": 5, "type": "uint16", "bigEndian": true, "factor": 0.01, "offset": 500,
        "unknown": [65535]},
      {"kind": "acceleration", "at": 7, "type": "int16", "bigEndian": true, "factor": 0.00980665,
        "unknown": [-32768]},
      {"kind": "acceleration", "at": 9, "type": "int16", "bigEndian": true, "factor": 0.00980665,
        "unknown": [-32768]},
      {"kind": "acceleration", "at": 11, "type": "int16", "bigEndian": true, "factor": 0.00980665,
        "unknown": [-32768]},
      {"kind": "voltage", "at": 13, "type": "uint16", "bigEndian": true, "bits": [5, 15], "factor": 0.001,
        "offset": 1.6, "unknown": [2047]},
      {"kind": "count", "at": 15, "type": "uint8", "unknown": [255]}
    ]},
  {"name": "RuuviTag C5", "about": "docs.ruuvi.com, data format C5 (Cut-RAWv2)", "company": "0499", "prefix": "C5",
    "length": 18, "counter": {"at": 10, "type": "uint16", "bigEndian": true, "unknown": [65535]},
    "address": {"at": 12, "bigEndian": true},
    "fields": [
      {"kind": "temperature", "at": 1, "type": "int16", "bigEndian": true, "factor": 0.005, "unknown": [-32768]},
      {"kind": "humidity", "at": 3, "type": "uint16", "bigEndian": true, "factor": 0.0025, "unknown": [65535],
        "maximum": 163.835},
      {"kind": "pressure", "at": 5, "type": "uint16", "bigEndian": true, "factor": 0.01, "offset": 500,
        "unknown": [65535]},
      {"kind": "voltage", "at": 7, "type": "uint16", "bigEndian": true, "bits": [5, 15], "factor": 0.001,
        "offset": 1.6, "unknown": [2047]},
      {"kind": "count", "at": 9, "type": "uint8", "unknown": [255]}
    ]},
  {"name": "Ruuvi Air 6", "about": "docs.ruuvi.com, data format 6; its address has three bytes only",
    "company": "0499", "prefix": "06", "length": 20, "counter": {"at": 15, "type": "uint8"},
    "fields": [
      {"kind": "temperature", "at": 1, "type": "int16", "bigEndian": true, "factor": 0.005, "unknown": [-32768]},
      {"kind": "humidity", "at": 3, "type": "uint16", "bigEndian": true, "factor": 0.0025, "unknown": [65535]},
      {"kind": "pressure", "at": 5, "type": "uint16", "bigEndian": true, "factor": 0.01, "offset": 500,
        "unknown": [65535]},
      {"kind": "PM2.5", "at": 7, "type": "uint16", "bigEndian": true, "factor": 0.1, "unknown": [65535]},
      {"kind": "CO2", "at": 9, "type": "uint16", "bigEndian": true, "unknown": [65535]},
      {"kind": "VOC index", "at": 11, "type": "uint8", "times": 2, "plus": {"at": 16, "type": "uint8", "bits": [6]},
        "unknown": [511]},
      {"kind": "NOx index", "at": 12, "type": "uint8", "times": 2, "plus": {"at": 16, "type": "uint8", "bits": [7]},
        "unknown": [511]},
      {"kind": "illuminance", "at": 13, "type": "uint8", "base": 1.0446300614125956, "offset": -1, "unknown": [255]}
    ]},
  {"name": "Ruuvi Air E1", "about": "docs.ruuvi.com, data format E1 (Extended v1)", "company": "0499",
    "prefix": "E1", "length": 40, "counter": {"at": 25, "type": "uint24", "bigEndian": true, "unknown": [16777215]},
    "address": {"at": 34, "bigEndian": true},
    "fields": [
      {"kind": "temperature", "at": 1, "type": "int16", "bigEndian": true, "factor": 0.005, "unknown": [-32768]},
      {"kind": "humidity", "at": 3, "type": "uint16", "bigEndian": true, "factor": 0.0025, "unknown": [65535]},
      {"kind": "pressure", "at": 5, "type": "uint16", "bigEndian": true, "factor": 0.01, "offset": 500,
        "unknown": [65535]},
      {"kind": "PM1", "at": 7, "type": "uint16", "bigEndian": true, "factor": 0.1, "unknown": [65535]},
      {"kind": "PM2.5", "at": 9, "type": "uint16", "bigEndian": true, "factor": 0.1, "unknown": [65535]},
      {"kind": "PM4", "at": 11, "type": "uint16", "bigEndian": true, "factor": 0.1, "unknown": [65535]},
      {"kind": "PM10", "at": 13, "type": "uint16", "bigEndian": true, "factor": 0.1, "unknown": [65535]},
      {"kind": "CO2", "at": 15, "type": "uint16", "bigEndian": true, "unknown": [65535]},
      {"kind": "VOC index", "at": 17, "type": "uint8", "times": 2, "plus": {"at": 28, "type": "uint8", "bits": [6]},
        "unknown": [511]},
      {"kind": "NOx index", "at": 18, "type": "uint8", "times": 2, "plus": {"at": 28, "type": "uint8", "bits": [7]},
        "unknown": [511]},
      {"kind": "illuminance", "at": 19, "type": "uint24", "bigEndian": true, "factor": 0.01, "unknown": [16777215]}
    ]}
]}
"""#
}
