// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapPlatform

/// The confinement that separates this process from the system's message bus, beside the bus's own policy.
package enum Confinement: Sendable, Hashable {
    case none
    /// The sandbox of Flatpak, whose proxy hides names for which the application has no permission.
    case flatpak
    /// The sandbox of a snap of this name.
    case snap(String)
    /// A user namespace of its own, as in a rootless container: its user numbers are other users outside.
    case userNamespace

    /// The confinement of this process, as it was found first.
    package static let current = Confinement()

    private init() {
        if unsafe access("/.flatpak-info", F_OK) == 0 {
            self = .flatpak
        } else if let name = unsafe getenv("SNAP_NAME") {
            self = .snap(unsafe String(cString: name))
        } else {
            self = Self.isOwnNamespace(Self.head(of: "/proc/self/uid_map")) ? .userNamespace : .none
        }
    }

    /// Whether a map of user numbers is another one than that of the system itself, which is each number to itself.
    package static func isOwnNamespace(_ map: String) -> Bool {
        let numbers = map.split(whereSeparator: \.isWhitespace)
        return !numbers.isEmpty && numbers != ["0", "0", "4294967295"]
    }

    /// The first bytes of a file; empty for a file that cannot be read.
    private static func head(of path: String) -> String {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    /// Advice about a sandbox that keeps the process from BlueZ; nil outside of one.
    package var sandboxAdvice: String? {
        switch self {
        case .flatpak:
            "the Flatpak has no permission for BlueZ: flatpak override --user --system-talk-name=org.bluez APP, or "
                + "--system-talk-name=org.bluez among its finish-args"
        case .snap(let name): "the snap has no permission for BlueZ: sudo snap connect \(name):bluez"
        case .none, .userNamespace: nil
        }
    }

    /// Advice about a bus that does not accept the user's identity.
    var userAdvice: String {
        switch self {
        case .userNamespace:
            "the process has a user namespace of its own, and the bus compares user numbers: podman run "
                + "--userns=keep-id, docker run --userns=host"
        case .none, .flatpak, .snap:
            "the bus refuses this user; in a container without its own user namespace it has to be the bus's user"
        }
    }

    /// Advice about a bus that refuses a message, in whose words a policy may be named.
    func refusalAdvice(_ text: String) -> String {
        if text.contains("AppArmor") {
            let profile = Self.profile(in: text)
            if let profile, profile.hasPrefix("snap.") {
                let name = profile.split(separator: ".").dropFirst().first.map(String.init) ?? "NAME"
                return "the snap has no permission for BlueZ: sudo snap connect \(name):bluez"
            }
            let named = profile.map { "the AppArmor profile \($0)" } ?? "an AppArmor profile"
            return "\(named) refuses it, whichever user this is: start the container with --security-opt "
                + "apparmor=unconfined, or with a profile that allows D-Bus messages to org.bluez"
        }
        if text.contains("SELinux") {
            return "an SELinux policy refuses it, whichever user this is: start the container with --security-opt "
                + "label=disable, or allow its domain to send to that of bluetoothd"
        }
        return sandboxAdvice
            ?? "add the user to the group bluetooth, or allow it to send to org.bluez in the bus's policy"
    }

    /// The profile of the sender, whose label the bus names first: `label="docker-default (enforce)"`.
    private static func profile(in text: String) -> String? {
        guard let label = text.firstRange(of: "label=\"") else { return nil }
        let profile = text[label.upperBound...].prefix { $0 != " " && $0 != "\"" }
        return profile.isEmpty ? nil : String(profile)
    }
}
#endif
