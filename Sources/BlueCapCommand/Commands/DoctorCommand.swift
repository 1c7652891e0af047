// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find what keeps Bluetooth from working here.",
        usage: "bluecap doctor [<options>]",
        discussion: """
            Looks at what Bluetooth needs, each needing the one before: a build with BlueZ, libdbus, the system's message bus, \
            bluetoothd, this user's permission to scan and to connect, the kernel's radio switches, an adapter, its power, \
            and the bearer that connections take. Below what is wrong stands the line that mends it (for Debian and \
            Ubuntu; elsewhere the package goes by another name). Nothing is changed, and no device is connected to. \
            --configuration has the broker of a gateway's file tried as well, by a connection that uses no topics.

            EXAMPLES
              bluecap doctor
              bluecap doctor --adapter hci1
              bluecap doctor --configuration gateway.json
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

    @Flag(help: "Print one JSON object, on a line.")
    var json = false

    func run() async throws {
        let (options, file, isJSON) = (radio, configuration, json)
        try await runCommand {
            let radio = try options.resolved()
            try await radio.withCentral { central, _ in
                let output = StandardOutput(draws: false)
                let answer = try await RadioAnswer.of(central)
                let facts = radio.backend != nil && radio.backend != .bluez ? nil : await radio.machineFacts(answer)
                var broker: Diagnosis.Check?
                if let file { broker = try await BrokerCheck.of(file) }
                let diagnosis = Diagnosis(facts, answer, broker: broker)
                try DoctorSession(diagnosis: diagnosis, isJSON: isJSON, output: output).run()
            }
        }
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
