// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCap
import BlueCapGateway
import BlueCapLoop
import BlueCapRuntime

/// A gateway that runs, and whose events are printed.
struct GatewaySession: Sendable {
    let configuration: GatewayConfiguration
    /// The broker that the configuration names.
    let broker: BrokerAddress
    /// Nil where the configuration is no file.
    let rereading: GatewayHost.Rereading?
    /// How long; nil for no end.
    let duration: Duration?
    let isJSON: Bool
    /// Nil where none are served.
    let metrics: ServedMetrics?
    let output: any LineOutput

    /// Runs until the duration is over or the task is cancelled, and then says farewell.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/tryAgain`` when the duration passed without the broker.
    func run(on central: CentralManager, _ clock: BlueCapClock) async throws {
        try await central.requireRadio()
        let host = host(central, clock)
        if let metrics {
            let report = GatewayReport(metricsAt: metrics.url, date: JSONLine.date(clock.date))
            try show(report) { line throws(OutputClosed) in try output.line(line) }
        }
        do {
            let service = try GatewayService(configuration, on: host) {
                restored throws(BrokerFailure) in
                try Broker(
                    configuration.brokerSettings, subscribingTo: configuration.plan.filters, restoring: restored,
                    where: configuration.plan.takesOver)
            }
            try await service.run(for: duration) { try show($0, at: clock.date) }
        } catch let failure as BrokerFailure {
            if case .unreached = failure { throw CommandFailure(.tryAgain, "\(failure)") }
            throw CommandFailure(.usage, "\(failure)")
        }
    }

    private func host(_ central: CentralManager, _ clock: BlueCapClock) -> GatewayHost {
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
        if let metrics {
            let meter = GatewayMeter(
                factory: metrics.factory, version: ToolVersion.text, start: BlueCapClock.continuous.date,
                keepsState: configuration.state != nil)
            host.measure = { meter.report($0) }
        }
        host.rereading = rereading
        return host
    }

    private func show(_ event: GatewayEvent, at date: Timestamp) throws(OutputClosed) {
        let report = GatewayReport(
            event, broker: broker, maximumDevices: configuration.plan.maximumDevices, date: JSONLine.date(date))
        try show(report) { line throws(OutputClosed) in
            // The numbers of the end are sentences.
            if case .ended = event { try output.prose(line) } else { try output.line(line) }
        }
    }

    private func show(_ report: GatewayReport, _ print: (String) throws(OutputClosed) -> Void) throws(OutputClosed) {
        if isJSON { return try output.event(report) }
        for line in report.lines { try print(line) }
    }
}
#endif
