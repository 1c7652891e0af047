package import BlueCapCore

/// Reads BlueZ's object paths: `/org/bluez/hci0/dev_C0_DE_00_00_01_01/service0010/char0011/desc0013`.
///
/// The hexadecimal numbers are attribute handles: of the declaration for services and characteristics, of the attribute
/// itself for descriptors.
package enum BlueZPath {
    /// Under which everything of BlueZ stands.
    package static let root = "/org/bluez"

    /// The number of an adapter: 12 for `/org/bluez/hci12` and everything below it.
    package static func adapterIndex(of path: String) -> Int? {
        let parts = path.split(separator: "/", maxSplits: 4)
        guard parts.count >= 3, parts[0] == "org", parts[1] == "bluez", parts[2].hasPrefix("hci") else { return nil }
        let digits = parts[2].dropFirst(3)
        // Numbers of Swift may begin with a sign, which is before the digits in ASCII.
        return digits.utf8.first.map { $0 >= UInt8(ascii: "0") } == true ? Int(digits) : nil
    }

    /// The last element of a path.
    package static func name(of path: String) -> Substring {
        path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    }

    /// The path of the object above; nil for `/`.
    package static func parent(of path: String) -> String? {
        guard path.utf8.count > 1, let slash = path.lastIndex(of: "/") else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The device that an object belongs to, or is, given the path of its adapter.
    package static func device(of path: String, adapter: String) -> String? {
        guard path.hasPrefix(adapter + "/dev_") else { return nil }
        let rest = path.utf8.dropFirst(adapter.utf8.count + 1)
        guard let end = rest.firstIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[..<end])
    }

    /// The address in a device's path (`…/dev_C0_DE_00_00_01_01`); nil for any other path.
    package static func address(of device: String) -> PeripheralIdentifier? {
        let name = name(of: device)
        guard name.hasPrefix("dev_"), name.utf8.count == 21 else { return nil }
        return PeripheralIdentifier(String(name.dropFirst(4).map { $0 == "_" ? ":" : $0 }))
    }

    /// The attribute that a service, characteristic or descriptor object stands for.
    package static func attribute(of path: String) -> UInt16? {
        let name = name(of: path)
        for prefix in ["service", "char", "desc"] where name.hasPrefix(prefix) {
            let digits = name.dropFirst(prefix.count)
            return digits.utf8.count == 4 && digits.utf8.first.map { $0 >= UInt8(ascii: "0") } == true
                ? UInt16(digits, radix: 16) : nil
        }
        return nil
    }
}
