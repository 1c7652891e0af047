// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct ScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Show the devices that advertise.",
        usage: "bluecap scan [<options>]",
        discussion: """
            On a terminal a live table: name, identifier, state (found, connecting, connected, known for one that was connected \
            before, paired), signal (five bars from -40 dBm, none below -99), when last seen, services, and what else is advertised: frames of iBeacon, AltBeacon, Eddystone, BTHome and other sensors are decoded, other \
            data has the name of its company. Elsewhere a line for each event: discovered, updated (what it advertises \
            changed), lost.

            With --inspect each device is connected to in turn, its services are read, and it is disconnected; timeouts and \
            lost links are counted, and a device with too many of them is given up.

            Without --duration it runs until Ctrl-C. With --duration it ends with status 0 if anything was seen, else 75.

            EXAMPLES
              bluecap scan --duration 10
              bluecap scan --limit 5 --sort name
              bluecap scan --inspect --limit 3 --backend virtual
              bluecap scan --service battery --service 180D --minimum-rssi -80
              bluecap scan --name Sensor --duplicates --json
              bluecap scan --backend virtual --seed 7
              bluecap scan --formats cellar.json
              bluecap scan --adapter hci1
              bluecap scan --passive --pattern FF:4C00 --stronger-than -60

            JSON
              event "discovered", "updated" or "lost": id, name, state, rssi, services
              (UUIDs, short ones as shortServices), manufacturerData, companies,
              serviceData, frames (kind, text, and fields, numbers and units: of each
              name an array, as a frame can have several of one; an unknown number is
              null), txPower, connectable,
              date. Of --inspect:
              "inspecting", "inspected", "inspectionFailed" (it is tried again),
              "inspectionGivenUp": id, name, services, shortServices,
              characteristics, timeouts, disconnections, error. Keys are only ever
              added.

            \(ToolStatus.help)
            """)

    @OptionGroup var radio: RadioOptions

    @Option(
        help: ArgumentHelp("Only devices that advertise this service; may be repeated.", valueName: "service"),
        completion: Completion.services)
    var service: [ServiceArgument] = []

    @Option(help: ArgumentHelp("Only devices whose name starts with this.", valueName: "prefix"))
    var name: String?

    // A number may be negative, which looks like an option.
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Only sightings at least this strong.", valueName: "dBm"))
    var minimumRssi: Int?

    @OptionGroup var formats: FormatOptions

    @Flag(help: "A line for every packet, not only for changes of what is advertised.")
    var duplicates = false

    @Flag(help: "Hear every packet as it was sent; over BlueZ this needs CAP_NET_ADMIN.")
    var everyPacket = false

    @Flag(help: "Hear without sending; over BlueZ this needs bluetoothd -E.")
    var passive = false

    @Option(
        help: ArgumentHelp(
            "With --passive: only packets with these bytes, in hex: the AD type, a colon, the content, and @place unless that is 0; may be repeated. (default: the usual flags)",
            valueName: "type:bytes"))
    var pattern: [PatternArgument] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --passive: found after a second above this, lost after --lost-after below it, or unheard.",
            valueName: "dBm"))
    var strongerThan: Int?

    @Flag(help: "All devices, whatever the settings say.")
    var all = false

    @Option(parsing: .unconditional, help: ArgumentHelp("End after so long.", valueName: "seconds"))
    var duration: Seconds?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Report a device lost when unseen for so long; 0 for never.", valueName: "seconds"))
    var lostAfter = Seconds(30)

    @Option(
        help: ArgumentHelp("Order of the table: rssi, discovery, name or seen. (default: rssi)", valueName: "order"))
    var sort: ScanOrder?

    @Option(help: ArgumentHelp("End when so many devices were found.", valueName: "count"))
    var limit: Int?

    @Flag(help: "Connect to each device in turn, and read its services.")
    var inspect = false

    @Option(
        help: ArgumentHelp(
            "With --inspect: connect to so many at the same time, 1 to 32. (default: 1)", valueName: "count"))
    var connections: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --inspect: how long connecting and discovering may take, each. (default: 10)", valueName: "seconds"))
    var timeout: Seconds?

    @Option(
        help: ArgumentHelp(
            "With --inspect: give a device up after more timeouts, or more lost links. (default: 5)", valueName: "count"
        ))
    var retries: Int?

    @Flag(help: "Print one JSON object for each event, on a line.")
    var json = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
        if let name, name.isEmpty { throw ValidationError("--name is empty: leave it out for all devices") }
        if let connections {
            if !(1...32).contains(connections) { throw ValidationError("--connections must be from 1 to 32") }
            if !inspect { throw ValidationError("--connections is of --inspect: add it") }
        }
        if everyPacket, passive { throw ValidationError("--every-packet and --passive contradict each other") }
        if !passive, !pattern.isEmpty { throw ValidationError("--pattern is of --passive: add it") }
        if !passive, strongerThan != nil { throw ValidationError("--stronger-than is of --passive: add it") }
        if let retries, retries < 0 { throw ValidationError("--retries must be 0 or more") }
        if all, !service.isEmpty { throw ValidationError("--all and --service contradict each other: leave one out") }
    }

    /// The session's plan, from the command line and the settings.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` where a service is not known.
    func plan(_ settings: Settings) throws(CommandFailure) -> ScanSession.Plan {
        let looksForServices = service.isEmpty && !all && settings.text(.scanMode) == "services"
        let options = ScanOptions(
            allowsDuplicates: duplicates, minimumRSSI: minimumRssi, namePrefix: name,
            lostAfter: lostAfter.duration == .zero ? nil : lostAfter.duration,
            mode: mode)
        return ScanSession.Plan(
            services: looksForServices
                ? settings.services.map(\.uuid) : try service.map { (each) throws(CommandFailure) in try each.uuid() },
            options: options,
            duration: duration?.duration ?? settings.duration(.scanDuration, or: nil),
            limit: limit ?? settings.number(.scanLimit, or: nil),
            order: sort ?? settings.text(.scanSort).flatMap { ScanOrder(rawValue: $0) } ?? .rssi,
            inspection: inspect ? inspection(settings) : nil, isJSON: json)
    }

    private var mode: ScanMode {
        if everyPacket { return .everyPacket }
        if !passive { return .active }
        let seconds = min(max(lostAfter.duration.components.seconds, 1), 300)
        return .passive(
            patterns: pattern.isEmpty ? AdvertisingPattern.usualFlags : pattern.map(\.pattern),
            signal: strongerThan.map { SignalThresholds(high: $0, low: $0, lowTime: .seconds(seconds)) })
    }

    private func inspection(_ settings: Settings) -> Inspector.Plan {
        Inspector.Plan(
            connections: connections ?? settings.number(.inspectConnections, or: 1) ?? 1,
            timeout: timeout?.duration ?? settings.duration(.timeout, or: nil) ?? .seconds(10),
            maximumTimeouts: retries ?? settings.number(.inspectTimeouts, or: 5),
            maximumDisconnections: retries ?? settings.number(.inspectDisconnections, or: 5),
            wait: settings.duration(.inspectWait, or: nil) ?? .seconds(1))
    }

    func run() async throws {
        let command = self
        try await runCommand {
            let settings = try SettingsFile.current.get()
            let plan = try command.plan(settings)
            try await command.radio.resolved(settings).withCentral { central, clock in
                let output = StandardOutput(draws: !plan.isJSON)
                try await ScanSession(central: central, plan: plan, output: output, clock: clock).run()
            }
        }
    }
}
