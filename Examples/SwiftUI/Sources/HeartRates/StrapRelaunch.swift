// SPDX-License-Identifier: MIT

public import BlueCap

/// What the app does at each launch, the user's or the system's.
public enum StrapRelaunch {
    /// Follows again the straps that an earlier run was connected to, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - central: A manager with a restore identifier, before anything else was asked of it.
    ///   - take: Takes a strap and its heart rate.
    ///   - end: Takes a strap that cannot be followed any more, with the reason; the others go on.
    public static func resume(
        on central: CentralManager, _ take: @escaping @Sendable (Peripheral, Int) async -> Void,
        end: @escaping @Sendable (Peripheral, any Error) async -> Void
    ) async throws {
        guard let restored = try await central.restoredState() else { return }
        await withDiscardingTaskGroup { group in
            for strap in restored.peripherals {
                group.addTask {
                    do {
                        // No timeout: it would run on while the app is suspended.
                        try await strap.stayConnected(.forever, discovering: [HeartRateService.uuid]) { strap in
                            let measurement = try strap.characteristic(HeartRateService.Measurement.self)
                            for try await value in try await measurement.notifications() {
                                await take(strap, Int(value.beatsPerMinute))
                            }
                            try Task.checkCancellation()
                        }
                    } catch {
                        // This strap alone has ended.
                        if !Task.isCancelled { await end(strap, error) }
                    }
                }
            }
        }
    }
}
