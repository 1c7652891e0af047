// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapPlatform

/// Reports the state of a service to systemd: datagrams of text to the socket that `NOTIFY_SOCKET` names, as
/// sd_notify(3) describes them. Does nothing in a process that systemd did not start.
package struct SystemdNotifier: Sendable {
    private let address: sockaddr_un?
    private let addressLength: Int
    /// Half of the time in which systemd expects a sign of life; nil without `WatchdogSec=`.
    package let watchdogInterval: Duration?

    /// The time that goes with `RELOADING=1`.
    package static var monotonicMicroseconds: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }

    /// - Parameter environment: The environment of the process.
    package init(environment: (String) -> String?) {
        let name = Array((environment("NOTIFY_SOCKET") ?? "").utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        if let first = name.first, name.count < capacity, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") {
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
                unsafe path.copyBytes(from: name)
                // A socket that has no file is written with an @ in front, and sent to with a zero.
                if first == UInt8(ascii: "@") { unsafe path[0] = 0 }
            }
            self.address = address
        } else {
            self.address = nil
        }
        addressLength = MemoryLayout<sockaddr_un>.size - capacity + name.count
        let isForUs = environment("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
        let limit = isForUs ? environment("WATCHDOG_USEC").flatMap { Int64($0) } : nil
        watchdogInterval = limit.flatMap { $0 > 0 ? .microseconds($0 / 2) : nil }
    }

    /// Sends assignments such as `READY=1`, one a line.
    package func send(_ state: String) {
        guard var address else { return }
        let descriptor = systemDatagramSocket()
        guard descriptor >= 0 else { return }
        defer { _ = systemClose(descriptor) }
        // A reader that stands still must not hold this process up.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let bytes = Array(state.utf8)
        unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                // The next message makes up for a lost one.
                _ = unsafe sendto(descriptor, bytes, bytes.count, 0, address, socklen_t(addressLength))
            }
        }
    }
}
#endif
