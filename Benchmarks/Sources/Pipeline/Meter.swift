// SPDX-License-Identifier: MIT

import Glibc

/// Measures the resources that this process uses from a moment on.
struct Meter: Sendable {
    private let cpu: Double
    private let wall: Double
    private let wakes: Int

    /// Says a word to the script, and measures from then on.
    static func begin(_ word: String = "go") -> Meter {
        let meter = Meter()
        say(word)
        return meter
    }

    init() {
        let usage = Meter.usage
        cpu = Meter.cpuTime(usage)
        wakes = usage.ru_nvcsw
        wall = Meter.now
    }

    /// Microseconds of the processor's time up to now.
    var cpuTime: Double { Meter.cpuTime(Meter.usage) - cpu }

    /// The resources used up to now for a number of operations.
    func figures(count: Int, wrong: Int = 0, latencies: [Double] = []) -> Figures {
        let usage = Meter.usage
        let sorted = latencies.sorted()
        return Figures(
            count: count, wrong: wrong, cpu: Meter.cpuTime(usage) - cpu, wall: Meter.now - wall,
            median: sorted.isEmpty ? 0 : sorted[sorted.count / 2], wakes: usage.ru_nvcsw - wakes, memory: Meter.memory)
    }

    /// Microseconds of a clock that never jumps.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    /// Resident memory in kilobytes.
    static var memory: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let words = line.split(separator: CChar(UInt8(ascii: " ")))
        let pages = words[1].reduce(0) { $0 * 10 + Int($1 - CChar(UInt8(ascii: "0"))) }
        return pages * sysconf(Int32(_SC_PAGESIZE)) / 1024
    }

    private static var usage: rusage {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage
    }

    private static func cpuTime(_ usage: rusage) -> Double {
        Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }
}

/// The resources that a work used: times in microseconds, memory in kilobytes.
struct Figures: Sendable {
    var count: Int
    var wrong: Int
    var cpu: Double
    var wall: Double
    var median: Double
    var wakes: Int
    var memory: Int
    /// Figures that only this work has.
    var others: [String: Double] = [:]

    var json: String {
        let more = others.map { ", \"\($0.key)\": \($0.value)" }.joined()
        return """
            {"count": \(count), "wrong": \(wrong), "cpu_us": \(cpu), "wall_us": \(wall), "p50_us": \(median), \
            "wakes": \(wakes), "rss_kb": \(memory)\(more)}
            """
    }
}
