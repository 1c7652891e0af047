// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapCore

/// Reads BlueZ's object paths: `/org/bluez/hci0/dev_C0_DE_00_00_01_01/service0010/char0011/desc0013`.
///
/// The hexadecimal numbers are attribute handles: of the declaration for services and characteristics, of the attribute
/// itself for descriptors.
package enum BlueZPath {
    /// Under which everything of BlueZ stands.
    package static let root = "/org/bluez"

    // Bytes throughout: a path is ASCII, and Swift's characters cost a look at each one's neighbours.
    private static let slash = UInt8(ascii: "/")

    /// The number of an adapter: 12 for `/org/bluez/hci12` and everything below it.
    package static func adapterIndex(of path: String) -> Int? {
        let prefix = "/org/bluez/hci".utf8
        guard path.utf8.starts(with: prefix) else { return nil }
        let digits = path.utf8.dropFirst(prefix.count).prefix { $0 != slash }
        // Numbers of Swift may begin with a sign, which is before the digits in ASCII.
        return digits.first.map { $0 >= UInt8(ascii: "0") } == true ? Int(Substring(digits)) : nil
    }

    /// The number of an adapter at the kernel; one that no adapter has for another path.
    static func controller(of adapter: String) -> UInt16 {
        adapterIndex(of: adapter).flatMap { UInt16(exactly: $0) } ?? .max
    }

    /// The last element of a path.
    package static func name(of path: String) -> Substring {
        path.utf8.lastIndex(of: slash).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    }

    /// The path of the object above; nil for `/`.
    package static func parent(of path: String) -> String? {
        guard path.utf8.count > 1, let last = path.utf8.lastIndex(of: slash) else { return nil }
        return last == path.startIndex ? "/" : String(path[..<last])
    }

    /// The device that an object belongs to, or is, given the path of its adapter.
    package static func device(of path: String, adapter: String) -> String? {
        guard path.utf8.starts(with: adapter.utf8) else { return nil }
        let rest = path.utf8.dropFirst(adapter.utf8.count)
        guard rest.starts(with: "/dev_".utf8) else { return nil }
        guard let end = rest.dropFirst().firstIndex(of: slash) else { return path }
        return String(path[..<end])
    }

    /// The address in a device's path (`…/dev_C0_DE_00_00_01_01`); nil for any other path.
    package static func address(of device: String) -> PeerIdentifier? {
        let name = name(of: device).utf8
        guard name.starts(with: "dev_".utf8), name.count == 21 else { return nil }
        let underscore = UInt8(ascii: "_")
        return PeerIdentifier(
            String(decoding: name.dropFirst(4).map { $0 == underscore ? UInt8(ascii: ":") : $0 }, as: UTF8.self))
    }

    /// Whether the UTF-8 bytes of a device's path end in those of an address, of which `_` stands for each colon.
    static func isDevice(_ path: Span<UInt8>, at address: Span<UInt8>) -> Bool {
        guard address.count == 17, path.count > 17 else { return false }
        let start = path.count - 17
        for index in address.indices {
            let byte = address[index]
            guard path[start + index] == (byte == UInt8(ascii: ":") ? UInt8(ascii: "_") : byte) else { return false }
        }
        return true
    }

    /// The path of the device that has had an address since BlueZ met it; nil for an identifier that is no address.
    static func device(_ identifier: PeerIdentifier, adapter: String) -> String? {
        let colon = UInt8(ascii: ":")
        let address = identifier.text.utf8
        guard address.count == 17, address.contains(colon) else { return nil }
        return adapter + "/dev_" + String(decoding: address.map { $0 == colon ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
    }

    /// The attribute that a service, characteristic or descriptor object stands for.
    package static func attribute(of path: String) -> UInt16? {
        let name = name(of: path).utf8
        for prefix in ["service", "char", "desc"] where name.starts(with: prefix.utf8) {
            let digits = name.dropFirst(prefix.utf8.count)
            return digits.count == 4 && digits.first.map { $0 >= UInt8(ascii: "0") } == true
                ? UInt16(Substring(digits), radix: 16) : nil
        }
        return nil
    }
}
#endif
