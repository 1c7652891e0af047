// SPDX-License-Identifier: MIT

/// A text that is being pasted: the bytes between ESC [ 200 ~ and ESC [ 201 ~.
struct PastedText: Sendable {
    private static let end: [UInt8] = Array("\u{1B}[201~".utf8)

    private let maximum: Int
    private var bytes: [UInt8] = []
    /// How much of the end the last bytes are.
    private var matched = 0

    /// - Parameter maximum: How many bytes are kept; the rest is let go.
    init(maximum: Int) { self.maximum = maximum }

    /// Takes a byte.
    ///
    /// - Returns: The text, once its end has come, with line feeds between its lines.
    mutating func take(_ byte: UInt8) -> String? {
        if byte == Self.end[matched] {
            matched += 1
            return matched == Self.end.count ? text : nil
        }
        // Of a beginning that leads to nothing, only ESC can begin the end again.
        for held in Self.end.prefix(matched) { keep(held) }
        matched = 0
        if byte == Self.end[0] { matched = 1 } else { keep(byte) }
        return nil
    }

    private mutating func keep(_ byte: UInt8) {
        if bytes.count < maximum { bytes.append(byte) }
    }

    private var text: String {
        var lines = ""
        var wasReturn = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if scalar == "\r" || scalar == "\n" && !wasReturn { lines.unicodeScalars.append("\n") }
            if scalar != "\r", scalar != "\n" { lines.unicodeScalars.append(scalar) }
            wasReturn = scalar == "\r"
        }
        return lines
    }
}
