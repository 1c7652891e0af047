// SPDX-License-Identifier: MIT

extension Peripheral {
    /// Asks for another timing of the connection: short intervals for speed, long ones and a latency for a battery.
    ///
    /// The peripheral may ask for other parameters afterwards, and the platform may grant them. CoreBluetooth has no
    /// such call. On BlueZ the process needs `CAP_NET_ADMIN`, and the kernel decides when the parameters take effect:
    /// before Linux 6.11 from the next connection on. It keeps them until the adapter or the machine is switched off.
    ///
    /// ```swift
    /// let fast = try ConnectionParameters(interval: .milliseconds(15)...(.milliseconds(15)))
    /// if try await peripheral.setConnectionParameters(fast) == .nextConnection { await peripheral.disconnect() }
    /// ```
    ///
    /// - Returns: Whether they take effect now, or from the next connection on.
    /// - Throws: `.connectionParametersRefused` with the reason, `.unsupported` where the platform has no such call,
    ///   `.disconnected`, `.cancelled`, `.poweredOff`, `.invalidated`.
    @discardableResult
    public func setConnectionParameters(
        _ parameters: ConnectionParameters
    ) async throws(PeripheralError) -> ConnectionParameters.Effect {
        try await setConnectionParameters(parameters, requireManager())
    }

    private func setConnectionParameters(
        _ parameters: ConnectionParameters, _ manager: isolated CentralManager
    ) async throws(PeripheralError) -> ConnectionParameters.Effect {
        guard try manager.book.record(of: self, manager).link == .connected else { throw .disconnected }
        guard manager.backend.features.contains(.connectionParameters) else { throw .unsupported }
        let outcome = await manager.perform(.setConnectionParameters(identifier, parameters), timeout: nil)
        switch outcome {
        case .reply(.parameters(let effect)): return effect
        case .failed(.backend(let failure)): throw .connectionParametersRefused(failure)
        default: throw PeripheralError(outcome, timeout: .disconnected)
        }
    }
}
