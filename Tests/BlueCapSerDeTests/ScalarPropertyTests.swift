// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

/// Little-endian, then big-endian, then as an array of one: all must give the number back.
private func check<T: Deserializable & FixedWidthInteger>(_ number: T) throws {
    let little = SerDe.serialize(number)
    try hold(little.count == T.size, number)
    for index in 0..<T.size {
        try hold(little[index] == UInt8(truncatingIfNeeded: number >> T(truncatingIfNeeded: 8 * index)), number)
    }
    try hold(SerDe.deserialize(little, as: T.self) == number, number)
    let big = Bytes(capacity: T.size) { $0.write(number, .bigEndian) }
    try hold(big == Bytes(little.reversed()), number)
    let back = try big.withBytes { (span: RawSpan) throws(SerDeError) -> T in
        var reader = ByteReader(span)
        return try reader.read(.bigEndian)
    }
    try hold(back == number, number)
}

private func checkRandom<T: Deserializable & FixedWidthInteger>(_ type: T.Type) throws {
    var random = SplitMix64(seed: UInt64(T.bitWidth))
    for _ in 0..<5000 { try check(T.random(in: .min ... .max, using: &random)) }
    // Numbers of each length in bits, so that small ones come up too.
    for shift in 0..<T.bitWidth { try check(T.random(in: .min ... .max, using: &random) >> T(shift)) }
}

@Suite("Scalars over their whole range", .timeLimit(.minutes(60)))
struct ScalarPropertyTests {
    @Test func `each number of 8 and 16 bits goes both ways in both byte orders`() throws {
        for number in UInt8.min...UInt8.max {
            try check(number)
            try check(Int8(bitPattern: number))
        }
        for number in UInt16.min...UInt16.max {
            try check(number)
            try check(Int16(bitPattern: number))
        }
    }

    @Test func `random numbers of 32 and 64 bits go both ways in both byte orders`() throws {
        try checkRandom(Int32.self)
        try checkRandom(UInt32.self)
        try checkRandom(Int64.self)
        try checkRandom(UInt64.self)
    }

    @Test func `floating-point numbers keep all their bits, those of NaN included`() throws {
        var random = SplitMix64(seed: 754)
        for _ in 0..<20_000 {
            let bits = random.next()
            let double: Double = try SerDe.deserialize(SerDe.serialize(bits))
            try hold(double.bitPattern == bits, bits)
            try hold(SerDe.serialize(double) == SerDe.serialize(bits), bits)
            let short = UInt32(truncatingIfNeeded: bits)
            let float: Float = try SerDe.deserialize(SerDe.serialize(short))
            try hold(float.bitPattern == short, bits)
            try hold(SerDe.serialize(float) == SerDe.serialize(short), bits)
        }
    }

    @Test func `random identifiers go both ways in their shortest form and in full`() throws {
        var random = SplitMix64(seed: 128)
        for index in 0..<3000 {
            let uuid =
                switch index % 3 {
                case 0: BluetoothUUID(UInt16(truncatingIfNeeded: random.next()))
                case 1: BluetoothUUID(UInt32(truncatingIfNeeded: random.next()))
                default: BluetoothUUID(high: random.next(), low: random.next())
                }
            try hold(SerDe.deserialize(SerDe.serialize(uuid), as: BluetoothUUID.self) == uuid, uuid)
            try hold(SerDe.deserialize(uuid.fullLittleEndianBytes, as: BluetoothUUID.self) == uuid, uuid)
            try hold(BluetoothUUID(text: uuid.description) == uuid, uuid)
        }
    }

    @Test
    func `what a date and time is read from is what it is written to, and its text is read back`() throws {
        var random = SplitMix64(seed: 2024)
        var taken = 0
        for _ in 0..<20_000 {
            // Bytes near the valid ranges, so that most dates are taken and each part is refused at times.
            let year = UInt16.random(in: 1580...10_001, using: &random)
            let bytes = SerDe.serialize(
                random.next() % 8 == 0 ? 0 : year, UInt8.random(in: 0...12, using: &random),
                UInt8.random(in: 0...32, using: &random), UInt8.random(in: 0...24, using: &random),
                UInt8.random(in: 0...60, using: &random), UInt8.random(in: 0...60, using: &random))
            guard let value = try? SerDe.deserialize(bytes, as: DateTime.self) else { continue }
            taken += 1
            try hold(SerDe.serialize(value) == bytes, value)
            try hold(DateTime(value.description) == value, value)
        }
        #expect(taken > 10_000)
    }
}
