// SPDX-License-Identifier: MIT

// Mistakes that the compiler finds only in SIL. With the standard library that is made for a platform they have to be
// the same as with the toolchain's own.
final class Box {
    var value = 0
}

actor Place {
    var kept: [Box] = []

    func keep(_ box: Box) { kept.append(box) }
}

struct Once: ~Copyable {
    consuming func end() {}
}

struct Half {
    let first: Int
    let second: Int

    init() {
        first = 1
    }
}

struct Early {
    var values: [Int]

    init() {
        values.append(1)
    }
}

func sendsAndUses(_ place: Place) async {
    let box = Box()
    await place.keep(box)
    box.value += 1
}

func sendsAnElement(_ place: Place) async {
    let boxes = [Box()]
    await place.keep(boxes[0])
    boxes.first?.value = 2
}

func captures(_ box: Box) {
    Task { box.value += 1 }
}

func runsForever() -> Int {
    while true {}
}

func returnsOnOnePath(_ isSet: Bool) -> Int {
    if isSet { return 1 }
}

func returnsInALoop(_ count: Int) -> Int {
    for _ in 0..<count { return 1 }
}

func stops() -> Int {
    preconditionFailure("without a result")
}

func overflows() -> UInt8 {
    let most: UInt8 = 255
    return most + 1
}

func takesTooMuch() -> UInt8 {
    UInt8(300)
}

func dividesByZero() -> Int {
    1 / 0
}

func readsTooEarly(_ isSet: Bool) -> Int {
    let number: Int
    if isSet { number = 1 }
    return number
}

func recurs(_ count: Int) -> Int {
    recurs(count + 1)
}

func accessesTwice() {
    var text = "a"
    text.withUTF8 { _ in text += "b" }
}

func consumesTwice() {
    let once = Once()
    once.end()
    once.end()
}

func consumesBorrowed(_ once: borrowing Once) {
    once.end()
}

func letsASpanEscape() -> Int {
    var span: Span<Int>
    do {
        let array: ContiguousArray<Int> = [1]
        span = array.span
    }
    return span[0]
}

func changesBelowASpan() -> Int {
    var array: ContiguousArray<Int> = [1]
    let span = array.span
    array.append(2)
    return span[0]
}

func escapes(_ body: () -> Void) {
    let kept = { body() }
    withoutActuallyEscaping(body) { $0() }
    kept()
}

func returnsInout(_ number: inout Int) -> () -> Int {
    { number }
}
