// SPDX-License-Identifier: MIT

/// The reason why no frame has the values.
package struct SensorFrameError: Error, Hashable, Sendable {
    /// The mistaken part.
    package enum Part: Sendable, Hashable {
        case format
        case name
        case values
        case value(String)
        case key
        case address
    }

    package let part: Part
    package let reason: String
}
