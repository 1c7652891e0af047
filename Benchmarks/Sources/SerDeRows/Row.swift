// SPDX-License-Identifier: MIT

import CBaseline

/// One line of the table: a loop over eight inputs, run any number of times.
public struct Row {
    /// The row's work, as in "decode u16 from Data"; the C functions' names end in "in C".
    public let name: String

    /// Does the work a number of times and returns a value that depends on all of the results.
    public let run: (Int) -> UInt64

    /// Creates a row of its name and its work.
    public init(_ name: String, _ run: @escaping (Int) -> UInt64) {
        self.name = name
        self.run = run
    }

    init(_ name: String, _ loop: @escaping (UnsafePointer<BaselineInput>, UInt64) -> UInt64, _ inputs: Inputs) {
        let baseline = inputs.baseline
        self.init(name) { loop(baseline, UInt64($0)) }
    }

    /// All rows; the C functions first.
    public static func all() -> [Row] {
        let inputs = AllInputs()
        return baselines(inputs) + decoding(inputs) + encoding(inputs) + arrays(inputs) + rawProtocols(inputs)
            + failures(inputs)
    }
}

/// The loop of every row, the same as those in C.
@inline(__always)
func loop(_ times: Int, _ body: (Int) -> UInt64) -> UInt64 {
    var sum: UInt64 = 0
    var index = 0
    while index < times {
        sum &+= body(index & 7)
        index &+= 1
    }
    return sum
}

/// Hands a value to an opaque function, so that it has to be made.
@inline(__always)
func consume<T>(_ value: borrowing T) -> UInt64 {
    withUnsafePointer(to: value) { benchmark_consume($0) }
    return 1
}

/// Eight values at a place that needs no bounds check and no count of references; kept as long as the program runs.
func eight<T>(_ make: (Int) -> T) -> UnsafePointer<T> {
    let values = UnsafeMutablePointer<T>.allocate(capacity: 8)
    for index in 0..<8 { (values + index).initialize(to: make(index)) }
    return UnsafePointer(values)
}
