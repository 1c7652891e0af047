// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture

/// Records a device as a twin.
struct RecordSession: Sendable {
    let finder: DeviceFinder
    /// For how long to listen to notifications.
    var duration = Duration.seconds(10)
    /// The maximum number of notifications that are kept of one characteristic.
    var maximumCount = 100_000
    /// Takes the twin's JSON.
    let save: @Sendable (String) throws -> Void
    /// Is given the twin once it is saved.
    var recorded: @Sendable (Twin) throws -> Void = { _ in }
    let clock: BlueCapClock

    /// Connects, reads, listens, and saves the twin; the link goes down with the manager.
    ///
    /// A task that is cancelled while it reads or listens saves the values it has, and names the missing ones.
    func run() async throws {
        let peripheral = try await finder.connect()
        finder.progress("connected to \(peripheral.label)")
        for service in peripheral.services {
            do throws(ServiceError) {
                _ = try await service.discoverIncludedServices(timeout: finder.timeout)
            } catch {
                // A device that cannot answer this has none.
                if case .disconnected = error.reason { throw error }
            }
        }
        let recorder = TwinRecorder(
            duration: duration, timeout: finder.timeout, maximumCount: maximumCount, clock: clock,
            progress: finder.progress)
        WaitingLine.shared.begin("recording; Ctrl-C ends it, and keeps what was read and heard")
        defer { WaitingLine.shared.end() }
        // It writes nothing but short lines of progress, so it may be on the radio's thread.
        let twin = try await finder.central.run { try await recorder.record(peripheral) }
        WaitingLine.shared.end()
        if peripheral.state != .connected { finder.progress("the link was lost, and nothing heard from then on") }
        try save(twin.json)
        finder.progress("recorded \(twin.summary)")
        try recorded(twin)
    }
}

extension Twin {
    /// `"Lamp: 3 services, 5 characteristics, 12 notifications"`.
    var summary: String {
        let characteristics = services.flatMap(\.characteristics)
        let notifications = characteristics.reduce(0) { $0 + $1.notifications.count }
        return "\(TextLayout.printable(displayName ?? address?.text ?? "a device")): "
            + [
                TextLayout.count(services.count, "service"),
                TextLayout.count(characteristics.count, "characteristic"),
                TextLayout.count(notifications, "notification"),
            ].joined(separator: ", ")
    }
}
