// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapRuntime

/// The settings of a gateway: of a file, of the command line, or of both.
package struct GatewayConfiguration: Hashable, Sendable {
    /// The broker as the user has described it; ``brokerSettings`` are complete.
    package var broker = BrokerSettings()
    /// The name, the topics and the rules.
    package var plan: GatewayPlan
    /// The address at which metrics are served; nil for none.
    package var metrics: MetricsAddress?
    /// The folder of the file for the next start; nil for none.
    package var state: String?
    /// The proxy that runs beside the gateway; nil for none.
    package var proxy: ProxySettings?

    /// - Parameter machine: The name of the machine, which the gateway has unless it gets one of its own.
    package init(machine: String = "bluecap") { plan = GatewayPlan(name: machine) }

    /// The reason why a file and options do not go together; nil if they do.
    package var contradiction: String? {
        let hasFiles = broker.authorityFile != nil || broker.certificateFile != nil || broker.keyFile != nil
        if let address = broker.address, !address.isSecure, hasFiles {
            return "certificates need TLS: write mqtts://\(address.host)"
        }
        if (broker.certificateFile == nil) != (broker.keyFile == nil) {
            return "a certificate and its key go together: --certificate-file and --key-file"
        }
        if broker.password != nil, broker.username == nil { return "a password needs the user whose it is: --username" }
        if let longest = plan.longestInterval, plan.shortestInterval > longest {
            return "--interval is less than 'minimumInterval' of the file"
        }
        return nil
    }

    /// The settings of the broker for a gateway of this name, whose will says that the gateway is not there.
    package var brokerSettings: BrokerSettings {
        var settings = broker
        settings.clientID = "bluecap-\(plan.name)"
        if broker.address?.isSecure != true {
            (settings.authorityFile, settings.certificateFile, settings.keyFile) = (nil, nil, nil)
        }
        settings.will = plan.status(isOnline: false)
        // Within a group the devices may be another gateway's by the time of the next connection.
        settings.endsWithConnection = plan.isOfGroup
        return settings
    }

    /// The keys of a file that differ from this, and that a running gateway does not take.
    package func keysForNextStart(of other: GatewayConfiguration) -> [String] {
        let parts = [
            ("broker", broker == other.broker), ("name", plan.name == other.plan.name),
            ("prefix", plan.prefix == other.plan.prefix), ("group", plan.group == other.plan.group),
            ("discovery", plan.discoveryPrefix == other.plan.discoveryPrefix), ("metrics", metrics == other.metrics),
            ("state", state == other.state), ("proxy", proxy == other.proxy),
        ]
        return parts.filter { !$0.1 }.map(\.0)
    }
}
#endif
