// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// BlueZ's error names (`src/error.c` and `src/gatt-client.c`).
package enum BlueZError {
    package static let failed = "org.bluez.Error.Failed"
    package static let inProgress = "org.bluez.Error.InProgress"
    package static let notReady = "org.bluez.Error.NotReady"
    package static let notConnected = "org.bluez.Error.NotConnected"
    package static let notPermitted = "org.bluez.Error.NotPermitted"
    package static let notSupported = "org.bluez.Error.NotSupported"
    package static let notAuthorized = "org.bluez.Error.NotAuthorized"
    package static let invalidArguments = "org.bluez.Error.InvalidArguments"
    package static let invalidOffset = "org.bluez.Error.InvalidOffset"
    package static let invalidValueLength = "org.bluez.Error.InvalidValueLength"
    package static let doesNotExist = "org.bluez.Error.DoesNotExist"
    package static let alreadyExists = "org.bluez.Error.AlreadyExists"
    package static let invalidLength = "org.bluez.Error.InvalidLength"
    /// A name that BlueZ does not know, which it turns into 0x0E.
    package static let notSupportedByBlueZ = "org.bluecap.Error.Unlikely"
    package static let rejected = "org.bluez.Error.Rejected"
    package static let canceled = "org.bluez.Error.Canceled"
    package static let authenticationCanceled = "org.bluez.Error.AuthenticationCanceled"
    package static let authenticationFailed = "org.bluez.Error.AuthenticationFailed"
    package static let authenticationRejected = "org.bluez.Error.AuthenticationRejected"
    package static let authenticationTimeout = "org.bluez.Error.AuthenticationTimeout"
    package static let alreadyConnected = "org.bluez.Error.AlreadyConnected"
}
#endif
