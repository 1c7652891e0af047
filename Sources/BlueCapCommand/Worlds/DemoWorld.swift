// SPDX-License-Identifier: MIT

/// What lives in the air of a virtual radio.
protocol DemoWorld: Sendable {
    /// Lets the devices live until the task is cancelled.
    func run() async
}
