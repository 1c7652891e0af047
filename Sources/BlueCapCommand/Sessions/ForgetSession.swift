// SPDX-License-Identifier: MIT

import BlueCap

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
