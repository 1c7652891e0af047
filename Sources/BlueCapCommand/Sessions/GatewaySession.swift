// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCap
import BlueCapGateway
import BlueCapRuntime

/// A gateway that runs, and whose events are printed.
struct GatewaySession: Sendable {
    struct Plan: Sendable {
        var configuration: GatewayConfiguration
        var gateway: GatewayPlan
        var broker: BrokerSettings
        /// Nil where the configuration is no file.
        var rereading: GatewayHost.Rereading?
        /// How long; nil for no end.
        var duration: Duration?
        var isJSON = false
        /// The folder of the file for the next run; nil for none.
        var stateFolder: String?
        /// Nil where none are served.
        var metrics: GatewayMetrics?
    }

    let central: CentralManager
    let plan: Plan
    let output: any LineOutput
    let clock: BlueCapClock

    init(central: CentralManager, plan: Plan, output: any LineOutput, clock: BlueCapClock) {
        (self.central, self.plan, self.output, self.clock) = (central, plan, output, clock)
    }

    /// Runs until the duration is over or the task is cancelled, and then says farewell.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/tryAgain`` when the duration passed without the broker.
    func run() async throws {
        try await central.requireRadio()
        if let metrics = plan.metrics {
            let report = GatewayReport(metricsAt: metrics.url, date: JSONLine.date(clock.date))
            try show(report) { line throws(OutputClosed) in try output.line(line) }
        }
        do {
            let service = try GatewayService(plan.configuration, plan.gateway, on: host) {
                restored throws(BrokerFailure) in
                try Broker(
                    plan.broker, subscribingTo: plan.gateway.filters, restoring: restored,
                    where: plan.gateway.takesOver)
            }
            try await service.run(for: plan.duration) { try show($0) }
        } catch let failure as BrokerFailure {
            if case .unreached = failure { throw CommandFailure(.tryAgain, "\(failure)") }
            throw CommandFailure(.usage, "\(failure)")
        }
    }

    private var host: GatewayHost {
        let tools = ConnectionTools { text, characteristic in
            guard let peripheral = characteristic.peripheral else { return }
            let isCommand = !characteristic.properties.contains(.write)
            _ = try await peripheral.write(
                TypedValue(text: text), to: characteristic, isCommand: isCommand, isLong: false, timeout: .seconds(10))
        } reason: {
            // The tool's advice is about commands of its own, and the text may be a secret.
            if $0 is CommandFailure { return "the text is no value of the characteristic" }
            return ($0 as? any BlueCapError)?.message ?? CommandFailure($0).message
        }
        var host = GatewayHost(central: central, tools: tools, clock: clock)
        host.systemd = SystemdNotifier { Environment.value($0) }
        if let meter = plan.metrics?.meter { host.measure = { meter.report($0) } }
        (host.rereading, host.stateFolder) = (plan.rereading, plan.stateFolder)
        return host
    }

    private func show(_ event: GatewayEvent) throws(OutputClosed) {
        let report = GatewayReport(
            event, broker: plan.broker.address, maximumDevices: plan.gateway.maximumDevices,
            date: JSONLine.date(clock.date))
        try show(report) { line throws(OutputClosed) in
            // The numbers of the end are sentences.
            if case .ended = event { try output.prose(line) } else { try output.line(line) }
        }
    }

    private func show(_ report: GatewayReport, _ print: (String) throws(OutputClosed) -> Void) throws(OutputClosed) {
        if plan.isJSON { return try output.event(report) }
        for line in report.lines { try print(line) }
    }
}
#endif
