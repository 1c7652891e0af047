// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

/// The source of one stream of a beacon manager, from the first request for a value until the end.
protocol BeaconRun: Sendable {
    associatedtype Element: Sendable

    var elements: Mailbox<Element, Never> { get }
    var task: Locked<BeaconTask> { get }

    /// Listens until the task is cancelled or the central has ended.
    func follow() async
}

/// The task of a run.
enum BeaconTask {
    case waiting
    case running(Task<Void, Never>)
    case ended
}

extension BeaconRun {
    /// Begins to listen, unless it has begun already. The task runs on the central's executor, so that sightings and
    /// the passing of time are seen in the order of the radio.
    func begin(on executor: any BackendExecutor) {
        task.withLock { task in
            guard case .waiting = task else { return }
            // The preference also keeps code between two calls of an actor on its executor.
            task = .running(
                Task(executorPreference: executor) {
                    await follow()
                    elements.finish()
                })
        }
    }

    /// Ends the scan, and the stream after its buffered values.
    func end() {
        let running: Task<Void, Never>? = task.withLock { task in
            defer { task = .ended }
            if case .running(let running) = task { return running }
            return nil
        }
        elements.finish()
        running?.cancel()
    }
}

/// One stream of a beacon manager; its release ends the scan.
final class BeaconStream<Run: BeaconRun>: Sendable {
    private let run: Run
    private let executor: any BackendExecutor
    private let token: ActivityToken?

    init(run: Run, executor: any BackendExecutor, token: ActivityToken?) {
        self.run = run
        self.executor = executor
        self.token = token
    }

    var stream: AsyncStream<Run.Element> { AsyncStream { await self.next() } }

    private func next() async -> Run.Element? {
        run.begin(on: executor)
        return await run.elements.next()
    }

    deinit { run.end() }
}
