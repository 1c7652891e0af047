// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import Foundation

/// The descriptors and the memory of a process; a figure that cannot be read is 0.
struct Footprint {
    let descriptors: Int
    /// Its resident memory.
    let kilobytes: Int
    /// The largest difference, in kilobytes, in the resident memory of a process without a leak between two moments:
    /// over fifty rounds of each kind it was 364 at most. A leak in each round adds up to more.
    static let noise = 2048

    /// - Parameter process: Its identifier, or `self`.
    init(process: String = "self") {
        descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? 0
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// The footprint of a program with one process, started by itself or under a loader.
    init?(program: String) {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let found = processes.first { process in
            guard Int(process) != nil else { return false }
            let line = (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? ""
            return line.split(separator: "\0").contains { $0.hasSuffix("/" + program) }
        }
        guard let found else { return nil }
        self.init(process: found)
    }
}
#endif
