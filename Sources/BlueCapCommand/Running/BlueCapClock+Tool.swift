// SPDX-License-Identifier: MIT

import BlueCap

extension BlueCapClock {
    /// Sleeps until the task is cancelled, as the part of a race that does not end it.
    func sleepUntilCancelled() async throws { try await sleep(for: .seconds(1_000_000_000)) }
}
