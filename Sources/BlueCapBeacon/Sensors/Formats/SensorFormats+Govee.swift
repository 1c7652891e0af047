// SPDX-License-Identifier: MIT

// swift-format-ignore-file

extension SensorFormats {
    /// The thermometers of Govee for rooms and for meat.
    static let govee = #"""
{"schema": "bluecap-sensors", "version": 1, "formats": [
  {"name": "Govee H5072", "about": "also H5075 and H5129", "company": "EC88", "length": 6,
    "fields": [
      {"kind": "temperature", "at": 1, "type": "uint24", "bigEndian": true, "bits": [0, 22], "divide": 1000,
        "negative": {"at": 1, "mask": "80", "is": "80"}, "factor": 0.1, "minimum": -40, "maximum": 100,
        "unknownIf": {"at": 4, "mask": "80", "is": "80"}},
      {"kind": "humidity", "at": 1, "type": "uint24", "bigEndian": true, "bits": [0, 22], "modulo": 1000,
        "factor": 0.1, "unknownIf": {"at": 4, "mask": "80", "is": "80"}},
      {"kind": "battery", "at": 4, "type": "uint8", "bits": [0, 6]}
    ]},
  {"name": "Govee H5074", "company": "EC88", "length": 7,
    "fields": [
      {"kind": "temperature", "at": 1, "type": "int16", "factor": 0.01},
      {"kind": "humidity", "at": 3, "type": "uint16", "factor": 0.01},
      {"kind": "battery", "at": 5, "type": "uint8"}
    ]},
  {"name": "Govee H5051", "about": "also H5052 and H5071", "company": "EC88", "length": 9,
    "fields": [
      {"kind": "temperature", "at": 1, "type": "int16", "factor": 0.01},
      {"kind": "humidity", "at": 3, "type": "uint16", "factor": 0.01},
      {"kind": "battery", "at": 5, "type": "uint8"}
    ]},
  {"name": "Govee H5179", "company": "8801", "length": 9, "prefix": "EC",
    "fields": [
      {"kind": "temperature", "at": 4, "type": "int16", "factor": 0.01},
      {"kind": "humidity", "at": 6, "type": "uint16", "factor": 0.01},
      {"kind": "battery", "at": 8, "type": "uint8"}
    ]},
  {"name": "Govee H5100", "about": "also H5101 to H5105, H5108, H5110, H5174, H5177 and the newer H5179",
    "company": "0001", "length": 6, "names": ["GVH5100*", "GVH5101*", "GVH5102*", "GVH5103*", "GVH5104*",
    "GVH5105*", "GVH5108*", "GVH5110*", "GVH5174*", "GVH5177*", "GV5179*"],
    "fields": [
      {"kind": "temperature", "at": 2, "type": "uint24", "bigEndian": true, "bits": [0, 22], "divide": 1000,
        "negative": {"at": 2, "mask": "80", "is": "80"}, "factor": 0.1, "minimum": -40, "maximum": 100,
        "unknownIf": {"at": 5, "mask": "80", "is": "80"}},
      {"kind": "humidity", "at": 2, "type": "uint24", "bigEndian": true, "bits": [0, 22], "modulo": 1000,
        "factor": 0.1, "unknownIf": {"at": 5, "mask": "80", "is": "80"}},
      {"kind": "battery", "at": 5, "type": "uint8", "bits": [0, 6]}
    ]},
  {"name": "Govee H5106", "company": "0001", "length": 6, "names": ["GVH5106*"],
    "fields": [
      {"kind": "temperature", "at": 2, "type": "uint32", "bigEndian": true, "bits": [0, 30], "divide": 1000000,
        "negative": {"at": 2, "mask": "80", "is": "80"}, "factor": 0.1},
      {"kind": "humidity", "at": 2, "type": "uint32", "bigEndian": true, "bits": [0, 30], "modulo": 1000000,
        "divide": 1000, "factor": 0.1},
      {"kind": "PM2.5", "at": 2, "type": "uint32", "bigEndian": true, "bits": [0, 30], "modulo": 1000}
    ]},
  {"name": "Govee H5181", "company": ["F861", "388A", "EA42", "AAA2", "D14B"], "length": 14,
    "fields": [
      {"kind": "temperature", "at": 8, "type": "int16", "bigEndian": true, "number": 1, "factor": 0.01,
        "minimum": 0},
      {"kind": "alarm temperature", "at": 10, "type": "int16", "bigEndian": true, "number": 1, "factor": 0.01,
        "minimum": 0}
    ]},
  {"name": "Govee H5182", "company": "2730", "length": 17,
    "fields": [
      {"kind": "temperature", "at": 8, "type": "int16", "bigEndian": true, "number": 1, "factor": 0.01,
        "minimum": 0},
      {"kind": "alarm temperature", "at": 10, "type": "int16", "bigEndian": true, "number": 1, "factor": 0.01,
        "minimum": 0},
      {"kind": "temperature", "at": 13, "type": "int16", "bigEndian": true, "number": 2, "factor": 0.01,
        "minimum": 0},
      {"kind": "alarm temperature", "at": 15, "type": "int16", "bigEndian": true, "number": 2, "factor": 0.01,
        "minimum": 0}
    ]},
  {"name": "Govee H5183", "company": ["67DD", "E02F", "F79F"], "length": 14,
    "fields": [
      {"kind": "temperature", "at": 8, "type": "int16", "bigEndian": true, "number": 1, "factor": 0.01,
        "minimum": 0},
      {"kind": "alarm temperature", "at": 10, "type": "int16", "bigEndian": true, "number": 1, "factor": 0.01,
        "minimum": 0}
    ]},
  {"name": "Govee H5184", "company": "1B36", "length": 17,
    "fields": [
      {"kind": "temperature", "at": 8, "type": "int16", "bigEndian": true, "number": 1, "factor": 0.01,
        "minimum": 0, "if": {"at": 6, "mask": "3F", "is": "01"}},
      {"kind": "alarm temperature", "at": 10, "type": "int16", "bigEndian": true, "number": 1, "factor": 0.01,
        "minimum": 0, "if": {"at": 6, "mask": "3F", "is": "01"}},
      {"kind": "temperature", "at": 13, "type": "int16", "bigEndian": true, "number": 2, "factor": 0.01,
        "minimum": 0, "if": {"at": 6, "mask": "3F", "is": "01"}},
      {"kind": "alarm temperature", "at": 15, "type": "int16", "bigEndian": true, "number": 2, "factor": 0.01,
        "minimum": 0, "if": {"at": 6, "mask": "3F", "is": "01"}},
      {"kind": "temperature", "at": 8, "type": "int16", "bigEndian": true, "number": 3, "factor": 0.01,
        "minimum": 0, "if": {"at": 6, "mask": "3F", "is": "02"}},
      {"kind": "alarm temperature", "at": 10, "type": "int16", "bigEndian": true, "number": 3, "factor": 0.01,
        "minimum": 0, "if": {"at": 6, "mask": "3F", "is": "02"}},
      {"kind": "temperature", "at": 13, "type": "int16", "bigEndian": true, "number": 4, "factor": 0.01,
        "minimum": 0, "if": {"at": 6, "mask": "3F", "is": "02"}},
      {"kind": "alarm temperature", "at": 15, "type": "int16", "bigEndian": true, "number": 4, "factor": 0.01,
        "minimum": 0, "if": {"at": 6, "mask": "3F", "is": "02"}}
    ]},
  {"name": "Govee H5185", "company": ["4A32", "0332", "4C32"], "length": 20,
    "fields": [
      {"kind": "temperature", "at": 8, "type": "int16", "bigEndian": true, "number": 1, "factor": 0.01,
        "minimum": 0},
      {"kind": "alarm temperature", "at": 10, "type": "int16", "bigEndian": true, "number": 1, "factor": 0.01,
        "minimum": 0},
      {"kind": "temperature", "at": 14, "type": "int16", "bigEndian": true, "number": 2, "factor": 0.01,
        "minimum": 0},
      {"kind": "alarm temperature", "at": 16, "type": "int16", "bigEndian": true, "number": 2, "factor": 0.01,
        "minimum": 0}
    ]},
  {"name": "Govee H5108", "about": "also H5100 and the others of its format with two more bytes", "company": "0001",
    "length": 8, "names": ["GVH5108*", "GVH5100*", "GVH5101*", "GVH5102*", "GVH5103*", "GVH5104*", "GVH5105*",
    "GVH5110*", "GVH5174*", "GVH5177*", "GV5179*"],
    "fields": [
      {"kind": "temperature", "at": 2, "type": "uint24", "bigEndian": true, "bits": [0, 22], "divide": 1000,
        "negative": {"at": 2, "mask": "80", "is": "80"}, "factor": 0.1, "minimum": -40, "maximum": 100,
        "unknownIf": {"at": 5, "mask": "80", "is": "80"}},
      {"kind": "humidity", "at": 2, "type": "uint24", "bigEndian": true, "bits": [0, 22], "modulo": 1000,
        "factor": 0.1, "unknownIf": {"at": 5, "mask": "80", "is": "80"}},
      {"kind": "battery", "at": 5, "type": "uint8", "bits": [0, 6]}
    ]},
  {"name": "Govee H5178", "about": "the second values are those of its remote sensor, which it sends in turn",
    "company": "0001", "length": 9, "prefix": ["000000", "000001"], "mask": "0000FF",
    "names": ["B5178*", "H5178*", "GVH5178*"],
    "fields": [
      {"kind": "temperature", "at": 3, "type": "uint24", "bigEndian": true, "bits": [0, 22], "divide": 1000,
        "number": 1, "negative": {"at": 3, "mask": "80", "is": "80"}, "factor": 0.1, "minimum": -40, "maximum": 100,
        "unknownIf": {"at": 6, "mask": "80", "is": "80"}, "if": {"at": 2, "is": "00"}},
      {"kind": "humidity", "at": 3, "type": "uint24", "bigEndian": true, "bits": [0, 22], "modulo": 1000,
        "number": 1, "factor": 0.1, "unknownIf": {"at": 6, "mask": "80", "is": "80"}, "if": {"at": 2, "is": "00"}},
      {"kind": "battery", "at": 6, "type": "uint8", "bits": [0, 6], "number": 1, "if": {"at": 2, "is": "00"}},
      {"kind": "temperature", "at": 3, "type": "uint24", "bigEndian": true, "bits": [0, 22], "divide": 1000,
        "number": 2, "negative": {"at": 3, "mask": "80", "is": "80"}, "factor": 0.1, "minimum": -40, "maximum": 100,
        "unknownIf": {"at": 6, "mask": "80", "is": "80"}, "if": {"at": 2, "is": "01"}},
      {"kind": "humidity", "at": 3, "type": "uint24", "bigEndian": true, "bits": [0, 22], "modulo": 1000,
        "number": 2, "factor": 0.1, "unknownIf": {"at": 6, "mask": "80", "is": "80"}, "if": {"at": 2, "is": "01"}},
      {"kind": "battery", "at": 6, "type": "uint8", "bits": [0, 6], "number": 2, "if": {"at": 2, "is": "01"}}
    ]},
  {"name": "Govee H5191", "about": "the second temperature is that of the room", "company": "AC63", "length": 20,
    "fields": [
      {"kind": "temperature", "at": 8, "type": "int16", "bigEndian": true, "number": 1, "factor": 0.01,
        "minimum": 0},
      {"kind": "alarm temperature", "at": 10, "type": "int16", "bigEndian": true, "number": 1, "factor": 0.01,
        "minimum": 0},
      {"kind": "temperature", "at": 14, "type": "int16", "bigEndian": true, "number": 2, "factor": 0.01}
    ]},
  {"name": "Govee H5198", "company": "3022", "length": 20,
    "fields": [
      {"kind": "temperature", "at": 8, "type": "int16", "bigEndian": true, "number": 1, "factor": 0.01,
        "minimum": 0, "if": {"at": 6, "mask": "3F", "is": "01"}},
      {"kind": "alarm temperature", "at": 10, "type": "int16", "bigEndian": true, "number": 1, "factor": 0.01,
        "minimum": 0, "if": {"at": 6, "mask": "3F", "is": "01"}},
      {"kind": "temperature", "at": 14, "type": "int16", "bigEndian": true, "number": 2, "factor": 0.01,
        "minimum": 0, "if": {"at": 6, "mask": "3F", "is": "01"}},
      {"kind": "alarm temperature", "at": 16, "type": "int16", "bigEndian": true, "number": 2, "factor": 0.01,
        "minimum": 0, "if": {"at": 6, "mask": "3F", "is": "01"}},
      {"kind": "temperature", "at": 8, "type": "int16", "bigEndian": true, "number": 3, "factor": 0.01,
        "minimum": 0, "if": {"at": 6, "mask": "3F", "is": "02"}},
      {"kind": "alarm temperature", "at": 10, "type": "int16", "bigEndian": true, "number": 3, "factor": 0.01,
        "minimum": 0, "if": {"at": 6, "mask": "3F", "is": "02"}},
      {"kind": "temperature", "at": 14, "type": "int16", "bigEndian": true, "number": 4, "factor": 0.01,
        "minimum": 0, "if": {"at": 6, "mask": "3F", "is": "02"}},
      {"kind": "alarm temperature", "at": 16, "type": "int16", "bigEndian": true, "number": 4, "factor": 0.01,
        "minimum": 0, "if": {"at": 6, "mask": "3F", "is": "02"}}
    ]},
  {"name": "Govee H5055", "about": "six probes, of which a frame has two; whole degrees", "company": "04CF",
    "length": 20, "names": ["GVH5055*"],
    "fields": [
      {"kind": "temperature", "at": 5, "type": "int16", "number": 1, "minimum": 0,
        "if": {"at": 3, "mask": "C1", "is": "01"}},
      {"kind": "alarm temperature", "at": 9, "type": "int16", "number": 1, "minimum": 0,
        "if": {"at": 3, "mask": "C1", "is": "01"}},
      {"kind": "temperature", "at": 12, "type": "int16", "number": 2, "minimum": 0,
        "if": {"at": 3, "mask": "C2", "is": "02"}},
      {"kind": "alarm temperature", "at": 16, "type": "int16", "number": 2, "minimum": 0,
        "if": {"at": 3, "mask": "C2", "is": "02"}},
      {"kind": "temperature", "at": 5, "type": "int16", "number": 3, "minimum": 0,
        "if": {"at": 3, "mask": "C4", "is": "44"}},
      {"kind": "alarm temperature", "at": 9, "type": "int16", "number": 3, "minimum": 0,
        "if": {"at": 3, "mask": "C4", "is": "44"}},
      {"kind": "temperature", "at": 12, "type": "int16", "number": 4, "minimum": 0,
        "if": {"at": 3, "mask": "C8", "is": "48"}},
      {"kind": "alarm temperature", "at": 16, "type": "int16", "number": 4, "minimum": 0,
        "if": {"at": 3, "mask": "C8", "is": "48"}},
      {"kind": "temperature", "at": 5, "type": "int16", "number": 5, "minimum": 0,
        "if": {"at": 3, "mask": "D0", "is": "90"}},
      {"kind": "alarm temperature", "at": 9, "type": "int16", "number": 5, "minimum": 0,
        "if": {"at": 3, "mask": "D0", "is": "90"}},
      {"kind": "temperature", "at": 12, "type": "int16", "number": 6, "minimum": 0,
        "if": {"at": 3, "mask": "E0", "is": "A0"}},
      {"kind": "alarm temperature", "at": 16, "type": "int16", "number": 6, "minimum": 0,
        "if": {"at": 3, "mask": "E0", "is": "A0"}},
      {"kind": "battery", "at": 2, "type": "uint8", "bits": [0, 6]}
    ]}
]}
"""#
}
