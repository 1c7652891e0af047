// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

#if Gateway
import BlueCapGateway
#endif

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find what keeps Bluetooth from working here.",
        usage: "bluecap doctor [<options>]",
        discussion: """
            Looks at what Bluetooth needs, each needing the one before: a build with BlueZ, libdbus, the system's message bus, \
            bluetoothd, this user's permission to scan and to connect, the kernel's radio switches, an adapter, its power, \
            and the bearer that connections take. Below what is wrong stands the line that mends it (for Debian and \
            Ubuntu; elsewhere the package goes by another name). Nothing is changed, and no device is connected to. \
            --configuration has the broker of a gateway's file tried as well, by a connection that uses no topics. --proxy \
            looks at what 'bluecap proxy' needs as well: its key, its port, and Avahi, which announces it. A proxy in the \
            gateway's file is looked at, too.

            EXAMPLES
              bluecap doctor
              bluecap doctor --adapter hci1
              bluecap doctor --configuration gateway.json
              bluecap doctor --proxy key
              bluecap doctor --json > report.json       for a bug report
              bluecap doctor && bluecap scan

            JSON
              One object: event "doctor", healthy, checks (each with check, status
              ok, fault or skipped, finding, and remedy where there is a fault).
              Keys are only ever added.

            \(ToolStatus.help)
            """)

    @OptionGroup var radio: RadioOptions

    @Option(help: ArgumentHelp("The file of a gateway, whose broker is tried.", valueName: "file"), completion: .file())
    var configuration: String?

    @Option(help: ArgumentHelp("The file with the key of a proxy.", valueName: "file"), completion: .file())
    var proxy: String?

    @Option(help: ArgumentHelp("The port of that proxy.", valueName: "number"))
    var port: UInt16 = 6053

    @Flag(help: "Print one JSON object, on a line.")
    var json = false

    func run() async throws {
        let (command, options, isJSON) = (self, radio, json)
        try await runCommand {
            let radio = try options.resolved()
            try await radio.withCentral { central, _ in
                let output = StandardOutput(draws: false)
                let answer = try await RadioAnswer.of(central)
                let facts = radio.backend != nil && radio.backend != .bluez ? nil : await radio.machineFacts(answer)
                let diagnosis = Diagnosis(facts, answer, others: try await command.others())
                try DoctorSession(diagnosis: diagnosis, isJSON: isJSON, output: output).run()
            }
        }
    }

    /// The checks of a gateway and of a proxy, where these are asked for.
    ///
    /// - Throws: ``CommandFailure`` where this program has none, and for mistakes in the gateway's file.
    func others() async throws(CommandFailure) -> [Diagnosis.Check] {
        var checks: [Diagnosis.Check] = []
        if let configuration {
            #if Gateway && os(Linux)
            let read = try BrokerCheck.configuration(configuration)
            checks.append(try await BrokerCheck.of(read, configuration))
            if let proxy = read.proxy { checks += try Self.checks(proxy.key, proxy.address, proxy.port) }
            #else
            throw .withoutGateway
            #endif
        }
        if let proxy { checks += try Self.checks(proxy, nil, port) }
        return checks
    }

    private static func checks(
        _ key: String, _ address: String?, _ port: UInt16
    ) throws(CommandFailure) -> [Diagnosis.Check] {
        #if ESPHome && os(Linux)
        ProxyFacts.read(key: key, address: address, port: port).checks
        #else
        throw .withoutProxy
        #endif
    }
}

extension RadioOptions {
    /// The facts of this machine, with bluetoothd's version and devices where it answers.
    fileprivate func machineFacts(_ answer: RadioAnswer) async -> MachineFacts {
        var facts = MachineFacts.read()
        #if os(Linux) && BlueZ
        guard answer == .isOn || answer == .isOff else { return facts }
        let listener = BlueZListener(adapter: selection)
        facts.connectRefusal = try? await listener.connectingRefusal()?.message
        facts.pagedDevices = (try? await listener.pagedPeers()) ?? []
        #endif
        return facts
    }
}

/// Shows a diagnosis.
struct DoctorSession: Sendable {
    let diagnosis: Diagnosis
    var isJSON = false
    let output: any LineOutput

    /// - Throws: ``CommandFailure`` where there is a fault.
    func run() throws {
        if isJSON {
            try output.event(diagnosis)
        } else {
            for line in diagnosis.lines(columns: output.screen?.columns ?? 80) { try output.line(line) }
        }
        if diagnosis.healthy { return }
        let faults = diagnosis.checks.filter { $0.status == .fault }
        let names = faults.map(\.check).joined(separator: ", ")
        throw CommandFailure(diagnosis.status, "found \(TextLayout.count(faults.count, "fault")): \(names)")
    }
}
