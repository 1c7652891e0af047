// SPDX-License-Identifier: MIT

#if os(Linux)
import CBlueCapLinux

/// The events to wait for on a descriptor.
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let read = Interest(rawValue: UInt32(BLUECAP_READ))
    package static let write = Interest(rawValue: UInt32(BLUECAP_WRITE))
}

/// The events on a descriptor. `hangup` stands for an error or a closed peer and is reported without being asked.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let read = Readiness(rawValue: UInt32(BLUECAP_READ))
    package static let write = Readiness(rawValue: UInt32(BLUECAP_WRITE))
    package static let hangup = Readiness(rawValue: UInt32(BLUECAP_HANGUP))
}

/// Names one watch of an event loop.
package struct WatchID: Hashable, Sendable {
    let value: UInt64
}

struct Watch {
    let descriptor: Int32
    let handler: (Readiness) -> Void
}

extension EventLoop {
    /// Calls `handler` on the loop whenever the descriptor is ready (level-triggered). One watch per descriptor; remove
    /// it before closing the descriptor. Loop only.
    package func watch(
        _ descriptor: Int32, _ interest: Interest, _ handler: @escaping (Readiness) -> Void
    ) throws(LoopError) -> WatchID {
        preconditionOnLoop()
        let token = nextWatch
        let status = bluecap_epoll_add(poller.rawValue, descriptor, interest.rawValue, token)
        _ = try FileDescriptor.checked(status, "epoll_ctl")
        nextWatch += 1
        watches[token] = Watch(descriptor: descriptor, handler: handler)
        return WatchID(value: token)
    }

    /// Changes the events that a watch waits for. Loop only.
    package func change(_ id: WatchID, to interest: Interest) {
        preconditionOnLoop()
        guard let watch = watches[id.value] else { return }
        _ = bluecap_epoll_change(poller.rawValue, watch.descriptor, interest.rawValue, id.value)
    }

    /// Ends a watch; its handler is not called again. Loop only.
    package func unwatch(_ id: WatchID) {
        preconditionOnLoop()
        guard let watch = watches.removeValue(forKey: id.value) else { return }
        _ = bluecap_epoll_remove(poller.rawValue, watch.descriptor)
    }

    /// Calls `body` on the loop once the delay has passed. Loop only.
    @discardableResult
    package func after(_ delay: Duration, _ body: @escaping () -> Void) -> TimerID {
        preconditionOnLoop()
        return timers.add(delay: delay, body)
    }

    /// Ends a timer that has not fired. Loop only.
    package func cancel(_ timer: TimerID) {
        preconditionOnLoop()
        timers.cancel(timer)
    }
}
#endif
