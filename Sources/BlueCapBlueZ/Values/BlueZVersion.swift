// SPDX-License-Identifier: MIT

/// The version of a running bluetoothd.
///
/// BlueZ has no property for its version. It puts it into the device identification of every adapter
/// (`Adapter1.Modalias`, `usb:v1D6Bp0246d0557` for 5.87) unless the setting `DeviceID` of its `main.conf` replaces
/// that; then the version is unknown. Use a version only where the daemon gives no better sign of its capabilities.
package struct BlueZVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number before the point.
    package let major: UInt8
    /// The number after the point.
    package let minor: UInt8

    /// Creates a version, as `BlueZVersion(5, 87)`.
    package init(_ major: UInt8, _ minor: UInt8) {
        self.major = major
        self.minor = minor
    }

    /// Reads the version from an adapter's `Modalias`.
    ///
    /// - Returns: nil for an identification other than BlueZ's own (vendor 1D6B, product 0246).
    package init?(modalias: String) {
        let own = "usb:v1D6Bp0246d"
        guard modalias.hasPrefix(own) else { return nil }
        let digits = modalias.utf8.dropFirst(own.utf8.count)
        guard digits.count == 4 else { return nil }
        var number: UInt16 = 0
        for digit in digits {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
            number = number << 4 | UInt16(value)
        }
        self.init(UInt8(number >> 8), UInt8(number & 0xFF))
    }

    /// The usual form: `"5.87"`.
    package var description: String { "\(major).\(minor)" }

    package static func < (left: Self, right: Self) -> Bool { (left.major, left.minor) < (right.major, right.minor) }
}

#if BlueZ && os(Linux)
import BlueCapDBus

extension ObjectMirror {
    /// The version of the daemon that shows an adapter; nil if it is unknown.
    package func version(ofAdapter path: String) -> BlueZVersion? {
        self[path, BlueZInterface.adapter]?[Adapter1.modalias].flatMap(BlueZVersion.init(modalias:))
    }
}
#endif
