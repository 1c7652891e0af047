// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// One stream of monitoring; its release ends the scan.
final class MonitoringStream: Sendable {
    private let run: MonitoringRun
    private let token: ActivityToken

    init(run: MonitoringRun, token: ActivityToken) {
        self.run = run
        self.token = token
    }

    func next() async -> RegionState? {
        await run.begin()
        return await run.states.next()
    }

    deinit { run.end() }
}
