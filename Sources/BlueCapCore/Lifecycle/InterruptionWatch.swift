// SPDX-License-Identifier: MIT

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
            if state.waits.count == 1 { SignalRecord.expectAll() }
            if state.caught == nil, state.source != nil { state.caught = CaughtSignals() }
            #endif
            return state.last
        }
        return InterruptionWait(box) { [weak self] in self?.end(number) }
    }

    private func end(_ number: UInt64) {
        state.withLock { $0.waits[number] = nil }
        #if !os(Windows) && !os(WASI)
        release()
        #endif
    }

    #if !os(Windows) && !os(WASI)
    /// Gives the signals back if no call waits for them, and as soon as none of them can be the same one sent twice:
    /// the end of the program, which follows the wait, is not to be cut short by that.
    private func release() {
        let remaining = state.withLock { state -> Duration? in
            guard state.waits.isEmpty, let caught = state.caught else { return nil }
            if let remaining = SignalRecord.remaining { return remaining }
            caught.release()
            state.caught = nil
            return nil
        }
        guard let remaining else { return }
        _ = BlueCapClock.continuous.schedule(after: remaining) { [weak self] in self?.release() }
    }

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
