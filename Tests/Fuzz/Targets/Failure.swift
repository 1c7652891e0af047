// SPDX-License-Identifier: MIT

import BlueCapPlatform

/// Prints a failure and ends the process, which the fuzzer counts as a crash.
func fail(_ what: String) -> Never {
    // Optimized code traps without a word.
    unsafe "FAILED: \(what)\n".withCString { text in _ = unsafe write(2, text, strlen(text)) }
    preconditionFailure()
}

/// Fails unless a condition holds.
func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { fail(what()) }
}
