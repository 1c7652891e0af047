// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
public import BlueCapCore

// Pairing with centrals: the same agent as in the central role.
extension BlueZPeripheralBackend {
    /// Registers this process's agent with the given capability, or, for nil, unregisters it. All managers of the
    /// session share one agent.
    public func setPairingCapability(_ capability: PairingCapability?) {
        guard let session else { return }
        guard let capability else { return session.pairing.remove(number) }
        let handler = callback { (backend: isolated BlueZPeripheralBackend, event: PairingAgent.Event) in
            switch event {
            case .asked(let prompt): backend.emit(.pairingRequested(prompt))
            case .ended(let id): backend.emit(.pairingRequestEnded(id))
            case .unavailable(let failure): backend.emit(.pairingUnavailable(failure))
            }
        }
        session.pairing.set(
            capability, for: number, serves: { [weak self] device in self?.onExecutor { $0.serves(device) } ?? false },
            handler: handler)
    }

    /// Whether a device is one of this backend's adapter.
    func serves(_ device: String) -> Bool {
        guard let adapter = watch.path else { return false }
        return BlueZPath.device(of: device, adapter: adapter) == device
    }

    /// Answers a question of the daemon. An answer to a question that is over has no effect.
    ///
    /// - Parameters:
    ///   - prompt: The identifier of the question.
    ///   - answer: The answer of the app.
    public func answerPairing(_ prompt: PairingPromptID, _ answer: PairingAnswer) {
        session?.pairing.answer(prompt, answer)
    }
}
#endif
