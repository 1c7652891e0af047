// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

/// The end of a command: releases everything that the command has on the radio and waits for that, but not for ever,
/// because a bluetoothd that hangs does not answer.
enum OrderlyEnd {
    /// How long a command waits for its releases, which it requests together.
    static let patience = Duration.seconds(5)
    /// How long after a signal the process ends, whatever it still waits for.
    static let lastResort = Duration.milliseconds(5500)

    /// Ends a manager, in a cancelled task too, and names the devices that may still be connected.
    static func of(_ central: CentralManager, warn: @Sendable (String) -> Void = { report($0) }) async {
        let left = await central.invalidate(timeout: patience)
        if left.isEmpty { return }
        let names = left.map(\.label).joined(separator: ", ")
        warn("\(silence), and may still be connected to \(names) ('bluetoothctl disconnect' ends that)")
    }

    /// Ends a manager, in a cancelled task too, and counts the services and advertisements that may remain.
    static func of(_ manager: PeripheralManager, warn: @Sendable (String) -> Void = { report($0) }) async {
        let left = await manager.invalidate(timeout: patience)
        if left.isEmpty { return }
        let services = left.count { if case .service = $0 { true } else { false } }
        let counts = [(services, "service"), (left.count - services, "advertisement")].filter { $0.0 > 0 }
        let names = counts.map { TextLayout.count($0, $1) }.joined(separator: " and ")
        warn("\(silence), and may still offer \(names), which ends with this program")
    }

    private static var silence: String { "the radio did not answer within \(TextLayout.seconds(patience))" }

    /// Waits for work until the time is up, in a cancelled task too; the work goes on then.
    ///
    /// - Returns: The result of the work; nil where the time was up.
    static func wait<Value: Sendable>(
        _ patience: Duration = patience, on executor: (any TaskExecutor)? = nil,
        for work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
            let waiting = Locked<CheckedContinuation<Value?, Never>?>(continuation)
            let resume: @Sendable (Value?) -> Void = { value in
                let continuation = waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                continuation?.resume(returning: value)
            }
            let timer = BlueCapClock.continuous.schedule(after: patience) { resume(nil) }
            Task(executorPreference: executor) {
                resume(await work())
                timer.cancel()
            }
        }
    }
}
