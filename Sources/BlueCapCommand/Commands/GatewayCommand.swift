// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapGateway
import BlueCapPlatform

struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway", abstract: "Publish the values of sensors to an MQTT broker and Home Assistant.",
        usage: "bluecap gateway <broker> [<options>]",
        discussion: """
            Listens to the sensors in reach that advertise their values by BTHome, and publishes them to a broker. Home \
            Assistant, joined to the same broker, shows each sensor as a device by itself.

            TOPICS
              bluecap/NAME/status                 online or offline: whether this gateway is there
              bluecap/NAME/DEVICE/state           the values of a device, an object of JSON
              bluecap/NAME/DEVICE/availability    online or offline: whether the device is heard
            NAME is the name of this machine, or --name; DEVICE the address without colons. All are retained. A state is \
            published when a value changes, at most once a second, and once in --interval while the device is heard. \
            The newest state of each device waits while there is no broker. While the radio is off, no device is \
            available, and the gateway waits for it.

            The password is the first line of a file, so that no list of processes has it: --password-file, or the file \
            mqtt-password in $CREDENTIALS_DIRECTORY, where systemd has LoadCredential=mqtt-password:….

            Needs a build with the trait Gateway, and libmosquitto. It runs until Ctrl-C, and says farewell to the \
            broker then.

            EXAMPLES
              bluecap gateway mqtt://localhost
              bluecap gateway mqtts://broker.lan --username house --password-file secret
              bluecap gateway mqtts://broker.lan --ca-file ca.pem
              bluecap gateway mqtt://localhost --backend virtual:sensors.json
              bluecap gateway mqtt://localhost --json | jq 'select(.event == "device")'

            JSON
              event "broker": state ("connected", "lost", "refused"), broker, reason,
              date. event "radio": state ("lost", "on"), reason, date. event
              "device", when one is heard first: id, name, date. event "gateway", at
              the end: published, replaced (by newer states), dropped
              (no room), refused, lost (unanswered), connections, encrypted (frames
              that need a key), date. Keys are only ever added.

            \(ToolStatus.help)
            """)

    @Argument(help: ArgumentHelp("The broker: mqtt://HOST[:PORT], or mqtts:// for TLS.", valueName: "broker"))
    var broker: String

    @Option(help: ArgumentHelp("The name of this gateway. (default: that of the machine)", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("The first level of the topics.", valueName: "text"))
    var prefix = "bluecap"

    @Option(
        help: ArgumentHelp("The first level of Home Assistant's topics; empty to tell it nothing.", valueName: "text"))
    var discovery = "homeassistant"

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

    @Option(help: ArgumentHelp("Publish an unchanged state so often.", valueName: "seconds"))
    var interval = Seconds(60)

    @Option(parsing: .unconditional, help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var duration: Seconds?

    @Flag(help: "Print one JSON object for each event, on a line.")
    var json = false

    @OptionGroup var radio: RadioOptions

    func validate() throws {
        let address: BrokerAddress
        do { address = try BrokerAddress(text: broker) } catch { throw ValidationError("\(error)") }
        if !address.isSecure, caFile != nil || certificateFile != nil || keyFile != nil {
            throw ValidationError("certificates need TLS: write mqtts://\(address.host)")
        }
        if (certificateFile == nil) != (keyFile == nil) {
            throw ValidationError("a certificate and its key go together: --certificate-file and --key-file")
        }
        if passwordFile != nil, username == nil {
            throw ValidationError("a password needs the user whose it is: --username")
        }
        if interval.duration < .seconds(1) { throw ValidationError("--interval is 1 second at the least") }
        for level in [prefix, discovery] where level.contains(where: { "+#\0".contains($0) }) {
            throw ValidationError("'\(level)' is no beginning of a topic: + and # stand for other levels")
        }
        if prefix.isEmpty { throw ValidationError("--prefix is empty") }
    }

    func run() async throws {
        let command = self
        try await runCommand {
            #if Gateway && os(Linux)
            let plan = try command.plan()
            try await command.radio.resolved().withCentral { central, clock in
                let output = StandardOutput(draws: false)
                try await GatewaySession(central: central, plan: plan, output: output, clock: clock).run()
            }
            #else
            throw CommandFailure(
                .failed,
                "this program has no gateway: on Linux, with libmosquitto-dev, 'swift build --traits Gateway' builds one"
            )
            #endif
        }
    }
}

#if Gateway && os(Linux)
extension GatewayCommand {
    /// What is to be run, from the command line.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` where the password cannot be read.
    func plan() throws -> GatewaySession.Plan {
        var gateway = GatewayPlan(name: name ?? Self.hostName)
        gateway.prefix = prefix
        gateway.discoveryPrefix = discovery.isEmpty ? nil : discovery
        gateway.longestInterval = interval.duration
        var settings = BrokerSettings(address: try BrokerAddress(text: broker), clientID: "bluecap-\(gateway.name)")
        settings.username = username
        settings.password = try password().map(BrokerPassword.init)
        (settings.authorityFile, settings.certificateFile, settings.keyFile) = (caFile, certificateFile, keyFile)
        settings.will = gateway.status(isOnline: false)
        return GatewaySession.Plan(gateway: gateway, broker: settings, duration: duration?.duration, isJSON: json)
    }

    private func password() throws(CommandFailure) -> String? {
        let credential = Environment.value("CREDENTIALS_DIRECTORY").map { "\($0)/mqtt-password" }
        let file = passwordFile ?? credential.flatMap { username != nil && ToolFile.exists($0) ? $0 : nil }
        guard let file else { return nil }
        let bytes = try ToolFile.read(file, maximum: 4096)
        let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first
        guard let line else { throw CommandFailure(.usage, "\(file): there is no password in its first line") }
        return String(line)
    }

    /// The name of the machine, without its domain.
    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "bluecap" }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(separator: ".").first.map(String.init) ?? "bluecap"
    }
}
#endif
