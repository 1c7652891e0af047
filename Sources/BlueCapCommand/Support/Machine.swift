// SPDX-License-Identifier: MIT

import BlueCapPlatform

/// The machine that the program runs on.
enum Machine {
    /// Its name, without its domain.
    static var name: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "bluecap" }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(separator: ".").first.map(String.init) ?? "bluecap"
    }

    /// A text that stays the same in each run, and is that of no other machine: where the system has none, the name.
    static var identity: String {
        let bytes = try? ToolFile.read("/etc/machine-id", maximum: 64)
        let text = bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? name
    }
}
