// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapLoop

package enum DBusError: Error, Sendable, Equatable {
    /// The other side answered with an error. `name` is the D-Bus error name, such as `org.bluez.Error.Failed`.
    case remote(name: String, message: String)
    /// The connection to the bus is closed or was lost.
    case disconnected
    /// The deadline passed before the reply came. The call may still take effect.
    case timedOut
    /// The caller cancelled. The call may still take effect.
    case cancelled
    /// A name, path, signature or value that D-Bus forbids was about to be sent.
    case invalidArgument(String)
    /// Received bytes that are not a well-formed D-Bus message or body, or that pass this module's limits.
    case malformed(String)
    /// A well-formed body of another shape than asked for.
    case unexpectedSignature(expected: String, found: String)
    /// The connection could not be made; `name` is a D-Bus error name.
    case openFailed(name: String, message: String)
    /// A system call failed with `errno`.
    case system(call: String, errno: Int32)
    /// libdbus could not get memory.
    case outOfMemory

    /// The error of a failed call of the loop.
    package init(_ error: LoopError) { self = .system(call: error.call, errno: error.errno) }

    /// Calls a function of the loop, whose failure is a `.system` here.
    package static func translating<Value: ~Copyable>(
        _ body: () throws(LoopError) -> Value
    ) throws(DBusError) -> Value {
        do throws(LoopError) { return try body() } catch { throw DBusError(error) }
    }

    /// The D-Bus error name of an error reply, nil for errors that arose on this side.
    package var remoteName: String? { if case .remote(let name, _) = self { name } else { nil } }
}

/// The error names that the bus daemon and this module use.
package enum ErrorName {
    package static let failed = "org.freedesktop.DBus.Error.Failed"
    package static let noReply = "org.freedesktop.DBus.Error.NoReply"
    package static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
    package static let unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
    package static let unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
    package static let unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
    package static let propertyReadOnly = "org.freedesktop.DBus.Error.PropertyReadOnly"
    package static let invalidArgs = "org.freedesktop.DBus.Error.InvalidArgs"
    package static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
    package static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
    package static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
    package static let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"
}
#endif
