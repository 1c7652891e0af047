// SPDX-License-Identifier: MIT

#if !os(Windows) && !os(WASI)
import BlueCapPlatform

extension Interruption {
    /// The platform's number.
    var number: Int32 {
        switch self {
        case .interrupt: SIGINT
        case .terminate: SIGTERM
        case .hangUp: SIGHUP
        }
    }

    /// Ends the process by a signal's default action. Safe in a signal handler.
    package static func endProcess(by number: Int32) -> Never {
        _ = signal(number, SIG_DFL)
        // It is blocked while its handler runs, and Dispatch blocks the ones that it watches for.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
        // The first process of a container has no default actions.
        _exit(128 + number)
    }
}

/// The signals of ``Interruption`` with a handler that reports them, and their previous handlers.
struct CaughtSignals {
    private typealias Handler = @convention(c) (Int32) -> Void

    private var before: [(number: Int32, handler: Handler?)] = []

    init() {
        // It is opened here, because a handler must not open it.
        _ = SignalPipe.shared
        for interruption in Interruption.allCases {
            let old = signal(interruption.number, Self.handle)
            // Under nohup the end of the terminal is ignored, and a service may read its settings again then.
            if interruption == .hangUp, old != nil {
                _ = signal(interruption.number, old)
            } else {
                before.append((interruption.number, old))
            }
        }
    }

    func release() { for (number, handler) in before { _ = signal(number, handler) } }

    /// Calls only functions that are safe in a signal handler.
    private static let handle: Handler = { number in
        let error = errno
        switch SignalRecord.of(number).take() {
        case .first: SignalPipe.shared?.put(number)
        case .same: break
        case .second: Interruption.endProcess(by: number)
        }
        errno = error
    }
}
#endif
