// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The settings of a gateway: of a file, of the command line, or of both.
package struct GatewayConfiguration: Hashable, Sendable {
    package var address: BrokerAddress?
    package var username: String?
    package var password: BrokerPassword?
    /// Files in PEM: who vouches for the broker, the certificate of the gateway, and its key.
    package var authorityFile: String?
    package var certificateFile: String?
    package var keyFile: String?
    /// How many topics may have a message that waits for the broker.
    package var queue = 4096
    /// The name of the gateway; nil for that of the machine.
    package var name: String?
    package var prefix = "bluecap"
    /// The name of the group of gateways; nil for none.
    package var group: String?
    /// Nil to tell Home Assistant nothing.
    package var discoveryPrefix: String? = "homeassistant"
    package var shortestInterval: Duration?
    package var longestInterval: Duration?
    package var rules = GatewayRules()
    /// Where metrics are served; nil for nowhere.
    package var metrics: MetricsAddress?
    /// How many connections to devices there are at once.
    package var connections = 4
    /// The folder of the file for the next run; nil for none.
    package var state: String?

    package init() {}

    /// The reason why a file and options do not go together; nil if they do.
    package var contradiction: String? {
        if let address, !address.isSecure, authorityFile != nil || certificateFile != nil || keyFile != nil {
            return "certificates need TLS: write mqtts://\(address.host)"
        }
        if (certificateFile == nil) != (keyFile == nil) {
            return "a certificate and its key go together: --certificate-file and --key-file"
        }
        if password != nil, username == nil { return "a password needs the user whose it is: --username" }
        if let shortestInterval, let longestInterval, shortestInterval > longestInterval {
            return "--interval is less than 'minimumInterval' of the file"
        }
        return nil
    }

    /// The topics and rules.
    ///
    /// - Parameter name: The name of the machine.
    package func plan(on machine: String) -> GatewayPlan {
        var plan = GatewayPlan(name: name ?? machine)
        (plan.prefix, plan.group, plan.discoveryPrefix, plan.rules) = (prefix, group, discoveryPrefix, rules)
        plan.connectionLimit = connections
        if let shortestInterval { plan.shortestInterval = shortestInterval }
        plan.longestInterval = longestInterval ?? max(plan.longestInterval, plan.shortestInterval)
        return plan
    }

    /// The settings of the broker, whose will says that the gateway of the plan is not there.
    package func settings(_ address: BrokerAddress, _ plan: GatewayPlan) -> BrokerSettings {
        var settings = BrokerSettings(address: address, clientID: "bluecap-\(plan.name)")
        (settings.username, settings.password, settings.capacity) = (username, password, queue)
        if address.isSecure {
            (settings.authorityFile, settings.certificateFile, settings.keyFile) =
                (authorityFile, certificateFile, keyFile)
        }
        settings.will = plan.status(isOnline: false)
        // Within a group the devices may be another gateway's by the time of the next connection.
        settings.endsWithConnection = plan.isOfGroup
        return settings
    }

    /// The keys of a file that differ from this, and that a running gateway does not take.
    package func keysForNextStart(of other: GatewayConfiguration) -> [String] {
        let broker = [
            address == other.address, username == other.username, password == other.password,
            authorityFile == other.authorityFile, certificateFile == other.certificateFile, keyFile == other.keyFile,
            queue == other.queue,
        ]
        let parts = [
            ("broker", broker.allSatisfy(\.self)), ("name", name == other.name), ("prefix", prefix == other.prefix),
            ("group", group == other.group), ("discovery", discoveryPrefix == other.discoveryPrefix),
            ("metrics", metrics == other.metrics), ("state", state == other.state),
        ]
        return parts.filter { !$0.1 }.map(\.0)
    }
}

extension GatewayConfiguration {
    /// A file for the help: a sensor with a key, one that is published seldom, and nothing of the neighbours'.
    package static let example = """
        {
          "broker": { "address": "mqtts://broker.lan", "username": "house" },
          "maximumInterval": 300,
          "rules": [
            { "match": { "address": "54:48:E6:8F:80:A5" }, "name": "Freezer",
              "key": "231d39c1d7cc1ab1aee224cd096db932",
              "changes": { "temperature": 0.2 } },
            { "match": { "name": "Window*" }, "minimumInterval": 10 },
            { "publish": false }
          ]
        }
        """
}
