// SPDX-License-Identifier: MIT

/// The devices in the air of a virtual radio.
protocol DemoWorld: Sendable {
    /// Lets the devices live until the task is cancelled.
    func run() async
}
