// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import Testing

@Suite
struct PathIndexTests {
    private static func path(_ number: Int) -> String { "/org/bluez/hci0/dev_\(number)" }

    @Test func `every path has a number of its own, and keeps it while others come and go`() {
        var index = PathIndex()
        let numbers = (0..<2000).map { index.add(Self.path($0)) }
        #expect(Set(numbers) == Set(0..<2000))
        #expect(index.count == 2000)
        for number in stride(from: 0, to: 2000, by: 2) { index.remove(Self.path(number).utf8Span.span) }
        for number in 0..<2000 {
            #expect(index.number(of: Self.path(number).utf8Span.span) == (number % 2 == 0 ? nil : numbers[number]))
        }
        #expect(index.count == 1000)
    }

    @Test
    func `a path that is there already gets no second number; a number that was given back is given out again`() {
        var index = PathIndex()
        let first = index.add(Self.path(1))
        #expect(index.add(Self.path(1)) == first)
        let second = index.add(Self.path(2))
        index.remove(Self.path(1).utf8Span.span)
        index.remove(Self.path(1).utf8Span.span)
        #expect(index.add(Self.path(3)) == first)
        #expect(index.number(of: Self.path(2).utf8Span.span) == second)
        #expect(index.number(of: Self.path(1).utf8Span.span) == nil)
    }

    @Test(arguments: 0..<20)
    func `paths that differ in length, in one byte or only in their end are different`(length: Int) {
        var index = PathIndex()
        let path = [UInt8](repeating: UInt8(ascii: "a"), count: length)
        let number = index.add(String(decoding: path, as: UTF8.self))
        #expect(index.number(of: (path + [UInt8(ascii: "a")]).span) == nil)
        for place in path.indices {
            var other = path
            other[place] = UInt8(ascii: "b")
            #expect(index.number(of: other.span) == nil)
        }
        #expect(index.number(of: path.span) == number)
    }
}
#endif
