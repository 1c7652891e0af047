// SPDX-License-Identifier: MIT

#if Crypto
import BlueCapCore
import BlueCapSerDe

extension PeerIdentifier {
    /// The six bytes of the address in the order of their text; nil for another identifier.
    var address: Bytes? { isAddress ? try? Bytes(hex: text) : nil }
}
#endif
