// SPDX-License-Identifier: MIT

extension SensorFormats {
    /// The files of the formats that the library ships, each in the form that ``init(json:)`` reads.
    ///
    /// No other file of the library names a maker of sensors. `Tests/Tool/sensor_formats` compares their values with
    /// those of decoders of others.
    package static let texts = [ruuvi, telink, govee, inkbird, thermoPro, switchBot, miScale, eddystone]

    /// The formats that data cannot describe, as they are lists or encrypted.
    static let coded = [MiBeacon.format] + TelinkSealed.formats
}
