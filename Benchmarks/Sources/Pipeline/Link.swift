// SPDX-License-Identifier: MIT

import BlueCap

/// A connection to the peer's device, and the attributes discovered on it.
struct Link: Sendable {
    let central: CentralManager
    let characteristic: Characteristic
    /// All characteristics of the service, the one above first.
    let characteristics: [Characteristic]

    /// Finds the device by its name, connects to it and discovers its attributes.
    static func open(with central: CentralManager = CentralManager()) async throws -> Link {
        try await central.whenPoweredOn(timeout: .seconds(60))
        let peripheral = try await find(with: central)
        try await peripheral.connect(timeout: .seconds(60))
        try await peripheral.discover(timeout: .seconds(60))
        let found = try peripheral.characteristic(Names.characteristic)
        let others = peripheral.services.flatMap(\.characteristics).filter { $0 !== found }
        return Link(central: central, characteristic: found, characteristics: [found] + others)
    }

    private static func find(with central: CentralManager) async throws -> Peripheral {
        for try await discovery in central.scan(timeout: .seconds(60)) where discovery.peripheral.name == Names.target {
            return discovery.peripheral
        }
        leave(1, "Pipeline: the scan ended without \(Names.target)")
    }
}
