// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapPlatform
import Dispatch

/// The kernel's figures about this process.
package enum Process {
    /// The number of open descriptors, without the timers of Dispatch, which opens them whenever it is busy; the loop
    /// under test has no such timers.
    package static var descriptorCount: Int {
        entries(of: "/proc/self/fd").count { !target(of: $0).contains("timerfd") }
    }

    /// The number of open descriptors before a test opens its own.
    ///
    /// Dispatch opens two for itself with its first timer. So a timer is set and has fired before they are counted.
    package static func descriptorsAtFirst() async -> Int {
        await withCheckedContinuation { fired in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { fired.resume() }
        }
        return descriptorCount
    }

    /// The target of a descriptor, such as `anon_inode:[timerfd]`; empty if it was closed meanwhile.
    private static func target(of descriptor: String) -> String {
        var text = [CChar](repeating: 0, count: 256)
        let count = unsafe readlink("/proc/self/fd/\(descriptor)", &text, text.count)
        return String(decoding: text.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The number of threads with a name.
    package static func threadCount(named name: String) -> Int {
        entries(of: "/proc/self/task").count { text(of: "/proc/self/task/\($0)/comm").hasPrefix(name + "\n") }
    }

    /// Limits this process to 40 MiB more than it uses now: an allocation beyond that fails, which traps.
    ///
    /// The limit counts only writable memory, unlike `VmPeak`: a thread that allocates for the first time reserves 64
    /// MiB.
    package static func limitMemory() {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
        limit.rlim_cur = rlim_t(memory("VmData") + (40 << 20))
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    }

    /// A number of `/proc/self/status` in bytes, such as `VmRSS` or `VmData`.
    package static func memory(_ key: String) -> Int {
        for line in text(of: "/proc/self/status").split(separator: "\n") where line.hasPrefix(key + ":") {
            return (Int(line.filter(\.isNumber)) ?? 0) * 1024
        }
        return 0
    }

    /// Whether a condition becomes true within ten minutes; for conditions that the kernel meets in its own time.
    package static func settles(_ isSettled: () -> Bool) async -> Bool {
        let end = ContinuousClock.now.advanced(by: .seconds(600))
        while !isSettled() {
            if ContinuousClock.now > end { return false }
            await Task.yield()
        }
        return true
    }

    private static func entries(of folder: String) -> [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func text(of file: String) -> String {
        let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
}
#endif
