// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct BondsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bonds", abstract: "Show the devices that this machine is paired with.",
        usage: "bluecap bonds [<options>]",
        discussion: """
            A line for each device: identifier, name, and whether some program is connected to it. 'bluecap pair' adds a \
            device, 'bluecap forget' removes one.

            EXAMPLES
              bluecap bonds
              bluecap bonds --backend virtual
              bluecap bonds --json | jq -r .id

            JSON
              One object a line: event "bond", id, name, connected. Keys are only
              ever added.

            \(ToolStatus.help)
            """)

    @OptionGroup var radio: RadioOptions

    @Flag(help: "Print one JSON object for each device, on a line.")
    var json = false

    func run() async throws {
        let (radio, isJSON) = (radio, json)
        try await runCommand {
            try await radio.resolved().withBonds { central, bonds, _ in
                let output = StandardOutput(draws: false)
                try await BondsSession(central: central, bonds: bonds, isJSON: isJSON, output: output).run()
            }
        }
    }
}

/// Prints the devices that this machine is paired with.
struct BondsSession: Sendable {
    let central: CentralManager
    let bonds: BondSource
    var isJSON = false
    let output: any LineOutput
    var progress: @Sendable (String) -> Void = { report($0) }

    func run() async throws {
        try await central.requireRadio()
        let bonds = try await bonds()
        for bond in bonds { try output.line(isJSON ? JSONLine.text(bond) : bond.line) }
        if bonds.isEmpty { progress("no device is paired with this adapter: 'bluecap pair DEVICE' pairs one") }
    }
}

/// A device that this machine is paired with, as `bonds` prints it.
struct Bond: Encodable, Sendable, Hashable {
    var event = "bond"
    var id: String
    var name: String?
    var connected: Bool

    /// Identifier, name, and whether some program is connected.
    var line: String {
        let name = name.map { TextLayout.printable($0) } ?? "-"
        return "\(id)  \(name)" + (connected ? "  connected" : "")
    }
}

/// Returns the devices that this machine is paired with.
typealias BondSource = @Sendable () async throws -> [Bond]

extension RadioOptions {
    /// Runs a command's work on the chosen radio, with the source of the bonds of its adapter.
    func withBonds(
        _ body: @escaping @Sendable (CentralManager, @escaping BondSource, BlueCapClock) async throws -> Void
    ) async throws {
        if case .shared = backend {
            throw CommandFailure(.usage, "the bonds of a shared radio are those of the program that shares it")
        }
        let source = platformBonds
        try await withRadio { radio, central, clock in
            guard let radio else { return try await body(central, source, clock) }
            let devices = radio.peripherals
            try await body(central, { try await Self.bonds(of: central, among: devices) }, clock)
        }
    }

    static func bonds(of central: CentralManager, among devices: [VirtualPeripheral]) async throws -> [Bond] {
        let known = try await central.retrievePeripherals(withIdentifiers: devices.map(\.identifier))
        return known.filter(\.isBonded).map {
            Bond(id: $0.identifier.text, name: $0.name, connected: $0.isConnected)
        }
    }

    private var platformBonds: BondSource {
        #if os(Linux) && BlueZ
        let selection = selection
        return {
            try await BlueZListener(adapter: selection).bonds().map {
                Bond(id: $0.identifier.text, name: $0.name, connected: $0.isConnected)
            }
        }
        #else
        return { throw CommandFailure(.noRadio, "this platform tells no program which devices are paired") }
        #endif
    }
}
