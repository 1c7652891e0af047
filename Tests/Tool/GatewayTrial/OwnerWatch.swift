// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapGateway
import BlueCapRuntime

/// Watches at the broker who publishes the devices of a group: their owners alone, who do not change without a reason.
final class OwnerWatch: Sendable {
    private struct Device {
        var owner: String?
        var changedAt = Duration.zero
        /// The changes since faults have ended.
        var changes: [String] = []
    }

    private struct State {
        var devices: [String: Device] = [:]
        /// The devices that are heard all the time from now on.
        var heard: Set<String> = []
        var mistakes: [String] = []
    }

    /// Messages of an earlier owner may be on their way for so long.
    private static let patience = Duration.seconds(30)
    /// How often the owner of a device may change after its last move: two gateways claim it at the same moment, and
    /// the nearer one takes it later.
    private static let changeLimit = 3

    private let clock: BlueCapClock
    private let state = Locked(State())

    init(clock: BlueCapClock) { self.clock = clock }

    /// The expectations that failed.
    var mistakes: [String] {
        state.withLock { state in
            let restless = state.devices.filter { $0.value.changes.count > Self.changeLimit }
            return state.mistakes + restless.map { "the owner of \($0.key) changed: \($0.value.changes)" }
        }
    }

    /// Takes that nothing fails or moves any more, and which devices are heard then.
    func beQuiet(hearing devices: Set<String>) { state.withLock { $0.heard = devices } }

    /// Takes a message that has reached the broker.
    ///
    /// - Parameter gateway: The gateway that sent it.
    func see(_ message: BrokerMessage, from gateway: String) {
        let levels = message.topic.split(separator: "/")
        guard levels.count == 4, let kind = levels.last else { return }
        let level = String(levels[2].hasPrefix("bluecap_") ? levels[2].dropFirst(8) : levels[2])
        let now = clock.elapsed
        state.withLock { state in
            var device = state.devices[level] ?? Device()
            defer { state.devices[level] = device }
            if kind == "owner" {
                let claim = DeviceClaim(payload: message.payload)
                guard claim?.owner != device.owner else { return }
                if state.heard.contains(level) { device.changes.append("\(now): \(message.text)") }
                (device.owner, device.changedAt) = (claim?.owner, now)
            } else if let owner = device.owner, owner != gateway, now - device.changedAt > Self.patience {
                state.mistakes.append("\(now): \(gateway) publishes \(kind) of \(level), which is \(owner)'s")
            }
            if state.heard.contains(level), kind == "availability", message.text != "online" {
                state.mistakes.append("\(now): \(gateway) says that \(level) is \(message.text)")
            }
        }
    }

    /// Takes that the broker has lost all that it kept.
    func forgetAll() { state.withLock { $0.devices = [:] } }
}
