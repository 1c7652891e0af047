// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapDBus
import BlueCapPrivateBus
import BlueCapRuntime

extension StubBlueZ {
    /// The names of the properties that programs change on their objects from now on, a text for each signal.
    func changes() async throws -> Mailbox<String, Never> {
        let rule = try MatchRule(
            interface: StandardInterface.properties, member: "PropertiesChanged", pathNamespace: "/org/bluecap")
        let box = Mailbox<String, Never>(capacity: .unbounded)
        await run { stub in
            stub.link?.onSignal(.namespace("/org/bluecap"), interface: StandardInterface.properties) { signal in
                guard let body = try? signal.body(expecting: "sa{sv}as") else { return }
                let changed = (body[1].propertiesValue ?? [:]).keys.sorted()
                let gone = (body[2].stringsValue ?? []).sorted()
                _ = box.push((changed + (gone.isEmpty ? [] : ["no"]) + gone).joined(separator: " "))
            }
            _ = stub.link?.addMatch(rule) { _ in _ = box.push("") }
        }
        // The bus has the rule.
        _ = await box.next()
        return box
    }
}
#endif
