// SPDX-License-Identifier: MIT

/// Numbers as the texts of characteristics show them.
package enum DecimalText {
    /// A number with a fixed count of decimals, 0 through 18, rounded to the nearest and to even from the middle;
    /// "nan", "inf" and "-inf" for what has no decimals.
    package static func fixed(_ value: Double, _ decimals: Int) -> String {
        guard value.isFinite else { return value.isNaN ? "nan" : value < 0 ? "-inf" : "inf" }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (value.magnitude * scale).rounded(.toNearestOrEven)
        guard scaled < 0x1p63 else { return "\(value)" }
        let number = UInt64(scaled)
        let sign = value < 0 && number != 0 ? "-" : ""
        let whole = number / UInt64(scale)
        guard decimals > 0 else { return "\(sign)\(whole)" }
        let fraction = String(number % UInt64(scale))
        return "\(sign)\(whole).\(String(repeating: "0", count: decimals - fraction.count))\(fraction)"
    }
}
