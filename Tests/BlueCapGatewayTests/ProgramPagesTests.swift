// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
@testable import BlueCapGateway
import Foundation
import Testing

@Suite struct ProgramPagesTests {
    private static let list = """
        5500-7700 r-xp 00000000 fe:00 1 /usr/bin/bluecap
        Rss:                  12 kB
        Anonymous:             0 kB
        Swap:                  0 kB
        VmFlags: rd ex mr mw me
        7700-8800 rw-p 00000000 fe:00 1 /usr/bin/bluecap
        Anonymous:             0 kB
        Swap:                  0 kB
        VmFlags: rd ex mr mw me
        9000-a000 r-xp 00000000 fe:00 2 /usr/lib/a folder/lib.so (deleted)
        Anonymous:             0 kB
        Swap:                  0 kB
        VmFlags: rd ex mr mw me
        b000-c000 r-xp 00000000 fe:00 3 /usr/lib/with-a-breakpoint.so
        Anonymous:             4 kB
        Swap:                  0 kB
        VmFlags: rd ex mr mw me
        c000-d000 r-xp 00000000 fe:00 3 /usr/lib/with-a-swapped-breakpoint.so
        Anonymous:             0 kB
        Swap:                  4 kB
        VmFlags: rd ex mr mw me
        d000-e000 r-xp 00000000 00:00 0 [vdso]
        Anonymous:             0 kB
        Swap:                  0 kB
        VmFlags: rd ex mr mw me
        e000-f000 r--p 00000000 fe:00 3 /usr/lib/constants.so
        Anonymous:             0 kB
        Swap:                  0 kB
        VmFlags: rd mr mw me
        f000-f800 r--p 00000000 fe:00 3 /usr/lib/with-written-addresses.so
        Anonymous:             4 kB
        Swap:                  0 kB
        VmFlags: rd mr mw me
        f800-f900 r--s 00000000 fe:00 4 /usr/share/data-of-several-processes
        Anonymous:             0 kB
        Swap:                  0 kB
        VmFlags: rd mr mw me ms
        """

    @Test func `the code and the constants of files are found, unless the process has written to them`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "bluecap-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        try Self.list.write(to: file, atomically: true, encoding: .utf8)
        #expect(ProgramPages.unwritten(of: file.path) == [0x5500..<0x7700, 0x9000..<0xA000, 0xE000..<0xF000])
    }

    @Test func `a process without such a list has no such pages`() {
        #expect(ProgramPages.unwritten(of: "/nowhere/smaps") == [])
    }

    @Test func `a process that gives its pages back takes less memory, and goes on`() throws {
        let before = try residentPages
        ProgramPages.giveBack()
        #expect(try residentPages < before)
    }

    /// In kilobytes: those of files.
    private var residentPages: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
            return try #require(Int(line.filter(\.isNumber)))
        }
    }
}
#endif
