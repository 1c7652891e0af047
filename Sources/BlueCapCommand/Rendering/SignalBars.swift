// SPDX-License-Identifier: MIT

/// Signal strength as up to five bars.
enum SignalBars {
    private static let glyphs: [Character] = ["▁", "▂", "▄", "▆", "█"]

    /// How many of five bars a strength in dBm is worth; nil where it was not measured: absent, 0, or 127 (the value
    /// that controllers report for "not available").
    static func count(_ rssi: Int?) -> Int? {
        guard let rssi, rssi != 0, rssi != 127 else { return nil }
        return switch rssi {
        case (-40)...: 5
        case (-55)...: 4
        case (-70)...: 3
        case (-85)...: 2
        case (-99)...: 1
        default: 0
        }
    }

    /// Five columns of bars, a space and the number in four columns: `"▁▂▄··  -63"`.
    static func text(_ rssi: Int?) -> String {
        guard let rssi, let count = count(rssi) else { return "·····  n/a" }
        let bars = String(glyphs.prefix(count)) + String(repeating: "·", count: glyphs.count - count)
        return bars + " " + TextLayout.pad(String(rssi), to: 4, alignment: .right)
    }
}
