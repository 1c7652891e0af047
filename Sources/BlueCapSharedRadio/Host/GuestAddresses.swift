// SPDX-License-Identifier: MIT

import BlueCapRuntime

/// The addresses of guests that ask for none: each time the first that no other has, so that a program that comes again
/// by itself finds its bonds.
package final class GuestAddresses: Sendable {
    private let taken = Locked<Set<String>>([])

    package init() {}

    func choose(for role: GuestRole) -> String {
        taken.withLock { taken in
            // A radio has fewer guests than there are addresses.
            let first = role == .central ? 0x40 : 0x80
            let octet = (first..<first + 0x3F).first { !taken.contains(Self.address($0)) } ?? first + 0x3F
            taken.insert(Self.address(octet))
            return Self.address(octet)
        }
    }

    private static func address(_ octet: Int) -> String {
        "00:00:5E:00:53:" + String(octet, radix: 16, uppercase: true)
    }

    func free(_ address: String) { taken.withLock { _ = $0.remove(address) } }
}
