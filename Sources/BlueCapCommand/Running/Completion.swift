// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

/// The completions that a shell offers for arguments.
enum Completion {
    /// The names of the devices that bluetoothd knows, which are those that it received lately and those that it is
    /// paired with; see ``isSafe(_:)``.
    static let devices = CompletionKind.custom { (_: [String], _: Int, prefix: String) async in
        #if os(Linux) && BlueZ
        // A shell waits for the answer at each key.
        let known = (try? await BlueZListener().knownPeers(within: .milliseconds(500))) ?? []
        return matches(prefix, known.compactMap(\.name).filter(isSafe))
        #else
        return []
        #endif
    }

    /// The names and UUIDs of the characteristics that the library knows.
    static let characteristics = CompletionKind.custom { (_: [String], _: Int, prefix: String) in
        matches(
            prefix,
            KnownProfiles.manager.services.flatMap(\.characteristics).flatMap { [$0.name, $0.uuid.description] })
    }

    /// The names and UUIDs of the services that the library knows.
    static let services = CompletionKind.custom { (_: [String], _: Int, prefix: String) in
        matches(prefix, KnownProfiles.manager.services.flatMap { [$0.name, $0.uuid.description] })
    }

    static let adapters = CompletionKind.custom { (_: [String], _: Int, prefix: String) in
        matches(prefix, MachineFacts.adapterNames())
    }

    /// Whether a name that came off the radio can be given to a shell.
    ///
    /// The shells' scripts expand the offered words, each by rules of its own: a name like `$(reboot)` would be run. So
    /// a name has letters, digits, blanks, `-`, `_` and `.` only. Addresses are not offered, as shells take their
    /// colons for something else.
    static func isSafe(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix("-")
            && name.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", " ", "-", "_", ".": true
                default: false
                }
            }
    }

    /// The texts that begin with `prefix`, without regard to case, unique and sorted. Texts with characters that a
    /// terminal would obey are left out.
    static func matches(_ prefix: String, _ texts: [String]) -> [String] {
        Set(texts).filter {
            $0.lowercased().hasPrefix(prefix.lowercased()) && TextLayout.printable($0) == $0
        }.sorted()
    }
}
