// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

/// A service as it is named on the command line: `180D`, a UUID of 36 characters, or `"Heart Rate"`.
struct ServiceArgument: ExpressibleByArgument, Sendable {
    let text: String

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }

    /// The UUID of the service: the written UUID, else that of the service with the name, in capitals or not, or of the
    /// only service with that part of a name.
    ///
    /// It is asked for when the command runs, as the names of `--profiles` are known only then.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` and the accepted names.
    func uuid() throws(CommandFailure) -> BluetoothUUID {
        if let uuid = try? BluetoothUUID(text: text) { return uuid }
        let (known, wanted) = (Self.known, CharacteristicSelector.fold(text))
        let whole = known.filter { CharacteristicSelector.fold($0.name) == wanted }
        let parts =
            wanted.count < 3 ? [] : known.filter { CharacteristicSelector.fold($0.name).contains(wanted) }
        let found = whole.isEmpty ? parts : whole
        if let only = found.first, found.count == 1 { return only.uuid }
        let shown = TextLayout.printable(text)
        if found.isEmpty {
            let advice = Suggestion.question(
                text, among: known.map(\.name),
                advice: "'bluecap profiles' lists names, and a UUID has 4, 8 or 36 characters")
            throw CommandFailure(.usage, "'\(shown)' is neither the UUID nor the name of a service: \(advice)")
        }
        let list = found.prefix(24).map { "\n  \($0.uuid)  \($0.name)" }.joined()
        throw CommandFailure(.usage, "'\(shown)' is each of these services, so choose by UUID:\(list)")
    }

    /// The services that have names, each once; those of profiles first.
    private static var known: [(uuid: BluetoothUUID, name: String)] {
        var seen: Set<BluetoothUUID> = []
        let profiles = KnownProfiles.manager.services.map { ($0.uuid, $0.name) }
        let assigned = AssignedNumbers.services.map { (BluetoothUUID($0.0), $0.1) }
        return (profiles + assigned).filter { seen.insert($0.0).inserted }
    }
}
