// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
package import BlueCapCore
package import BlueCapLoop
package import BlueCapRuntime

/// The program around a gateway: its radio, its clocks, and the services that it has from the system.
package struct GatewayHost: Sendable {
    /// The readings of the configuration while the gateway runs.
    package struct Rereading: Sendable {
        /// The reason why a configuration is not taken.
        package struct Refusal: Error, Sendable {
            let reason: String

            package init(reason: String) { self.reason = reason }
        }

        let requests: AsyncStream<Void>
        let read: @Sendable () throws(Refusal) -> GatewayConfiguration

        /// - Parameters:
        ///   - requests: Each element is the wish to read it again.
        ///   - read: Reads it.
        package init(
            requests: AsyncStream<Void>, read: @escaping @Sendable () throws(Refusal) -> GatewayConfiguration
        ) {
            (self.requests, self.read) = (requests, read)
        }
    }

    let central: CentralManager
    let tools: ConnectionTools
    /// The clock of the radio.
    let clock: BlueCapClock
    /// The clock of the file for the next start, of the metrics, and of systemd.
    package var processClock = BlueCapClock.continuous
    package var systemd = SystemdNotifier { _ in nil }
    /// Takes the numbers of the gateway once a second; nil where there are no metrics.
    package var measure: (@Sendable (GatewayNumbers) -> Void)?
    /// Nil where the configuration is no file.
    package var rereading: Rereading?

    package init(central: CentralManager, tools: ConnectionTools, clock: BlueCapClock) {
        (self.central, self.tools, self.clock) = (central, tools, clock)
    }

    /// The clock of tasks on the thread of the radio.
    var radioClock: BlueCapClock { central.executor.timerClock ?? clock }
}
#endif
