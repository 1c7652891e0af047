// SPDX-License-Identifier: MIT

import BlueCapPlatform

/// The memory that this process has allocated and not freed, in bytes.
///
/// Unlike ``ResidentMemory`` it does not grow with the memory that the allocator keeps for later.
enum AllocatedMemory {
    // The module of the C library leaves `malloc.h` out.
    private typealias Report = @convention(c) (CInt, UnsafeMutablePointer<FILE>?) -> CInt

    static var bytes: Int {
        guard let symbol = unsafe dlsym(nil, "malloc_info"), let file = unsafe tmpfile() else { return 0 }
        defer { unsafe fclose(file) }
        // SAFETY: this is the type of `malloc_info` in malloc.h of the GNU C library.
        guard unsafe unsafeBitCast(symbol, to: Report.self)(0, file) == 0 else { return 0 }
        unsafe rewind(file)
        var line = [CChar](repeating: 0, count: 512)
        var sizes: [String: Int] = [:]
        while unsafe fgets(&line, CInt(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            let fields = text.split(separator: "\"")
            // Of each kind the last line counts, which is of all arenas: <total type="rest" count="7" size="12345"/>
            guard text.hasPrefix("<total") || text.hasPrefix("<system"), fields.count > 3 else { continue }
            sizes[String(fields[1])] = Int(fields[fields.count - 2])
        }
        let free = (sizes["fast"] ?? 0) + (sizes["rest"] ?? 0)
        return (sizes["current"] ?? 0) + (sizes["mmap"] ?? 0) - free
    }
}
