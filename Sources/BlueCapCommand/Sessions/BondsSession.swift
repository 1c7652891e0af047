// SPDX-License-Identifier: MIT

import BlueCap

/// Prints the devices that this machine is paired with.
struct BondsSession: Sendable {
    let central: CentralManager
    let bonds: BondSource
    var isJSON = false
    let output: any LineOutput
    /// Takes lines of progress.
    var progress: @Sendable (String) -> Void = { report($0) }

    func run() async throws {
        try await central.requireRadio()
        let bonds = try await bonds()
        for bond in bonds { try output.line(isJSON ? JSONLine.text(bond) : bond.line) }
        if bonds.isEmpty { progress("no device is paired with this adapter: 'bluecap pair DEVICE' pairs one") }
    }
}
