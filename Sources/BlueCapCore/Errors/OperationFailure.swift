// SPDX-License-Identifier: MIT

/// The reason why a backend did not complete an operation.
///
/// Core turns it into the error of the caller's layer.
///
/// A minor version may add cases: a `switch` outside the package needs a `default`.
public enum OperationFailure: Error, Sendable, Hashable {
    /// The peer answered with an ATT error.
    case att(ATTError)
    /// The link was lost, or did not exist.
    ///
    /// A central manager that receives this failure for an established connection ends the connection as lost.
    case disconnected
    /// The radio was switched off.
    case poweredOff
    /// The peer or the platform does not support the operation.
    case unsupported
    /// The signal strength is not available (see ``PeripheralError/rssiUnavailable``).
    case rssiUnavailable
    /// The value is longer than the link can take at once; `maximum` is the number of bytes that it takes.
    case valueTooLong(count: Int, maximum: Int)
    /// The platform does not support this option of an advertisement.
    case advertisingOption(AdvertisingOption)
    /// The two devices did not pair.
    case pairing(PairingFailure)
    /// Any other failure, with the platform's name and text.
    case backend(BackendFailure)
}
