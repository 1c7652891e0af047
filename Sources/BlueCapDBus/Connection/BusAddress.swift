// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapPlatform

/// Where a message bus listens.
package struct BusAddress: Hashable, Sendable {
    package let text: String

    /// An address of Unix or TCP sockets. Other transports, which would start programs, throw `.invalidArgument`.
    package init(_ text: String) throws(DBusError) {
        let entries = text.split(separator: ";")
        guard Names.isString(text), !entries.isEmpty,
            entries.allSatisfy({ $0.hasPrefix("unix:") || $0.hasPrefix("tcp:") })
        else { throw .invalidArgument("bus address \(text)") }
        self.text = text
    }

    /// The system bus: `DBUS_SYSTEM_BUS_ADDRESS`, or else its well-known socket.
    package static func system() throws(DBusError) -> BusAddress {
        if let variable = unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS"), unsafe variable.pointee != 0 {
            return try BusAddress(unsafe String(cString: variable))
        }
        return try BusAddress("unix:path=/run/dbus/system_bus_socket;unix:path=/var/run/dbus/system_bus_socket")
    }
}
#endif
