#if BlueZ && canImport(CDBus) && os(Linux)
import CDBus
#endif

/// Whether this build can speak to a message bus.
package enum DBusAvailability {
    /// True when the package was built for Linux with the `BlueZ` trait and libdbus's header.
    package static var isAvailable: Bool {
        #if BlueZ && canImport(CDBus) && os(Linux)
        bluecap_has_dbus() != 0
        #else
        false
        #endif
    }

    /// Why it cannot, and what to install; nil when it can.
    package static var reason: String? {
        if isAvailable { return nil }
        #if !os(Linux)
        return "D-Bus is used on Linux only"
        #elseif !BlueZ
        return "the package was built without its trait BlueZ"
        #else
        return
            "the package was built without libdbus: install libdbus-1-dev (Debian, Ubuntu) or dbus-devel (Fedora) "
            + "and build again"
        #endif
    }
}
