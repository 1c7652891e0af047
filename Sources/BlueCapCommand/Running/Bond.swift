// SPDX-License-Identifier: MIT

import BlueCap

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
        let source = platformBonds
        try await withRadio { radio, central, clock in
            guard let radio else { return try await body(central, source, clock) }
            let devices = radio.peripherals
            try await body(central, { try await Self.bonds(of: central, among: devices) }, clock)
        }
    }

    /// The bonds of a manager on a virtual radio.
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
