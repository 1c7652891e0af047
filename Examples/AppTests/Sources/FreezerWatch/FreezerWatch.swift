// SPDX-License-Identifier: MIT

import BlueCap

/// Watches the thermometer in a freezer, and raises an alarm when it measures too much for too long, or is not heard.
public actor FreezerWatch {
    /// A fault that the app reports.
    public enum Alarm: Sendable, Equatable {
        /// It was warmer than -15 °C for five minutes.
        case warm
        /// The thermometer has sent no temperature for ten minutes.
        case silent
    }

    private let central: CentralManager
    private let clock: BlueCapClock
    private let raise: @Sendable (Alarm) -> Void
    /// The time of the last value, on the clock.
    public private(set) var heardAt: Duration
    /// The time of the first measurement that was too warm; nil while it is cold enough.
    private var warmSince: Duration?
    /// The alarm that was raised, until its cause is gone.
    private var alarm: Alarm?

    /// - Parameters:
    ///   - central: A manager over the radio to be used.
    ///   - clock: The clock of the manager.
    ///   - raise: Called once for each alarm.
    public init(
        central: CentralManager, clock: BlueCapClock = .continuous, raise: @escaping @Sendable (Alarm) -> Void
    ) {
        self.central = central
        self.clock = clock
        self.raise = raise
        heardAt = clock.elapsed
    }

    /// Watches until the task is cancelled.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.listen() }
            group.addTask { try await self.check() }
            // The first error ends both.
            for try await _ in group {}
        }
    }

    private func listen() async throws {
        let service = EnvironmentalSensingService.uuid
        while !Task.isCancelled {
            do {
                try await central.whenPoweredOn()
                let thermometer = try await central.firstDiscovery(for: [service]).peripheral
                // Not by a policy: a device that was away may come back with another address.
                try await thermometer.stayConnected(.never, timeout: .seconds(10), discovering: [service]) {
                    thermometer in
                    let temperature = try thermometer.characteristic(EnvironmentalSensingService.Temperature.self)
                    for try await value in try await temperature.notifications(timeout: .seconds(5)) {
                        await self.take(value)
                    }
                }
            } catch {
                // The link was lost, the radio was switched off, or the device answered with an error: begin again.
                try await clock.sleep(for: .seconds(5))
            }
        }
    }

    private func take(_ temperature: EnvironmentalSensingService.Temperature) {
        // A thermometer that does not know its temperature says so, which is no value.
        guard let degrees = temperature.value else { return }
        heardAt = clock.elapsed
        warmSince = degrees <= -15 ? nil : warmSince ?? heardAt
    }

    private func check() async throws {
        while true {
            try await clock.sleep(for: .seconds(10))
            let now = clock.elapsed
            var cause: Alarm?
            if let warmSince, heardAt - warmSince >= .seconds(300) { cause = .warm }
            if now - heardAt >= .seconds(600) { (cause, warmSince) = (.silent, nil) }
            if let cause, cause != alarm { raise(cause) }
            alarm = cause
        }
    }
}
