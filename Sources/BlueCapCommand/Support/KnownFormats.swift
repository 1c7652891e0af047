// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

/// The formats of sensors that the library ships, and those of `--formats`.
enum KnownFormats {
    private static let known = Locked(SensorFormats.shipped)

    static var formats: SensorFormats { known.withLock { $0 } }

    /// Adds the formats of a file, which count where the library has others.
    static func add(_ formats: SensorFormats) { known.withLock { $0 = $0.adding(formats) } }

    /// Knows these formats, and no others.
    static func use(_ formats: SensorFormats) { known.withLock { $0 = formats } }
}
