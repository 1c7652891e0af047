// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapCoreBluetooth

struct WritePartsTests {
    private let first = AttributeID(rawValue: 1)
    private let second = AttributeID(rawValue: 2)

    private func request(
        _ attribute: AttributeID, _ offset: Int, _ value: Bytes, _ kind: WriteRequestKind = .request
    ) -> WriteParts.Request {
        WriteParts.Request(attribute: attribute, offset: offset, value: value, kind: kind)
    }

    private func part(
        _ attribute: AttributeID, _ offset: Int, _ value: Bytes, _ kind: WriteRequestKind
    ) -> WriteParts.Part {
        WriteParts.Part(attribute: attribute, offset: offset, value: value, kind: kind)
    }

    @Test func `the parts of a long value are one write`() {
        let parts = WriteParts([request(first, 0, [1, 2]), request(first, 2, [3, 4]), request(first, 4, [5])]).parts
        #expect(parts == [part(first, 0, [1, 2, 3, 4, 5], .prepared)])
    }

    @Test func `commands that came together are writes of their own`() {
        let parts = WriteParts([request(first, 0, [1], .command), request(first, 0, [2], .command)]).parts
        #expect(parts == [part(first, 0, [1], .command), part(first, 0, [2], .command)])
    }

    @Test func `parts of two characteristics are two writes`() {
        let parts = WriteParts([request(first, 0, [1]), request(first, 1, [2]), request(second, 0, [3])]).parts
        #expect(parts == [part(first, 0, [1, 2], .prepared), part(second, 0, [3], .request)])
    }

    @Test func `a part that leaves a gap is a write at its offset`() {
        let parts = WriteParts([request(first, 0, [1]), request(first, 3, [2])]).parts
        #expect(parts == [part(first, 0, [1], .request), part(first, 3, [2], .prepared)])
    }

    @Test func `an empty value is followed by another write, not continued`() {
        let parts = WriteParts([request(first, 0, []), request(first, 0, [1])]).parts
        #expect(parts == [part(first, 0, [], .request), part(first, 0, [1], .request)])
    }

    @Test func `no requests are no writes`() {
        #expect(WriteParts([]).parts.isEmpty)
    }
}
