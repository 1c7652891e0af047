// SPDX-License-Identifier: MIT

#if Gateway && os(Linux)
import BlueCap
import BlueCapGateway
import BlueCapJSON
import BlueCapPlatform

/// The check of the broker in the configuration of a gateway.
enum BrokerCheck {
    private static let name = "broker"
    /// How long the broker has to answer.
    private static let patience: Duration = .seconds(5)

    /// Reads the configuration of a gateway.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage``, with all mistakes in the file.
    static func configuration(_ file: String) throws(CommandFailure) -> GatewayConfiguration {
        do throws(ConfigurationError) {
            return try GatewayConfiguration(
                file: file, credentials: Environment.value("CREDENTIALS_DIRECTORY"), profiles: KnownProfiles.manager)
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }

    /// Connects to the broker of a configuration, and ends the connection.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - file: Its path.
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` without a broker, or with the mistake that libmosquitto
    ///   finds, as in a certificate's file.
    static func of(
        _ configuration: GatewayConfiguration, _ file: String
    ) async throws(CommandFailure) -> Diagnosis.Check {
        guard let address = configuration.broker.address else {
            throw CommandFailure(.usage, "\(file) names no broker")
        }
        var settings = configuration.brokerSettings
        // A gateway that runs keeps its connection, and is not said to be away.
        settings.clientID = "bluecap-doctor-\(getpid())"
        settings.will = nil
        do throws(BrokerFailure) {
            let broker = try Broker(settings)
            let events = broker.events.stream(capacity: .newest(16))
            broker.open()
            let end = BlueCapClock.continuous.schedule(after: patience) { broker.events.finish() }
            let answer = await events.first { _ in true }
            end.cancel()
            await broker.close(within: .zero)
            return check(answer, address, file)
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }

    private static func check(_ answer: BrokerEvent?, _ address: BrokerAddress, _ file: String) -> Diagnosis.Check {
        switch answer {
        case .connected: Diagnosis.Check(check: name, status: .ok, finding: "\(address) accepts the gateway")
        case .refused(let refusal): fault("\(address) refuses: \(refusal)", remedy: "edit 'broker' in \(file)")
        case .lost(let reason): fault("\(address) is not reached: \(reason)")
        case .received, .oversized, .unsubscribed, nil:
            fault("\(address) does not answer within \(TextLayout.seconds(patience))")
        }
    }

    private static func fault(_ finding: String, remedy: String? = nil) -> Diagnosis.Check {
        Diagnosis.Check(check: name, status: .fault, finding: finding, remedy: remedy)
    }
}
#endif
