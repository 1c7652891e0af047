// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

struct ForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Forget paired devices and their keys.",
        usage: "bluecap forget <device> ... [<options>]",
        discussion: """
            Ends the connection to each device, if there is one, and deletes the keys. The other side keeps its own keys: \
            most devices refuse to pair again until they have forgotten this machine, too (on many by a long press of a \
            button).

            EXAMPLES
              bluecap bonds && bluecap forget C0:DE:00:00:00:03
              bluecap forget "Dog Collar" --backend virtual
              bluecap forget --all

            JSON
              One object for each device that was forgotten: event "forgotten", id,
              name, connected. Keys are only ever added.

            \(ToolStatus.help)
            """)

    @Argument(help: "The devices: identifiers or whole names.", completion: Completion.devices)
    var device: [String] = []

    @Flag(help: "Forget all paired devices.")
    var all = false

    @OptionGroup var radio: RadioOptions

    @Flag(help: "Print one JSON object for each device, on a line.")
    var json = false

    func validate() throws {
        if all != device.isEmpty {
            throw ValidationError("name the devices to forget, or write --all ('bluecap bonds' lists them)")
        }
        for name in device { try DeviceOptions.requireName(name) }
    }

    func run() async throws {
        let (radio, devices, isJSON) = (radio, device, json)
        try await runCommand {
            try await radio.resolved().withBonds { central, bonds, _ in
                try await ForgetSession(
                    central: central, bonds: bonds, devices: devices, isJSON: isJSON,
                    output: StandardOutput(draws: false)
                ).run()
            }
        }
    }
}

/// Has the platform forget devices and their keys.
struct ForgetSession: Sendable {
    let central: CentralManager
    let bonds: BondSource
    /// Identifiers or whole names, in capitals or not; empty for all bonded devices.
    let devices: [String]
    var isJSON = false
    let output: any LineOutput

    /// Forgets all named devices, or none where one of them is not there.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/tryAgain`` and the bonds that there are, or with
    ///   ``ToolStatus/usage`` where several have the name.
    func run() async throws {
        try await central.requireRadio()
        let bonds = try await bonds()
        var chosen: [Bond] = devices.isEmpty ? bonds : []
        for device in devices {
            let found = bonds.filter { DeviceFinder.isDevice(device, PeerIdentifier($0.id), $0.name) }
            if found.isEmpty {
                let there = bonds.map { "\n  " + $0.line }.joined()
                throw CommandFailure(
                    .tryAgain,
                    "no paired device has the identifier or name '\(device)'; "
                        + (bonds.isEmpty ? "none is paired with this adapter" : "these are paired:" + there))
            }
            if found.count > 1 { throw CommandFailure(severalNamed: device, found.map(\.line), by: "identifier") }
            if !chosen.contains(found[0]) { chosen.append(found[0]) }
        }
        let known = try await central.retrievePeripherals(withIdentifiers: chosen.map { PeerIdentifier($0.id) })
        for var bond in chosen {
            guard let peripheral = known.first(where: { $0.identifier.text == bond.id }) else { continue }
            try await peripheral.removeBond()
            (bond.event, bond.connected) = ("forgotten", false)
            try output.line(isJSON ? JSONLine.text(bond) : "forgot \(bond.line)")
        }
    }
}
