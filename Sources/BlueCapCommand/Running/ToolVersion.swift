// SPDX-License-Identifier: MIT

/// The version of the tool.
enum ToolVersion {
    /// That of the newest release.
    static let text = "0.9.0"
}
