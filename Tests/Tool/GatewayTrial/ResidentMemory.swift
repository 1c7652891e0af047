// SPDX-License-Identifier: MIT

import BlueCapPlatform

/// The memory of this process, in bytes.
enum ResidentMemory {
    static var bytes: Int {
        guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
        defer { unsafe fclose(file) }
        var text = [CChar](repeating: 0, count: 128)
        guard unsafe fgets(&text, 128, file) != nil else { return 0 }
        let fields = String(decoding: text.map(UInt8.init(bitPattern:)), as: UTF8.self).split(separator: " ")
        return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Int(getpagesize())
    }
}
