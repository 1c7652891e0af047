// SPDX-License-Identifier: MIT

#if Macros
import Testing

@Suite("Expansion of layouts", .timeLimit(.minutes(60)))
struct ExpansionTests {
    @Test
    func `plain fields are read and written in their order, and sizes that are known are one number`() {
        expectExpansion(
            """
            @Layout
            struct Sample {
                static let name = "Sample"
                var count: UInt8
                let level: Int16
                var where_: Position
                var isLow: Bool { level < 0 }
            }
            """,
            """
            struct Sample {
                static let name = "Sample"
                var count: UInt8
                let level: Int16
                var where_: Position
                var isLow: Bool { level < 0 }
            }

            extension Sample: ByteDecodable, ByteEncodable {
                init(from reader: inout ByteReader) throws(SerDeError) {
                    count = try reader.read(UInt8.self)
                    level = try reader.read(Int16.self)
                    where_ = try reader.read(Position.self)
                }

                var encodedByteCount: Int {
                    3 + where_.encodedByteCount
                }

                func encode(into output: inout OutputRawSpan) {
                    count.encode(into: &output)
                    level.encode(into: &output)
                    where_.encode(into: &output)
                }
            }
            """)
    }

    @Test func `flags are read first, decide what is read, and are made of what is there`() {
        expectExpansion(
            """
            @Layout(flags: UInt8.self)
            public struct HeartRate: Hashable {
                @Flag(0, else: UInt8.self) public var beatsPerMinute: UInt16
                @Flag(1...2) public var sensorContact: UInt8
                @Flag(3) public var energyExpended: UInt16?
                @Flag(4) public var rrIntervals: [UInt16]
            }
            """,
            """
            public struct HeartRate: Hashable {
                public var beatsPerMinute: UInt16
                public var sensorContact: UInt8
                public var energyExpended: UInt16?
                public var rrIntervals: [UInt16]
            }

            extension HeartRate: ByteDecodable, ByteEncodable {
                public init(from reader: inout ByteReader) throws(SerDeError) {
                    let flags = try reader.read(UInt8.self)
                    beatsPerMinute = flags & 0x01 != 0 ? try reader.read(UInt16.self) : UInt16(try reader.read(UInt8.self))
                    sensorContact = UInt8(truncatingIfNeeded: flags >> 1 & 0x03)
                    energyExpended = flags & 0x08 != 0 ? try reader.read(UInt16.self) : nil
                    rrIntervals = flags & 0x10 != 0 ? try reader.read([UInt16].self) : [UInt16]()
                }

                public var encodedByteCount: Int {
                    1 + (UInt8(exactly: beatsPerMinute) == nil ? 2 : 1) + (energyExpended == nil ? 0 : 2) \
            + rrIntervals.encodedByteCount
                }

                public func encode(into output: inout OutputRawSpan) {
                    var flags: UInt8 = 0
                    if UInt8(exactly: beatsPerMinute) == nil {
                        flags |= 0x01
                    }
                    flags |= (UInt8(truncatingIfNeeded: sensorContact) & 0x03) << 1
                    if energyExpended != nil {
                        flags |= 0x08
                    }
                    if !rrIntervals.isEmpty {
                        flags |= 0x10
                    }
                    flags.encode(into: &output)
                    if let narrow = UInt8(exactly: beatsPerMinute) {
                        narrow.encode(into: &output)
                    } else {
                        beatsPerMinute.encode(into: &output)
                    }
                    if let energyExpended {
                        energyExpended.encode(into: &output)
                    }
                    rrIntervals.encode(into: &output)
                }
            }
            """)
    }

    @Test func `scaled, counted, big-endian and constant fields are plain Swift`() {
        expectExpansion(
            """
            @Layout
            package struct Climate {
                let opcode: UInt8 = 7
                @Scaled(Int16.self, by: 0.01, unit: "°C") var temperature: Double
                @Scaled(UInt24.self, by: 0.3, offset: -10, unknown: 0xff) var humidity: Double?
                @BigEndian var sequence: UInt32
                @Counted(by: UInt8.self) var samples: [Int16]
            }
            """,
            """
            package struct Climate {
                let opcode: UInt8 = 7
                var temperature: Double
                var humidity: Double?
                var sequence: UInt32
                var samples: [Int16]
            }

            extension Climate: ByteDecodable, ByteEncodable {
                package init(from reader: inout ByteReader) throws(SerDeError) {
                    let opcodeOffset = reader.offset
                    guard try reader.read(UInt8.self) == opcode else {
                        throw .invalidValue(offset: opcodeOffset)
                    }
                    temperature = Double(try reader.read(Int16.self)) / 100
                    let humidityRaw = try reader.read(UInt24.self)
                    humidity = humidityRaw == 0xff ? nil : Double(humidityRaw.value) * 0.3 + -10
                    sequence = try reader.read(UInt32.self, .bigEndian)
                    samples = try [Int16](from: &reader, countedBy: UInt8.self)
                }

                package var encodedByteCount: Int {
                    10 + UInt8.size + samples.encodedByteCount
                }

                package func encode(into output: inout OutputRawSpan) {
                    opcode.encode(into: &output)
                    Int16(nearest: temperature * 100).encode(into: &output)
                    if let humidity {
                        UInt24(nearest: (humidity - -10) / 0.3).encode(into: &output)
                    } else {
                        (0xff as UInt24).encode(into: &output)
                    }
                    output.write(sequence, .bigEndian)
                    samples.encode(countedBy: UInt8.self, into: &output)
                }

                package static var units: [String: String] {
                    ["temperature": "°C"]
                }
            }
            """)
    }

    @Test
    func `bits that may be no value are checked, and names of the functions' own are told apart`() {
        expectExpansion(
            """
            @Layout(flags: UInt24.self)
            struct Value {
                @Flag(0...1) var side: Side
                @Flag(2) var isMetric: Bool
                @Flag(3) var output: UInt8?
                var flags: UInt8
            }
            """,
            """
            struct Value {
                var side: Side
                var isMetric: Bool
                var output: UInt8?
                var flags: UInt8
            }

            extension Value: ByteDecodable, ByteEncodable {
                init(from reader: inout ByteReader) throws(SerDeError) {
                    let start = reader.offset
                    let flags = try reader.read(UInt24.self).value
                    guard let side = Side(rawValue: .init(truncatingIfNeeded: flags & 0x03)) else {
                        throw .invalidValue(offset: start)
                    }
                    self.side = side
                    isMetric = flags & 0x04 != 0
                    self.output = flags & 0x08 != 0 ? try reader.read(UInt8.self) : nil
                    self.flags = try reader.read(UInt8.self)
                }

                var encodedByteCount: Int {
                    4 + (self.output == nil ? 0 : 1)
                }

                func encode(into output: inout OutputRawSpan) {
                    var flags: UInt32 = 0
                    flags |= (UInt32(truncatingIfNeeded: side.rawValue) & 0x03)
                    if isMetric {
                        flags |= 0x04
                    }
                    if self.output != nil {
                        flags |= 0x08
                    }
                    UInt24(truncatingIfNeeded: flags).encode(into: &output)
                    if let value = self.output {
                        value.encode(into: &output)
                    }
                    self.flags.encode(into: &output)
                }
            }
            """)
    }
}
#endif
