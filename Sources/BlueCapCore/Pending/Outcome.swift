/// What became of a request, seen from its caller.
enum Outcome: Sendable {
    /// The backend answered.
    case reply(BackendReply)
    /// The backend, the link or the radio failed.
    case failed(OperationFailure)
    /// The caller's timeout passed.
    case timedOut
    /// The caller's task was cancelled.
    case cancelled
    /// The manager was invalidated.
    case invalidated
}

extension PeripheralError {
    init(_ outcome: Outcome, timeout: PeripheralError) {
        switch outcome {
        case .failed(let failure): self.init(failure)
        case .timedOut: self = timeout
        case .cancelled: self = .cancelled
        case .invalidated: self = .invalidated
        case .reply(let reply): self = .backend(.unexpected(reply))
        }
    }
}

extension ServiceError {
    init(_ outcome: Outcome, timeout: ServiceError) {
        switch outcome {
        case .failed(let failure): self.init(failure)
        case .timedOut: self = timeout
        case .cancelled: self = .cancelled
        case .invalidated: self = .invalidated
        case .reply(let reply): self = .backend(.unexpected(reply))
        }
    }
}

extension CharacteristicError {
    init(_ outcome: Outcome, timeout: CharacteristicError) {
        switch outcome {
        case .failed(let failure): self.init(failure)
        case .timedOut: self = timeout
        case .cancelled: self = .cancelled
        case .invalidated: self = .invalidated
        case .reply(let reply): self = .backend(.unexpected(reply))
        }
    }
}

extension CentralManagerError {
    init(_ outcome: Outcome) {
        switch outcome {
        case .failed(.att(let error)): self = .att(error)
        case .failed(.disconnected): self = .disconnected
        case .failed(.poweredOff): self = .poweredOff
        case .failed(.notSupported), .failed(.rssiUnavailable): self = .unsupported
        case .failed(.backend(let failure)): self = .backend(failure)
        case .timedOut, .cancelled: self = .cancelled
        case .invalidated: self = .invalidated
        case .reply(let reply): self = .backend(.unexpected(reply))
        }
    }
}

extension PeripheralManagerError {
    init(_ outcome: Outcome) {
        switch outcome {
        case .failed(let failure): self.init(failure)
        case .timedOut, .cancelled: self = .cancelled
        case .invalidated: self = .invalidated
        case .reply(let reply): self = .backend(.unexpected(reply))
        }
    }
}

extension BackendFailure {
    /// A backend's reply that does not fit its request.
    static func unexpected(_ reply: BackendReply) -> BackendFailure {
        BackendFailure(name: "BlueCap.UnexpectedReply", message: "the backend answered \(reply)")
    }
}
