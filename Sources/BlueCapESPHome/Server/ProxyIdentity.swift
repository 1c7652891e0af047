// SPDX-License-Identifier: MIT

package import BlueCapCore

/// Who a proxy is, for its clients: they know it again by its addresses, which stay over restarts.
package struct ProxyIdentity: Hashable, Sendable {
    /// The version of the firmware whose behaviour a proxy follows.
    static let firmware = "2026.10.0"
    /// With a dot, as clients split it there.
    static let project = "bluecap.proxy"

    /// The name of the node: letters, digits and hyphens.
    package let name: String
    /// For people.
    package let friendlyName: String
    /// The address of the node, by which Home Assistant knows it again.
    package let address: PeerIdentifier
    /// That of its adapter, by which Home Assistant knows the scanner again: another one for each proxy of a machine.
    package let bluetoothAddress: PeerIdentifier
    /// The version of this program.
    package let version: String

    /// - Parameters:
    ///   - name: Any text: characters that a name cannot have become hyphens, and it is cut to 31 bytes.
    ///   - address: The address of the node.
    ///   - bluetoothAddress: The address of the adapter.
    ///   - version: The version of this program.
    package init(name: String, address: PeerIdentifier, bluetoothAddress: PeerIdentifier, version: String) {
        self.name = Self.nodeName(name)
        friendlyName = String(name.prefix(64))
        (self.address, self.bluetoothAddress, self.version) = (address, bluetoothAddress, version)
    }

    /// A name for the network, which is never empty.
    private static func nodeName(_ text: String) -> String {
        let isKept = { (byte: UInt8) in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (0x30...0x39).contains(byte)
        }
        let bytes = text.lowercased().utf8.prefix(31).map { isKept($0) ? $0 : UInt8(ascii: "-") }
        let name = String(decoding: bytes, as: UTF8.self)
        return bytes.contains(where: isKept) ? name : "bluecap"
    }

    /// An address of a text that stays, as the identifier of a machine: a local one, which no manufacturer has given.
    package static func localAddress(of text: String) -> PeerIdentifier {
        PeerIdentifier(address: 0x02 << 40 | DeviceAddress.hash(text) & 0xFF_FFFF_FFFF)
    }

    /// Twelve hexadecimal digits of lower case.
    package var addressDigits: String { address.text.lowercased().filter { $0 != ":" } }
}
