// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Foundation
import Testing

@Suite("Values of every length", .timeLimit(.minutes(60)))
struct EncodedLengthTests {
    private struct Run: ByteCodable, Equatable {
        var bytes: [UInt8]
        init(_ count: Int) { bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) } }
        init(from reader: inout ByteReader) throws(SerDeError) {
            bytes = try reader.readArray(count: reader.remaining)
        }
        // One more than the number of written bytes: the result must not keep the unused byte.
        var encodedByteCount: Int { bytes.count + 1 }
        func encode(into output: inout OutputRawSpan) { output.write(contentsOf: bytes) }
    }

    @Test(arguments: [0, 1, 13, 14, 15, 29, 30, 31, 32, 33, 244, 1500])
    func `come back from Bytes, Data and arrays`(count: Int) throws {
        let run = Run(count)
        #expect(SerDe.serialize(run) == Bytes(run.bytes))
        #expect(SerDe.serialize(run, as: Data.self) == Data(run.bytes))
        #expect(SerDe.serialize(run, as: [UInt8].self) == run.bytes)
        #expect(try SerDe.deserialize(SerDe.serialize(run)) == run)
        #expect(try SerDe.deserialize(SerDe.serialize(run, as: Data.self)) == run)
        #expect(try SerDe.deserialize(SerDe.serialize(run, as: [UInt8].self)) == run)
    }
}
