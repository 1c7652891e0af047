// SPDX-License-Identifier: MIT

extension Duration {
    /// A number of seconds, to the nearest microsecond: a number such as 1.001 is a little less in floating point, and
    /// would lose a part if it were cut off.
    ///
    /// - Parameter seconds: From −1e12 to 1e12.
    package init(nearest seconds: Double) { self = .microseconds(Int64((seconds * 1e6).rounded())) }
}
