// SPDX-License-Identifier: MIT

/// The facts of a machine on which Bluetooth depends.
struct MachineFacts: Sendable, Hashable {
    /// A switch of the kernel's that keeps a radio off (rfkill).
    struct RadioSwitch: Sendable, Hashable {
        var name: String
        /// Blocked by software.
        var isSoft: Bool
        /// Blocked by a switch or key of the machine.
        var isHard: Bool
    }

    /// A sandbox that isolates a program from the machine, with permissions of its own.
    enum Sandbox: Sendable, Hashable, CustomStringConvertible {
        /// The identifier of the application.
        case flatpak(String)
        case snap(String)

        var description: String {
            switch self {
            case .flatpak(let name): "the sandbox of the Flatpak '\(name)'"
            case .snap(let name): "the confinement of the snap '\(name)'"
            }
        }

        /// The line that lets it use bluetoothd.
        var remedy: String {
            switch self {
            case .flatpak(let name): "flatpak override --user --system-talk-name=org.bluez \(name)"
            case .snap(let name): "sudo snap connect \(name):bluez"
            }
        }
    }

    /// The result of connecting to the message bus.
    enum Bus: Sendable, Hashable {
        case connected
        /// The address names no socket in the file system, so nothing was tried.
        case unknown
        case absent
        case refused
        case forbidden
        case failed(errno: Int32)
    }

    /// Whether this program was built with the BlueZ backend.
    var hasBlueZ = true
    /// The file of libdbus that is loaded, as `libdbus-1.so.3.32.4`; nil where it is not known.
    var dbusLibrary: String?
    /// The socket of the system's message bus.
    var busPath = "/run/dbus/system_bus_socket"
    var bus = Bus.connected
    /// Where the program `bluetoothd` is; nil where it is not installed.
    var daemonPath: String?
    /// The version of the installed `bluetoothd`, as it says itself.
    var daemonVersion: String?
    /// The kernel's adapters, as `hci0`.
    var adapters: [String] = []
    var switches: [RadioSwitch] = []
    /// The kind of container that this process is in; nil outside of one.
    var container: String?
    /// Whether user numbers in here are other users outside, which the bus compares.
    var hasUserNamespace = false
    /// The sandbox that this process is in; nil outside of one.
    var sandbox: Sandbox?
    /// The AppArmor profile of this process, as `docker-default (enforce)`; nil where there is no AppArmor.
    var confinement: String?
    /// The bus's words where it lets this process scan and not connect; nil where it lets it, or was not asked.
    var connectRefusal: String?
    /// The bearers in bluetoothd's configuration (`ControllerMode` of its main.conf); nil where it has no such line.
    var controllerMode: String?
    /// The names of devices in the air that bluetoothd would page over BR/EDR first.
    var pagedDevices: [String] = []
}
