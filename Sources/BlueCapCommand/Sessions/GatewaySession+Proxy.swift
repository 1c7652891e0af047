// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCap
import BlueCapGateway

#if ESPHome
import BlueCapESPHome
#endif

extension GatewaySession {
    /// Runs on the radio of the options, with the proxy of the configuration beside it.
    ///
    /// - Throws: The same as ``run(on:_:)``; ``CommandFailure`` with ``ToolStatus/usage`` where the proxy has no key.
    func run(_ options: RadioOptions) async throws {
        #if ESPHome
        if let settings = configuration.proxy {
            let proxy = try proxy(settings)
            let identity = await ProxyIdentity.ofMachine(settings.name ?? configuration.plan.name, options)
            return try await options.withCentral { central, clock in
                try await proxy.run(identity, on: central, clock) { try await run(on: central, clock) }
            }
        }
        #else
        if configuration.proxy != nil { throw CommandFailure.withoutProxy }
        #endif
        try await options.withCentral { try await run(on: $0, $1) }
    }

    #if ESPHome
    private func proxy(_ settings: ProxySettings) throws(CommandFailure) -> ProxySession {
        var session = ProxySession(slots: settings.slots, port: settings.port, output: output)
        (session.address, session.isJSON, session.metrics) = (settings.address, isJSON, metrics)
        try session.take(NoiseKeyFile(settings.key))
        return session
    }
    #endif
}
#endif
