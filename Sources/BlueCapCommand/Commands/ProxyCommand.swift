// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

#if ESPHome
import BlueCapESPHome
#endif
#if Gateway
import BlueCapGateway
#endif

struct ProxyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy", abstract: "Lend this radio to Home Assistant, as a Bluetooth proxy.",
        usage: "bluecap proxy --key <file> [<options>]",
        discussion: """
            Home Assistant hears through this radio what it does not hear through its own, and connects to devices \
            here: it speaks the native API of ESPHome, as the proxies on an ESP32 do. In Home Assistant, add the \
            integration ESPHome, with the address of this machine, the port, and the key.

            The key is the first line of a file, 32 bytes in base64. A file that is not there is made, with a new key, \
            which Home Assistant asks for: read it there. Without --key it is the file esphome-key in \
            $CREDENTIALS_DIRECTORY, where systemd has LoadCredential=esphome-key:…. Without a key everyone who reaches \
            the port uses this radio, and everyone on the way reads along: that takes --clear-text, and newer versions \
            of Home Assistant refuse it.

            Home Assistant finds the proxy by itself where Avahi runs on this machine. With --address it is not \
            announced.

            Any number of clients may listen. They share --slots connections, and a connection ends with the client \
            that made it. Other programs of this machine may use the radio beside it.

            --metrics serves the numbers of the proxy to Prometheus, at http://ADDRESS:PORT/metrics: clients, \
            advertisements, connections and refusals. Everyone who reaches that port can read them. Port 0 is any that is \
            free.

            Where this machine is to be a gateway, too, let the gateway serve the proxy: both need the radio, and one \
            program has it for both. See --proxy in 'bluecap help gateway'.

            Needs a build with the trait ESPHome, and with the trait Gateway for metrics. It runs until Ctrl-C.

            EXAMPLES
              bluecap proxy --key key
              bluecap proxy --key key --name cellar --slots 5
              bluecap proxy --key key --metrics 127.0.0.1:9464
              bluecap proxy --key key --backend virtual
              bluecap proxy --clear-text --address 127.0.0.1 --backend virtual
              bluecap proxy --key key --json | jq 'select(.event == "link")'

            JSON
              event "proxy", when it serves: state ("listening"), name, port, address
              (of the node), bluetoothAddress, encrypted, date; at the end: state
              ("ended"), clients, refused (connections), advertisements (sent to all
              clients), droppedAdvertisements and droppedValues (to clients that did not
              read), links, failedRequests (of attributes), date. event "key", when a
              key was made: path, date. event "client": state ("joined", "left",
              "refused"), client (its own words), reason, date. event "link": state
              ("connected", "disconnected"), id, proxy (its name), date. event "radio":
              state ("lost", "on"), reason, date. event "announcement": state
              ("announced", "withdrawn"), name, reason, date. event "metrics": url,
              date. Keys are only ever added.

            \(ToolStatus.help)
            """)

    @Option(
        help: ArgumentHelp("The file of the key, made where there is none.", valueName: "file"), completion: .file())
    var key: String?

    @Flag(help: "Serve without a key, to everyone who reaches the port.")
    var clearText = false

    @Option(help: ArgumentHelp("The name of this proxy. (default: that of the machine)", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("The port to listen at; 0 for any that is free.", valueName: "number"))
    var port: UInt16 = 6053

    @Option(help: ArgumentHelp("Listen at one address, unannounced. (default: all)", valueName: "address"))
    var address: String?

    @Option(help: ArgumentHelp("How many connections all clients have; 0 to 16.", valueName: "number"))
    var slots = 3

    @Option(help: ArgumentHelp("Serve metrics to Prometheus there. (default: nowhere)", valueName: "address:port"))
    var metrics: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var duration: Seconds?

    @Flag(help: "Print one JSON object for each event, on a line.")
    var json = false

    @OptionGroup var radio: RadioOptions

    func validate() throws {
        if clearText, key != nil { throw ValidationError("--key and --clear-text exclude each other") }
        guard (0...16).contains(slots) else { throw ValidationError("--slots is from 0 to 16") }
        if name?.isEmpty == true { throw ValidationError("--name is empty") }
    }

    func run() async throws {
        #if ESPHome && os(Linux)
        let command = self
        try await runCommand {
            let session = try command.session()
            let options = try command.radio.resolved()
            let identity = await ProxyIdentity.ofMachine(command.name, options)
            let work = {
                try await options.withCentral { central, clock in try await session.run(identity, on: central, clock) }
            }
            #if Gateway
            // Around the radio, whose managers report to the metrics that are there when they are made.
            if let metrics = session.metrics { return try await metrics.whileServing(work) }
            #endif
            try await work()
        }
        #else
        try await runCommand { throw CommandFailure.withoutProxy }
        #endif
    }
}

#if ESPHome && os(Linux)
extension ProxyCommand {
    /// The work of the command.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` where there is no key, or the address of the metrics is
    ///   none, and with ``ToolStatus/tryAgain`` where another program has their port.
    private func session() throws(CommandFailure) -> ProxySession {
        var session = ProxySession(slots: slots, port: port, output: StandardOutput(draws: false))
        #if Gateway
        session.metrics = try metrics.map { text throws(CommandFailure) in try .serving(at: text) }
        #else
        if metrics != nil { throw .withoutMetrics }
        #endif
        (session.address, session.duration, session.isJSON) = (address, duration?.duration, json)
        if clearText { return session }
        let credentials = Environment.value("CREDENTIALS_DIRECTORY").flatMap { NoiseKeyFile(credentials: $0) }
        guard let file = key.map({ NoiseKeyFile($0) }) ?? credentials else {
            throw CommandFailure(.usage, "name the file of a key: --key FILE, which makes one where there is none")
        }
        try session.take(file)
        return session
    }
}
#else
extension CommandFailure {
    /// This program was built without the trait `ESPHome`, or not for Linux.
    static let withoutProxy = CommandFailure(
        .failed, "this program has no proxy: on Linux, 'swift build --traits BlueZ,ESPHome' builds one")
}
#endif

#if !Gateway
extension CommandFailure {
    /// This program was built without the trait `Gateway`.
    static let withoutMetrics = CommandFailure(
        .failed, "this program serves no metrics: 'swift build --traits BlueZ,ESPHome,Gateway' builds one that does")
}
#endif
