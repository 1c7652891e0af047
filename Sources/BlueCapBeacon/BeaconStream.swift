// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime

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
