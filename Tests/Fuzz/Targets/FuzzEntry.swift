// SPDX-License-Identifier: MIT

import BlueCapPlatform

extension FuzzTarget {
    /// The target that the environment names: the fuzzer starts itself again with arguments of its own making.
    static func fromEnvironment() -> FuzzTarget {
        let name = unsafe getenv("BLUECAP_FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            let names = allCases.map(\.rawValue).joined(separator: ", ")
            fail("BLUECAP_FUZZ_TARGET is '\(name)'; it names one of \(names)")
        }
        return target
    }
}

// SAFETY: libFuzzer calls from one thread only.
nonisolated(unsafe) private let body = FuzzTarget.fromEnvironment().makeBody()

/// Takes one input of libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = FuzzInput(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    unsafe body(&input)
    return 0
}
