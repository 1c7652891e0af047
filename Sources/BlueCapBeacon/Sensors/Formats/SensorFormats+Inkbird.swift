// SPDX-License-Identifier: MIT

// swift-format-ignore-file

extension SensorFormats {
    /// The thermometers of Inkbird for rooms, pools and meat.
    static let inkbird = #"""
{"schema": "bluecap-sensors", "version": 1, "formats": [
  {"name": "Inkbird IBS-TH", "about": "the first two bytes, those of a company, are the temperature",
    "company": "any", "names": ["sps"], "length": 9,
    "fields": [
      {"kind": "temperature", "at": 0, "type": "int16", "factor": 0.01},
      {"kind": "humidity", "at": 2, "type": "uint16", "factor": 0.01},
      {"kind": "battery", "at": 7, "type": "uint8"}
    ]},
  {"name": "Inkbird IBS-TH2", "about": "also IBS-P01B, which has no humidity", "company": "any", "names": ["tps"],
    "length": 9,
    "fields": [
      {"kind": "temperature", "at": 0, "type": "int16", "factor": 0.01},
      {"kind": "humidity", "at": 2, "type": "uint16", "factor": 0.01, "unknown": [0, 65535]},
      {"kind": "battery", "at": 7, "type": "uint8"}
    ]},
  {"name": "Inkbird IBS-P02B", "about": "also ITH-11-B, ITH-13-B and ITH-21-B", "company": "any",
    "names": ["IBS-P02B", "ITH-11-B", "ITH-13-B", "ITH-21-B"], "length": 18,
    "fields": [
      {"kind": "temperature", "at": 6, "type": "int16", "factor": 0.1},
      {"kind": "humidity", "at": 8, "type": "uint16", "factor": 0.1, "unknown": [0]},
      {"kind": "battery", "at": 10, "type": "uint8"}
    ]},
  {"name": "Inkbird iBBQ-1", "company": "any", "names": ["iBBQ*", "xBBQ*"], "length": 12,
    "fields": [
      {"kind": "temperature", "at": 10, "type": "int16", "factor": 0.1, "unknown": [-1]}
    ]},
  {"name": "Inkbird iBBQ-2", "company": "any", "names": ["iBBQ*", "xBBQ*"], "length": 14,
    "fields": [
      {"kind": "temperature", "at": 10, "type": "int16", "factor": 0.1, "unknown": [-1]},
      {"kind": "temperature", "at": 12, "type": "int16", "factor": 0.1, "unknown": [-1]}
    ]},
  {"name": "Inkbird iBBQ-4", "company": "any", "names": ["iBBQ*", "xBBQ*"], "length": 18,
    "fields": [
      {"kind": "temperature", "at": 10, "type": "int16", "factor": 0.1, "unknown": [-1]},
      {"kind": "temperature", "at": 12, "type": "int16", "factor": 0.1, "unknown": [-1]},
      {"kind": "temperature", "at": 14, "type": "int16", "factor": 0.1, "unknown": [-1]},
      {"kind": "temperature", "at": 16, "type": "int16", "factor": 0.1, "unknown": [-1]}
    ]},
  {"name": "Inkbird iBBQ-6", "company": "any", "names": ["iBBQ*", "xBBQ*"], "length": 22,
    "fields": [
      {"kind": "temperature", "at": 10, "type": "int16", "factor": 0.1, "unknown": [-1]},
      {"kind": "temperature", "at": 12, "type": "int16", "factor": 0.1, "unknown": [-1]},
      {"kind": "temperature", "at": 14, "type": "int16", "factor": 0.1, "unknown": [-1]},
      {"kind": "temperature", "at": 16, "type": "int16", "factor": 0.1, "unknown": [-1]},
      {"kind": "temperature", "at": 18, "type": "int16", "factor": 0.1, "unknown": [-1]},
      {"kind": "temperature", "at": 20, "type": "int16", "factor": 0.1, "unknown": [-1]}
    ]}
]}
"""#
}
