// SPDX-License-Identifier: MIT

/// Why a backend could not do what it was asked; Core turns it into the error of the caller's layer.
///
/// A minor version may add cases: a `switch` outside of the package needs a `default`.
public enum OperationFailure: Error, Sendable, Hashable {
    /// The peer answered with an ATT error.
    case att(ATTError)
    /// The link was lost, or there was none. A central manager that gets it over a connection that stands ends that
    /// connection, as lost.
    case disconnected
    /// The radio was switched off.
    case poweredOff
    /// The peer, or the platform, does not offer this at all.
    case unsupported
    /// A reading of signal strength is not to be had (see ``PeripheralError/rssiUnavailable``).
    case rssiUnavailable
    /// The platform cannot do this of an advertisement.
    case advertisingOption(AdvertisingOption)
    /// The two devices did not pair.
    case pairing(PairingFailure)
    /// Anything else, in the platform's words.
    case backend(BackendFailure)
}
