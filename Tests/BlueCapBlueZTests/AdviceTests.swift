// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import Testing

/// The advice to the user for an error whose cause is neither the app's nor the peripheral's.
struct AdviceTests {
    private func advice(_ error: DBusError, _ confinement: Confinement = .none) -> String {
        BlueZFailure.failure(error, in: confinement).advice ?? ""
    }

    @Test(arguments: [
        "profile-unavailable", "page-timeout", "unknown", "refused", "abort-by-local", "busy", "create-socket",
    ])
    func `a failure over BR/EDR names its cause and the setting against it`(reason: String) {
        let text = advice(.remote(name: BlueZError.failed, message: "br-connection-\(reason)"))
        #expect(text.contains("BR/EDR") && text.contains("ControllerMode = le"))
    }

    @Test(arguments: ["br-connection-canceled", "le-connection-abort-by-local"])
    func `a failure that may be one over LE is not put down to BR/EDR`(text: String) {
        #expect(advice(.remote(name: BlueZError.failed, message: text)) == "")
    }

    private static let denied = "An AppArmor policy prevents this sender from sending this message to this recipient"

    @Test(arguments: [
        (
            #"\#(denied); type="method_call", sender=":1.4" (label="docker-default (enforce)") member="Connect""#,
            "docker-default"
        ),
        (denied, "AppArmor"),
    ])
    func `a refusal by AppArmor names the policy and not the group, which cannot help`(text: String, name: String) {
        let text = advice(.remote(name: ErrorName.accessDenied, message: text))
        #expect(text.contains(name) && text.contains("apparmor=unconfined") && !text.contains("group"))
    }

    @Test func `a refusal of a snap by AppArmor names the interface to connect`() {
        let text = #"\#(Self.denied); (label="snap.lamps.daemon (enforce)")"#
        #expect(advice(.remote(name: ErrorName.accessDenied, message: text)).contains("snap connect lamps:bluez"))
    }

    @Test func `a refusal by SELinux names the policy`() {
        let text = "An SELinux policy prevents this sender from sending this message to this recipient"
        #expect(advice(.remote(name: ErrorName.accessDenied, message: text)).contains("label=disable"))
    }

    @Test func `a refusal by the bus's own policy names the group`() {
        let text = "Rejected send message, 1 matched rules"
        #expect(advice(.remote(name: ErrorName.accessDenied, message: text)).contains("group bluetooth"))
    }

    @Test(arguments: [
        (Confinement.flatpak, "--system-talk-name=org.bluez"), (.snap("lamps"), "snap connect lamps:bluez"),
    ])
    func `in a sandbox the permission is named, whether the bus refuses or is not there`(
        confinement: Confinement, permission: String
    ) {
        #expect(advice(.remote(name: ErrorName.accessDenied, message: "no"), confinement).contains(permission))
        let missing = DBusError.openFailed(name: "org.freedesktop.DBus.Error.FileNotFound", message: "no socket")
        #expect(advice(missing, confinement).contains(permission))
    }

    @Test func `a bus that refuses a user of another namespace is told apart from one that refuses a user`() {
        let refused = DBusError.openFailed(name: "org.freedesktop.DBus.Error.AuthFailed", message: "REJECTED")
        #expect(advice(refused, .userNamespace).contains("--userns"))
        #expect(!advice(refused).contains("--userns"))
    }

    @Test(arguments: [
        ("         0          0 4294967295\n", false), ("0 1000 1\n1 100000 65536\n", true), ("0 100000 65536", true),
        ("", false),
    ])
    func `a user namespace of its own is known by its map of numbers`(map: String, isOwn: Bool) {
        #expect(Confinement.isOwnNamespace(map) == isOwn)
    }
}
#endif
