// SPDX-License-Identifier: MIT

/// A terminal's size in characters.
struct ScreenSize: Sendable, Hashable {
    var columns: Int
    var rows: Int
    /// Whether colours may be used.
    var hasColors = false
}
