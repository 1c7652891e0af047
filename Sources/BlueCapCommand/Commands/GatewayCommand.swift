// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapPlatform

#if Gateway
import BlueCapGateway
#endif

struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway", abstract: "Publish the values of sensors to an MQTT broker and Home Assistant.",
        usage: "bluecap gateway [<broker>] [--configuration <file>] [<options>]",
        discussion: """
            Listens to the sensors in reach that advertise their values by BTHome, connects to the devices that its \
            configuration names, and publishes their values to a broker. Home Assistant, joined to the same broker, shows \
            each as a device by itself.

            TOPICS
              bluecap/NAME/status               online or offline: the gateway
              bluecap/NAME/DEVICE/state         the values of a device, an object of JSON
              bluecap/NAME/DEVICE/availability  online or offline: whether it is heard
              bluecap/NAME/DEVICE/press         a press of a button, or a turn of a dimmer
              bluecap/NAME/DEVICE/set           commands for a device, where a rule allows
            NAME is the name of this machine, or --name; DEVICE the address in lower case without colons. All are retained \
            but presses, commands and the signs of life of a group. A state is published when a value changes, at most once a second, and once in --interval while the device is heard. \
            The newest state of each device waits while there is no broker. While the radio is off, no device is \
            available, and the gateway waits for it.

            CONFIGURATION
            --configuration names a file of JSON, an object. Its keys: broker (an object: address, username, \
            passwordFile, caFile, certificateFile, keyFile, queue for how many topics a message may wait), name, prefix, \
            group, discovery, minimumInterval, maximumInterval, rules, formats (a list of files), metrics, state, \
            connections (how many at once, 1 to 16; 4), proxy. Options win over it. All mistakes in it are listed with \
            their lines, and nothing is started then.

            The first rule that fits counts for a device; a device without one is published. A rule has match (an object: \
            address, name, which may end in *, service, bthome for "encrypted" or "clear", format, and beacon for \
            UUID/MAJOR/MINOR or NAMESPACE/INSTANCE or the beginning of it; without it all devices fit), \
            and publish (false for never), name, minimumInterval and maximumInterval (seconds: a change is published at \
            most, and an unchanged state at least, so often), values (a list of the names of those to publish), changes \
            (how much a value has to change, by its name), keeps (whether values stay when the device is off: else those of \
            scales, cuffs and thermometers of patients do), presence (the seconds after which a device that is not heard \
            counts as away), key, for the one device of an address that encrypts its frames \
            (32 digits; needs the trait Crypto), and connect.

            connect is an object, in a rule whose match has the address alone. It names characteristics as 'bluecap read' \
            does: read, with every (seconds between two readings), subscribe, for a device that stays connected, and \
            write, for those that commands may write. A command is a message of the device's topic set, not retained: an \
            object of JSON, of a name in write and a value as 'bluecap write' takes it: {"Alert Level": "High Alert"}.

            Several gateways of one broker with the same group share their devices: the one that hears a device best \
            publishes it, under the group in the place of NAME, and another one follows within two seconds when that \
            ends.

            SIGHUP reads the file again. With mistakes in it all stays as it was. New rules hold at once, and a device \
            that is not published any more is removed from Home Assistant; a connection stays whose rule is the same; \
            broker, name, prefix, group, discovery, metrics, state and proxy wait for the next start.

            \(indented(example))

            The password is the first line of a file, so that no list of processes has it: --password-file, or the file \
            mqtt-password in $CREDENTIALS_DIRECTORY, where systemd has LoadCredential=mqtt-password:….

            state names a folder for a file, in which messages that wait and the counters of encrypted frames outlive the \
            program; without it that is $STATE_DIRECTORY, as systemd sets it. A group keeps only the counters.

            --metrics serves the numbers of the gateway to Prometheus, at http://ADDRESS:PORT/metrics: messages, frames, \
            devices, radio and broker, and those of the proxy. Everyone who reaches that port can read them. Port 0 is any \
            that is free.

            --proxy lends the radio to Home Assistant besides, as 'bluecap proxy' does, by the key in a file, which is \
            made where there is none. In the configuration proxy is an object: key (the file), name (that of the gateway), \
            port (6053), address and slots (3). Clients connect to devices beside the gateway, over slots of their own. \
            Needs the trait ESPHome.

            Needs a build with the trait Gateway, and libmosquitto. It runs until Ctrl-C, and says farewell to the \
            broker then.

            EXAMPLES
              bluecap gateway mqtt://localhost
              bluecap gateway mqtts://broker.lan --username house --password-file secret
              bluecap gateway mqtts://broker.lan --ca-file ca.pem
              bluecap gateway --configuration /etc/bluecap/gateway.json
              bluecap gateway mqtt://localhost --metrics 127.0.0.1:9464
              bluecap gateway mqtt://localhost --proxy key
              bluecap gateway mqtt://localhost --backend virtual:sensors.json
              bluecap gateway mqtt://localhost --json | jq 'select(.event == "device")'

            JSON
              event "broker": state ("connected", "lost", "refused", "unsubscribed" from a
              topic that the broker denies), broker, reason, date. event "metrics": url,
              date. event "radio": state ("lost", "on"), reason, date. event "device",
              when one is heard first: id, name, date. event "removed", when one is not
              published any more: id, date. event "forgotten", when the first one gives
              way as there are too many: id, reason, date. event "unread", when frames are
              refused although there is a key: id, reason, date. event "configuration",
              after SIGHUP: state ("read", "refused"), reason, nextStart (keys that wait
              for that), date. event "link": state ("connected", "disconnected", "read",
              "failed", once for each reason), id, reason, date. event "command": state
              ("written", "failed", "refused", once for each reason), id, key, reason,
              date. event "gateway", at the end: published, replaced (by newer states),
              dropped (no room), refused, lost (unanswered), connections (to the broker),
              missed (events of the broker without room), and of frames encrypted (without
              a key), unread (not of their key), replayed, forgotten (devices that gave
              way), outdated (presses, and all of a group, not sent when a connection
              was lost), with a group ignored (messages of no gateway), with a file kept
              (for the next start), expired and unwritten (failures), with rules that
              connect linkFailures, written, notWritten and refusedCommands, date. event
              "state", when that file is not read or not written: reason, date. With a
              proxy there are its events, which 'bluecap help proxy' has; a link of its
              clients has the key proxy. Keys are only ever added.

            \(ToolStatus.help)
            """)

    /// The text with the indentation of examples.
    private static func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }

    @Argument(help: ArgumentHelp("The broker: mqtt://HOST[:PORT], or mqtts:// for TLS.", valueName: "broker"))
    var broker: String?

    @Option(help: ArgumentHelp("A file of JSON with all of it.", valueName: "file"), completion: .file())
    var configuration: String?

    @Option(help: ArgumentHelp("The name of this gateway. (default: that of the machine)", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("The first level of the topics. (default: bluecap)", valueName: "text"))
    var prefix: String?

    @Option(
        help: ArgumentHelp(
            "The first level of Home Assistant's topics; empty to tell it nothing. (default: homeassistant)",
            valueName: "text"))
    var discovery: String?

    @Option(help: ArgumentHelp("The user of the broker.", valueName: "name"))
    var username: String?

    @Option(help: ArgumentHelp("A file whose first line is the password.", valueName: "file"), completion: .file())
    var passwordFile: String?

    @Option(
        help: ArgumentHelp("Who vouches for the broker, in PEM. (default: the system's)", valueName: "file"),
        completion: .file())
    var caFile: String?

    @Option(help: ArgumentHelp("The certificate of this gateway, in PEM.", valueName: "file"), completion: .file())
    var certificateFile: String?

    @Option(help: ArgumentHelp("The key of that certificate, in PEM.", valueName: "file"), completion: .file())
    var keyFile: String?

    @Option(help: ArgumentHelp("Publish an unchanged state so often. (default: 60)", valueName: "seconds"))
    var interval: Seconds?

    @Option(help: ArgumentHelp("Serve metrics to Prometheus there. (default: nowhere)", valueName: "address:port"))
    var metrics: String?

    @Option(help: ArgumentHelp("Be a proxy, too, with the key in this file.", valueName: "file"), completion: .file())
    var proxy: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var duration: Seconds?

    @Flag(help: "Print one JSON object for each event, on a line.")
    var json = false

    @OptionGroup var radio: RadioOptions

    func validate() throws {
        if broker == nil, configuration == nil {
            throw ValidationError("name the broker, as mqtt://HOST, or a file that does: --configuration FILE")
        }
        if let interval, !(.seconds(1) ... .seconds(28_800)).contains(interval.duration) {
            throw ValidationError("--interval is from 1 to 28800 seconds")
        }
        #if Gateway
        for (option, text) in [("--prefix", prefix), ("--discovery", discovery)] {
            if let fault = text.flatMap({ TopicText.fault(inPrefix: $0) }) {
                throw ValidationError("\(option) \(fault)")
            }
        }
        if prefix?.isEmpty == true { throw ValidationError("--prefix is empty") }
        var configured = try configured(over: GatewayConfiguration())
        configured.broker.password = passwordFile.map { BrokerPassword($0) }
        // A file may have the other half.
        if configuration == nil, let contradiction = configured.contradiction { throw ValidationError(contradiction) }
        #endif
    }

    #if Gateway
    /// A configuration in which the options of the command line stand over the settings of a file.
    ///
    /// - Throws: `ValidationError` where the address of the broker is none.
    private func configured(over file: GatewayConfiguration) throws -> GatewayConfiguration {
        var result = file
        if let broker {
            do { result.broker.address = try BrokerAddress(text: broker) } catch { throw ValidationError("\(error)") }
        }
        if let metrics {
            do { result.metrics = try MetricsAddress(text: metrics) } catch {
                throw ValidationError("--metrics \(error)")
            }
        }
        result.broker.username = username ?? file.broker.username
        result.broker.authorityFile = caFile ?? file.broker.authorityFile
        result.broker.certificateFile = certificateFile ?? file.broker.certificateFile
        result.broker.keyFile = keyFile ?? file.broker.keyFile
        result.plan.name = name ?? file.plan.name
        result.plan.prefix = prefix ?? file.plan.prefix
        if let discovery { result.plan.discoveryPrefix = discovery.isEmpty ? nil : discovery }
        if let proxy {
            result.proxy = file.proxy ?? ProxySettings(key: proxy)
            result.proxy?.key = proxy
        }
        result.plan.longestInterval = interval?.duration ?? file.plan.longestInterval
        return result
    }
    #endif

    func run() async throws {
        let command = self
        #if Gateway && os(Linux)
        let (hangUps, hangUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let onHangUp: @Sendable () -> Void = { hangUp.yield() }
        try await runCommand(onHangUp: configuration == nil ? nil : onHangUp) {
            let session = try command.session(hangUps)
            let options = try command.radio.resolved()
            let work = { try await session.run(options) }
            // Around the radio, whose managers report to the metrics that are there when they are made.
            if let metrics = session.metrics { try await metrics.whileServing(work) } else { try await work() }
        }
        #else
        try await runCommand { throw CommandFailure.withoutGateway }
        #endif
    }
}

#if Gateway && os(Linux)
extension GatewayCommand {
    /// The work of the command.
    ///
    /// - Parameter hangUps: When to read the file again.
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` for mistakes in the file, and for a password that cannot
    ///   be read; with ``ToolStatus/tryAgain`` where the port of the metrics is taken.
    func session(_ hangUps: AsyncStream<Void>) throws -> GatewaySession {
        let configuration = try read()
        // The sensors of a virtual world may have them.
        KnownFormats.use(configuration.plan.formats)
        guard let broker = configuration.broker.address else {
            throw CommandFailure(.usage, "the configuration names no broker: add it there, or to the command line")
        }
        return GatewaySession(
            configuration: configuration, broker: broker,
            rereading: self.configuration.map { _ in rereading(hangUps) }, duration: duration?.duration, isJSON: json,
            metrics: try configuration.metrics.map { address throws(CommandFailure) in try .serving(at: address) },
            output: StandardOutput(draws: false))
    }

    private func rereading(_ hangUps: AsyncStream<Void>) -> GatewayHost.Rereading {
        GatewayHost.Rereading(requests: hangUps) { () throws(GatewayHost.Rereading.Refusal) in
            do throws(CommandFailure) {
                return try read()
            } catch {
                throw GatewayHost.Rereading.Refusal(reason: error.message)
            }
        }
    }

    /// Reads the file, if there is one, and puts the options over it.
    private func read() throws(CommandFailure) -> GatewayConfiguration {
        do {
            let credentials = Environment.value("CREDENTIALS_DIRECTORY")
            let file = try configuration.map {
                try GatewayConfiguration(
                    file: $0, credentials: credentials, profiles: KnownProfiles.manager, machine: Machine.name)
            }
            var result = try configured(over: file ?? GatewayConfiguration(machine: Machine.name))
            if let passwordFile {
                result.broker.password = try BrokerPassword(file: passwordFile)
            } else if result.broker.password == nil, username != nil, let credentials {
                result.broker.password = try BrokerPassword(credentials: credentials)
            }
            result.state = result.state ?? Self.stateFolder
            if let contradiction = result.contradiction { throw CommandFailure(.usage, contradiction) }
            return result
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }

    /// The folder that systemd has made for the service.
    private static var stateFolder: String? {
        Environment.value("STATE_DIRECTORY").flatMap { $0.split(separator: ":").first.map(String.init) }
    }
}
#else
extension CommandFailure {
    /// This program was built without the trait `Gateway`, or not for Linux.
    static let withoutGateway = CommandFailure(
        .failed,
        "this program has no gateway: on Linux, with libmosquitto-dev, 'swift build --traits Gateway' builds one")
}
#endif
