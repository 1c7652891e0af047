#if BlueZ && os(Linux)
import CDBus
#endif

/// Whether this process can speak to a message bus.
package enum DBusAvailability {
    /// True when the package was built for Linux with the `BlueZ` trait and libdbus was found when the process started.
    package static var isAvailable: Bool { reason == nil }

    /// Why it cannot, and what to install; nil when it can.
    package static var reason: String? {
        #if !os(Linux)
        return "D-Bus is used on Linux only"
        #elseif !BlueZ
        return "the package was built without its trait BlueZ"
        #else
        guard let missing = unsafe bluecap_dbus_missing() else { return nil }
        let name = unsafe String(cString: missing)
        return "\(name) was not found: install libdbus-1-3 (Debian, Ubuntu) or dbus-libs (Fedora)"
        #endif
    }
}
