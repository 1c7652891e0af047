// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// An error of `org.bluez` with its text, as the daemon sends it.
struct FakeFailure {
    let name: String
    let text: String

    init(_ name: String, _ text: String) {
        self.name = "org.bluez.Error." + name
        self.text = text
    }

    private init(name: String, text: String) { (self.name, self.text) = (name, text) }

    /// The bus library's error for an object that does not exist.
    static let gone = FakeFailure(name: "org.freedesktop.DBus.Error.UnknownObject", text: "gone")

    static let inProgress = FakeFailure("InProgress", "In Progress")
    static let busy = FakeFailure("InProgress", "Operation already in progress")
    static let notReady = FakeFailure("NotReady", "Resource Not Ready")
    static let notConnected = FakeFailure("Failed", "Not connected")
    static let notSupported = FakeFailure("NotSupported", "Operation is not supported")
    static let notPermitted = FakeFailure("NotPermitted", "Operation not permitted")
    static let linkLost = FakeFailure("Failed", "Operation failed with ATT error: 0x0e")

    /// The D-Bus error that the daemon derives from an ATT error (`att-errors.trace`).
    init(_ error: ATTError) {
        switch error {
        case .readNotPermitted: self.init("NotPermitted", "Read not permitted")
        case .writeNotPermitted: self.init("NotPermitted", "Write not permitted")
        case .insufficientAuthentication, .insufficientEncryption, .insufficientEncryptionKeySize:
            self.init("NotPermitted", "Not paired")
        case .requestNotSupported: self = .notSupported
        case .invalidOffset: self.init("InvalidArguments", "Invalid offset")
        case .insufficientAuthorization: self.init("NotAuthorized", "Operation Not Authorized")
        case .invalidAttributeValueLength: self.init("InvalidArguments", "Invalid Length")
        default:
            let hex = String(error.rawValue, radix: 16)
            self.init("Failed", "Operation failed with ATT error: 0x\(hex.count < 2 ? "0" : "")\(hex)")
        }
    }
}

extension MethodCall {
    func fail(_ failure: FakeFailure) { fail(failure.name, failure.text) }
}
#endif
