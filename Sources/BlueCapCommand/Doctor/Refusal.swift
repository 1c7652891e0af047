// SPDX-License-Identifier: MIT

/// A refusal of a process on the message bus: the policy behind it, and the rule that permits the access.
struct Refusal: Sendable, Hashable {
    enum Policy: Sendable, Hashable {
        /// The profile of AppArmor that confines this process, as far as it is known.
        case appArmor(profile: String?)
        case seLinux
        /// The bus's own, by users and groups.
        case bus
    }

    /// The bus's words, without the details of the message.
    let message: String
    let policy: Policy

    /// - Parameters:
    ///   - text: The bus's words: those of dbus-daemon name the policy, and the labels of both sides.
    ///   - confinement: The profile of AppArmor that the kernel has for this process.
    init(_ text: String, confinement: String? = nil) {
        message = text.split(separator: "; type=").first.map(String.init) ?? text
        if text.contains("AppArmor") {
            // The first label is the sender's: label="docker-default (enforce)".
            let label = text.firstMatch(of: /label="([^"]*)"/).map { String($0.output.1) }
            policy = .appArmor(profile: Self.profile(label) ?? Self.profile(confinement))
        } else {
            policy = text.contains("SELinux") ? .seLinux : .bus
        }
    }

    /// The profile in a label, without its mode; nil for a process that is not confined.
    private static func profile(_ label: String?) -> String? {
        guard let name = label?.prefix(while: { $0 != " " }), !name.isEmpty, name != "unconfined" else { return nil }
        return String(name)
    }

    /// Explains the refusal to people: the action, the policy that refuses it, and the line that permits it.
    ///
    /// - Parameters:
    ///   - action: The refused action, as `"use Bluetooth"`.
    ///   - facts: The machine.
    func explanation(of action: String, on facts: MachineFacts) -> (finding: String, remedy: String) {
        if let sandbox = facts.sandbox {
            return ("\(sandbox) does not let this program \(action) (\(message))", sandbox.remedy)
        }
        let run = facts.container == "podman" ? "podman run" : "docker run"
        switch policy {
        case .appArmor(let profile?) where profile.hasPrefix("snap."):
            let snap = String(profile.split(separator: ".")[1])
            return explanation(of: action, on: facts, in: .snap(snap))
        case .appArmor(let profile):
            let name = profile.map { "the AppArmor profile '\($0)'" } ?? "an AppArmor profile"
            let rule = "dbus bus=system peer=(name=org.bluez),"
            if facts.container != nil {
                return (
                    "\(name) does not let this container \(action) (\(message)): run it without one, or with a profile "
                        + "of its own that has '\(rule)' (--security-opt apparmor=NAME)",
                    "\(run) --security-opt apparmor=unconfined …"
                )
            }
            return (
                "\(name) does not let this program \(action) (\(message)): add '\(rule)' to it",
                "sudo systemctl reload apparmor"
            )
        case .seLinux:
            let remedy =
                facts.container == nil
                ? "sudo ausearch -m USER_AVC -ts recent | audit2allow -M bluecap"
                : "\(run) --security-opt label=disable …"
            return ("the SELinux policy does not let this program \(action) (\(message))", remedy)
        case .bus where facts.hasUserNamespace:
            return (
                "the bus does not let this process \(action): user numbers in its namespace are other users outside "
                    + "(\(message))",
                facts.container == nil
                    ? "run the program outside of the user namespace (unshare, bwrap)" : "\(run) --userns=host …"
            )
        case .bus:
            return (
                "the bus does not let this user \(action) (\(message)); log in again after",
                "sudo usermod -aG bluetooth \"$USER\""
            )
        }
    }

    private func explanation(
        of action: String, on facts: MachineFacts, in sandbox: MachineFacts.Sandbox
    ) -> (finding: String, remedy: String) {
        var facts = facts
        facts.sandbox = sandbox
        return explanation(of: action, on: facts)
    }
}
