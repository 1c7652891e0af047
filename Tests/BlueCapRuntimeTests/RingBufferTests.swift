// SPDX-License-Identifier: MIT

import Testing

@testable import BlueCapRuntime

@Suite("Ring buffer", .timeLimit(.minutes(60)))
struct RingBufferTests {
    @Test func `elements come out in the order they went in, over many turns of the array`() {
        var buffer = RingBuffer<Int>()
        var expected = 0
        for number in 0..<100 {
            buffer.append(number)
            if number % 3 != 0 { continue }
            #expect(buffer.popFirst() == expected)
            expected += 1
        }
        while let element = buffer.popFirst() {
            #expect(element == expected)
            expected += 1
        }
        #expect(expected == 100)
    }

    @Test func `an empty buffer gives nothing and says that it is empty`() {
        var buffer = RingBuffer<Int>()
        #expect(buffer.popFirst() == nil)
        #expect(buffer.first == nil)
        buffer.append(1)
        _ = buffer.popFirst()
        #expect(buffer.isEmpty)
        #expect(buffer.popFirst() == nil)
    }

    @Test func `growing while wrapped around keeps the order`() {
        var buffer = RingBuffer<Int>()
        for number in 0..<8 { buffer.append(number) }
        for _ in 0..<5 { _ = buffer.popFirst() }
        for number in 8..<40 { buffer.append(number) }
        #expect((0..<buffer.count).map { buffer[$0] } == Array(5..<40))
    }

    @Test func `an element is found and replaced by its position from the oldest`() {
        var buffer = RingBuffer<Int>()
        for number in 0..<10 { buffer.append(number) }
        for _ in 0..<4 { _ = buffer.popFirst() }
        let index = buffer.firstIndex { $0 == 7 }
        #expect(index == 3)
        buffer[3] = 70
        #expect((0..<buffer.count).map { buffer[$0] } == [4, 5, 6, 70, 8, 9])
        #expect(buffer.firstIndex { $0 == 0 } == nil)
    }

    @Test func `an element that was taken is released`() {
        final class Token {}
        var buffer = RingBuffer<Token>()
        weak var weakToken: Token?
        do {
            let token = Token()
            weakToken = token
            buffer.append(token)
        }
        #expect(weakToken != nil)
        _ = buffer.popFirst()
        #expect(weakToken == nil)
    }
}
