// SPDX-License-Identifier: MIT

/// The address of a device of Bluetooth Low Energy, as the kernel's commands have it.
package struct KernelAddress: Sendable, Equatable {
    /// The octets, the lowest first, and the type.
    let bytes: [UInt8]

    /// - Parameters:
    ///   - text: Six octets in hexadecimal digits, the highest first, with colons between them; nil for another text.
    ///   - isRandom: Whether the address is random, rather than public.
    package init?(_ text: String, isRandom: Bool) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let octets = parts.compactMap { part in
            part.count == 2 && part.first != UInt8(ascii: "+") ? UInt8(Substring(part), radix: 16) : nil
        }
        guard octets.count == 6, parts.count == 6 else { return nil }
        bytes = octets.reversed() + [isRandom ? 2 : 1]
    }
}
