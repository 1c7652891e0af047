// SPDX-License-Identifier: MIT

/// The address of a device of Bluetooth Low Energy, as the kernel's commands and sockets have it.
package struct KernelAddress: Sendable, Equatable {
    /// The number of octets, with that of the type.
    static let octetCount = 7

    private static let random: UInt8 = 2

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
        bytes = octets.reversed() + [isRandom ? Self.random : 1]
    }

    /// The address with these octets and its type; nil for a type that is not one of Low Energy, or another count.
    init?(octets: [UInt8]) {
        guard octets.count == Self.octetCount, let type = octets.last, 1...Self.random ~= type else { return nil }
        bytes = octets
    }

    /// Six octets in hexadecimal digits, the highest first, with colons between them.
    package var text: String {
        bytes.dropLast().reversed().map { octet in
            let digits = String(octet, radix: 16, uppercase: true)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }.joined(separator: ":")
    }

    func withOctets<Result>(_ body: (UnsafePointer<UInt8>?) -> Result) -> Result {
        unsafe bytes.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }
}
