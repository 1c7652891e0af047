// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct AdaptersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adapters", abstract: "Show the Bluetooth adapters of this machine.",
        usage: "bluecap adapters [<options>]",
        discussion: """
            For each adapter its name and address, which --adapter takes everywhere, whether it is on, the name that others \
            see, and what it can do. Without an adapter it ends with 69; 'bluecap doctor' says why there is none.

            EXAMPLES
              bluecap adapters
              bluecap adapters --json | jq -r 'select(.powered) | .name'
              bluecap adapters --backend virtual

            JSON
              One object a line: event "adapter", name, address, alias, powered,
              scanning, pairable, roles, advertisements, advertisementCapacity,
              version (of bluetoothd). Keys are only ever added.

            \(ToolStatus.help)
            """)

    @Option(help: ArgumentHelp("The radio: bluez or virtual. (default: the platform's)", valueName: "name"))
    var backend: BackendName?

    @Flag(help: "Print one JSON object for each adapter, on a line.")
    var json = false

    func run() async throws {
        let (backend, isJSON) = (backend, json)
        try await runCommand {
            let backend = try backend ?? SettingsFile.current.get().text(.backend).flatMap { BackendName(argument: $0) }
            let source: @Sendable () async throws -> [AdapterReport] =
                if case .shared = backend {
                    throw CommandFailure(.usage, "the adapters of a shared radio are those of its programs")
                } else if backend?.isVirtual == true {
                    { [AdapterReport(VirtualRadio().adapter())] }
                } else {
                    { try await Self.platformAdapters() }
                }
            try await AdaptersSession(adapters: source, isJSON: isJSON, output: StandardOutput(draws: false)).run()
        }
    }

    private static func platformAdapters() async throws -> [AdapterReport] {
        #if os(Linux) && BlueZ
        return try await BlueZListener().adapters().map { AdapterReport($0) }
        #else
        throw CommandFailure(.noRadio, "only BlueZ tells of adapters, and this program was built without it")
        #endif
    }
}

/// Prints the Bluetooth adapters of this machine.
struct AdaptersSession: Sendable {
    let adapters: @Sendable () async throws -> [AdapterReport]
    var isJSON = false
    let output: any LineOutput

    /// - Throws: ``CommandFailure`` with ``ToolStatus/noRadio`` where there is no adapter, or no bluetoothd to ask for
    ///   it; ``ToolStatus/notAuthorized`` where the bus refuses to.
    func run() async throws {
        let adapters: [AdapterReport]
        do {
            adapters = try await self.adapters()
        } catch CentralManagerError.powerOnTimeout {
            throw CommandFailure(.noRadio, "bluetoothd does not run: 'bluecap doctor' says how to start it")
        } catch let error as CentralManagerError where error != .cancelled {
            // There is no bus, or it does not answer.
            throw CommandFailure(noRadio: error, isTimeout: false, .unknown)
        }
        for adapter in adapters {
            if isJSON {
                try output.event(adapter)
            } else {
                for line in adapter.lines { try output.line(line) }
            }
        }
        if adapters.isEmpty {
            throw CommandFailure(.noRadio, "bluetoothd has no adapter: 'bluecap doctor' says what to do about it")
        }
    }
}

/// A Bluetooth adapter, as `adapters` prints it.
struct AdapterReport: Encodable, Sendable, Hashable {
    var event = "adapter"
    /// The name that `--adapter` takes.
    var name: String
    var address: String
    /// The name that other devices see.
    var alias: String
    var powered: Bool
    var scanning = false
    var pairable = false
    /// `"central"`, `"peripheral"`, and combinations that BlueZ names.
    var roles: [String] = []
    var advertisements: Int?
    var advertisementCapacity: Int?
    var version: String?

    /// Name, address, power and alias, and the adapter's capabilities on a second line.
    var lines: [String] {
        let head = [name, address, powered ? "on " : "off", TextLayout.printable(alias)].joined(separator: "  ")
        var words: [String] = []
        if scanning { words.append("scanning") }
        if pairable { words.append("pairable") }
        if !roles.isEmpty { words.append("roles " + roles.joined(separator: " ")) }
        if let capacity = advertisementCapacity {
            words.append("advertisements \(advertisements ?? 0) of \(capacity)")
        }
        if let version { words.append("BlueZ " + version) }
        return [head] + (words.isEmpty ? [] : ["  " + words.joined(separator: ", ")])
    }
}

extension AdapterReport {
    init(_ adapter: VirtualAdapter) {
        self.init(
            name: "virtual", address: adapter.address, alias: "a simulated adapter",
            powered: adapter.state == .poweredOn, roles: ["central", "peripheral"])
    }

    #if os(Linux) && BlueZ
    init(_ adapter: BlueZAdapter) {
        self.init(
            name: adapter.name, address: adapter.address, alias: adapter.alias, powered: adapter.isPowered,
            scanning: adapter.isDiscovering, pairable: adapter.isPairable, roles: adapter.roles,
            advertisements: adapter.advertisementCount, advertisementCapacity: adapter.advertisementCapacity,
            version: adapter.version)
    }
    #endif
}
