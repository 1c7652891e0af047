// SPDX-License-Identifier: MIT

import BlueCapPlatform
import BlueCapRuntime
import Dispatch

/// A wait for a signal, which ends when it is released.
final class InterruptionWait: Sendable {
    typealias Box = Mailbox<Interruption, Never>

    private let box: Box
    private let onEnd: @Sendable () -> Void

    init(_ box: Box, onEnd: @escaping @Sendable () -> Void = {}) {
        self.box = box
        self.onEnd = onEnd
    }

    /// The signal; nil for a cancelled task.
    func next() async -> Interruption? { await box.next() }

    deinit { onEnd() }
}

/// Catches the signals of ``Interruption`` while there is at least one wait for them.
final class InterruptionWatch: Sendable {
    static let shared = InterruptionWatch()

    private struct State {
        var waits: [UInt64: InterruptionWait.Box] = [:]
        var last: UInt64 = 0
        #if !os(Windows) && !os(WASI)
        var caught: CaughtSignals?
        /// Reports the numbers that the handler writes. It is kept because a source ends when it is released.
        var source: (any DispatchSourceRead)?
        #endif
    }

    private let state = Locked(State())

    /// Begins a wait. Signals are caught from the return of this method on.
    func begin() -> InterruptionWait {
        let box = InterruptionWait.Box(capacity: .newest(1))
        let number = state.withLock { state in
            state.last += 1
            state.waits[state.last] = box
            #if !os(Windows) && !os(WASI)
            if state.source == nil { state.source = makeSource() }
            if state.caught == nil, state.source != nil { state.caught = CaughtSignals() }
            #endif
            return state.last
        }
        return InterruptionWait(box) { [weak self] in self?.end(number) }
    }

    private func end(_ number: UInt64) {
        state.withLock { state in
            state.waits[number] = nil
            #if !os(Windows) && !os(WASI)
            if state.waits.isEmpty {
                state.caught?.release()
                state.caught = nil
            }
            #endif
        }
    }

    #if !os(Windows) && !os(WASI)
    /// Returns nil if the process cannot open more files; the signals then keep their default action.
    private func makeSource() -> (any DispatchSourceRead)? {
        guard let pipe = SignalPipe.shared else { return nil }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: pipe.readEnd, queue: DispatchQueue(label: "bluecap.signals"))
        source.setEventHandler { [weak self] in
            while let number = pipe.next() { self?.came(number) }
        }
        source.resume()
        return source
    }

    private func came(_ number: Int32) {
        guard let signal = Interruption.allCases.first(where: { $0.number == number }) else { return }
        let boxes = state.withLock { Array($0.waits.values) }
        for box in boxes { box.push(signal) }
    }
    #endif
}

#if !os(Windows) && !os(WASI)
extension Interruption {
    /// The platform's number.
    var number: Int32 {
        switch self {
        case .interrupt: SIGINT
        case .terminate: SIGTERM
        }
    }
}

/// The signals of ``Interruption`` with a handler that reports the first signal of each kind, and their previous
/// handlers.
private struct CaughtSignals {
    private typealias Handler = @convention(c) (Int32) -> Void

    private let before: [(number: Int32, handler: Handler?)]

    init() {
        // The pipe is opened here, because a handler must not open it.
        _ = SignalPipe.shared
        before = Interruption.allCases.map { interruption in
            // The handler calls only signal() and write(), which are safe in a signal handler.
            let old = signal(interruption.number) { number in
                let error = errno
                _ = signal(number, SIG_DFL)
                SignalPipe.shared?.put(number)
                errno = error
            }
            return (interruption.number, old)
        }
    }

    func release() { for (number, handler) in before { _ = signal(number, handler) } }
}

/// A pipe from a signal handler, which may call few functions, to code without that limit. It is never closed.
private struct SignalPipe: Sendable {
    static let shared = SignalPipe()

    let readEnd: Int32
    private let writeEnd: Int32

    private init?() {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    /// Safe in a signal handler.
    func put(_ number: Int32) {
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe systemWrite(writeEnd, &byte, 1)
    }

    /// The number of the next signal that was caught; nil if there is none.
    func next() -> Int32? {
        var byte: UInt8 = 0
        return unsafe systemRead(readEnd, &byte, 1) == 1 ? Int32(byte) : nil
    }
}
#endif
