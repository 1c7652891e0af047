// SPDX-License-Identifier: MIT

/// A call of the system that failed, with its `errno`.
package struct LoopError: Error, Sendable, Equatable, CustomStringConvertible {
    package let call: String
    package let errno: Int32

    package init(call: String, errno: Int32) { (self.call, self.errno) = (call, errno) }

    package var description: String { "\(call) failed with errno \(errno)" }
}
