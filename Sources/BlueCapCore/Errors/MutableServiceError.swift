/// What goes wrong with a service that this program offers.
public enum MutableServiceError: BlueCapError, Hashable {
    /// The service is not added to a manager.
    case unconfigured
    /// The caller's task was cancelled.
    case cancelled
    /// The link was lost.
    case disconnected
    /// The radio is off, or went off.
    case poweredOff
    /// The manager is gone or was invalidated.
    case invalidated
    /// The central answered with an ATT error.
    case att(ATTError)
    /// The platform failed, in its own words.
    case backend(BackendFailure)

    /// The kind of reason, the same over all layers.
    public var reason: ErrorReason {
        switch self {
        case .unconfigured: .misuse
        case .cancelled: .cancelled
        case .disconnected: .disconnected
        case .poweredOff: .poweredOff
        case .invalidated: .invalidated
        case .att(let error): .att(error)
        case .backend(let failure): .backend(failure)
        }
    }

    /// What went wrong and what to do about it, in a sentence.
    public var description: String {
        switch self {
        case .unconfigured: "the service is not added to a peripheral manager: add it first"
        case .cancelled: "the task was cancelled"
        case .disconnected: "the central is disconnected"
        case .poweredOff: "Bluetooth is off: switch it on"
        case .invalidated: "the manager is gone: keep a reference to it, or create a new one"
        case .att(let error): "the central answered: \(error)"
        case .backend(let failure): failure.description
        }
    }
}
