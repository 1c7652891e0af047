// SPDX-License-Identifier: MIT

import BlueCap

/// An emulation on a virtual radio, and a central on the same radio that visits it.
enum EmulationVisit {
    /// Runs `emulation` with a manager on the radio until it or the visit ends.
    ///
    /// - Parameters:
    ///   - name: The name of the adapter that is emulated on.
    ///   - output: Takes the lines of both sides, each with its role in front or, in JSON, as a key.
    static func run(
        on radio: VirtualRadio, name: String, isJSON: Bool, output: any LineOutput,
        _ emulation: @escaping @Sendable (PeripheralManager, any LineOutput) async throws -> Void
    ) async throws {
        let manager = PeripheralManager(
            backend: radio.peripheral(configuration: VirtualAdapter.Configuration(name: name)),
            configuration: .tool(clock: radio.clock))
        let central = CentralManager(backend: radio.central(), configuration: .tool(clock: radio.clock))
        let visit = TwinVisit(
            central: central, isJSON: isJSON, output: RoleOutput("central", output), clock: radio.clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await emulation(manager, RoleOutput("peripheral", output)) }
            group.addTask {
                do {
                    try await visit.run()
                } catch {
                    // The emulation removes its services some time before it returns and ends the visit: an error in
                    // that time is no failure of the visit.
                    try? await radio.clock.sleep(for: .seconds(1))
                    if !Task.isCancelled { throw error }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
        await central.invalidate()
    }
}
