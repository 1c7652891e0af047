// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCapPlatform
package import BlueCapRuntime

/// The pages of program files in the memory of this process.
package enum ProgramPages {
    /// Gives back the pages that hold code and constants of this program and of its libraries, which Linux reads again
    /// when they are needed.
    ///
    /// The start of a program uses far more of them than the time after it, and Linux maps the neighbors of each with
    /// it. They count as memory of the process until it gives them back.
    package static func giveBack() {
        for range in unwritten(of: "/proc/self/smaps") {
            // SAFETY: the range is a mapping of a file without a page that this process has written, so that each page
            // is the same when it is read from the file again. The program unloads no library that it has loaded.
            _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
        }
    }

    /// Gives back the pages that the start has used, and later those for rare work, until the task is
    /// cancelled.
    package static func giveBack(on clock: BlueCapClock) async throws {
        try await clock.sleep(for: .seconds(10))
        while !Task.isCancelled {
            giveBack()
            try await clock.sleep(for: .seconds(3600))
        }
    }

    /// The mappings of code and constants from files that have no pages of the process's own, as those have where a
    /// debugger has set breakpoints, or where the loader has written addresses.
    ///
    /// - Parameter file: The path of a list as proc_pid_smaps(5) describes it.
    static func unwritten(of file: String) -> [Range<UInt>] {
        guard let file = unsafe fopen(file, "re") else { return [] }
        defer { unsafe fclose(file) }
        var ranges: [Range<UInt>] = []
        // Nil in a mapping of something else.
        var range: Range<UInt>?
        var line = [CChar](repeating: 0, count: 8192)
        while unsafe fgets(&line, Int32(line.count), file) != nil {
            guard matters(line) else { continue }
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                .split(whereSeparator: \.isWhitespace)
            if let found = addresses(words.first ?? "") {
                let isOfFile = words.count > 5 && words[5].hasPrefix("/")
                range = isOfFile && ["r-xp", "r--p"].contains(words[1]) ? found : nil
            } else if let name = words.first, ["Anonymous:", "Swap:"].contains(name), words[1] != "0" {
                range = nil
            } else if words.first == "VmFlags:", let found = range.take() {
                ranges.append(found)
            }
        }
        return ranges
    }

    /// Whether a line is the head of a mapping, or begins as a line that is looked at: the words of all lines would
    /// take most of the time.
    private static func matters(_ line: [CChar]) -> Bool {
        let start = line.prefix(2).map { Unicode.Scalar(UInt8(bitPattern: $0)) }
        return !("A"..."Z").contains(start[0]) || [["A", "n"], ["S", "w"], ["V", "m"]].contains(start)
    }

    private static func addresses(_ word: Substring) -> Range<UInt>? {
        let parts = word.split(separator: "-")
        guard parts.count == 2, let start = UInt(parts[0], radix: 16), let end = UInt(parts[1], radix: 16), start < end
        else { return nil }
        return start..<end
    }
}
#endif
