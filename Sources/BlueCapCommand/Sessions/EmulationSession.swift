// SPDX-License-Identifier: MIT

import BlueCap

/// An emulation of a device, on a radio of the platform, or on a virtual one with a central beside it.
protocol EmulationSession: Sendable {
    /// Offers and advertises until the duration is over or the task is cancelled, and then takes all of it back.
    func serve() async throws
    /// Reports that all was taken back.
    func stopped() throws(OutputClosed)
}

extension EmulationSession {
    /// Runs until the duration is over or the task is cancelled, and then removes services and advertisement.
    func run() async throws {
        try await serve()
        try stopped()
    }

    /// Emulates on a virtual radio, with a central on the same radio, until either ends, which cancels the other.
    ///
    /// - Parameters:
    ///   - address: The address of the adapter that is emulated on; nil for any.
    ///   - adapter: The configuration of that adapter.
    ///   - output: Takes the lines of both sides, each with its role in front or, in JSON, as a key.
    ///   - make: Makes the session.
    ///   - visit: The work of the central.
    static func run(
        on radio: VirtualRadio, address: String? = nil, as adapter: VirtualAdapter.Configuration,
        output: any LineOutput, _ make: (PeripheralManager, any LineOutput) -> Self,
        beside visit: @escaping @Sendable (CentralManager, any LineOutput) async throws -> Void
    ) async throws {
        let backend =
            if let address { radio.peripheral(address: address, configuration: adapter) } else {
                radio.peripheral(configuration: adapter)
            }
        let manager = PeripheralManager(backend: backend, configuration: .tool(clock: radio.clock))
        let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
        let session = make(manager, RoleOutput("peripheral", output))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await session.serve() }
            group.addTask {
                do {
                    try await visit(central, RoleOutput("central", output))
                } catch {
                    // The emulation removes its services some time before it ends the visit: an error in that time is
                    // no failure of the visit.
                    try? await radio.clock.sleep(for: .seconds(1))
                    await central.invalidate()
                    if !Task.isCancelled { throw error }
                }
                await central.invalidate()
            }
            defer { group.cancelAll() }
            try await group.next()
            group.cancelAll()
            try await group.waitForAll()
        }
        // The line comes after the central's last output.
        try session.stopped()
    }
}
