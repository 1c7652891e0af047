/// The D-Bus specification's rules for names, checked before libdbus sees them: its setters abort the process on names
/// that break them.
package enum Names {
    /// `/`, or `/` and elements of `[A-Za-z0-9_]` without a trailing slash.
    package static func isObjectPath(_ text: String) -> Bool { isObjectPath(text.utf8) }

    static func isObjectPath(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.first == UInt8(ascii: "/") else { return false }
        if bytes.count == 1 { return true }
        var previous = UInt8(ascii: "/")
        for byte in bytes.dropFirst() {
            if byte == UInt8(ascii: "/") {
                if previous == byte { return false }
            } else if !isWordByte(byte) {
                return false
            }
            previous = byte
        }
        return previous != UInt8(ascii: "/")
    }

    /// Two or more elements with dots between; none starts with a digit. Error names follow the same rule.
    package static func isInterface(_ text: String) -> Bool { isInterface(text.utf8) }

    static func isInterface(_ bytes: some Collection<UInt8>) -> Bool {
        isDotted(bytes, minimum: 2, extra: nil, digitsFirst: false)
    }

    /// One element that does not start with a digit.
    package static func isMember(_ text: String) -> Bool { isMember(text.utf8) }

    static func isMember(_ bytes: some Collection<UInt8>) -> Bool {
        isDotted(bytes, minimum: 1, extra: nil, digitsFirst: false) && !bytes.contains(UInt8(ascii: "."))
    }

    /// A unique name (`:1.42`) or a well-known one.
    package static func isBusName(_ text: String) -> Bool { isBusName(text.utf8) }

    static func isBusName(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.count <= 255 else { return false }
        if bytes.first == UInt8(ascii: ":") {
            return isDotted(bytes.dropFirst(), minimum: 2, extra: UInt8(ascii: "-"), digitsFirst: true)
        }
        return isDotted(bytes, minimum: 2, extra: UInt8(ascii: "-"), digitsFirst: false)
    }

    /// What a D-Bus string may hold: anything but NUL (Swift strings are valid UTF-8 already).
    package static func isString(_ text: String) -> Bool {
        !text.utf8.contains(0)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isDotted(
        _ bytes: some Collection<UInt8>, minimum: Int, extra: UInt8?, digitsFirst: Bool
    ) -> Bool {
        guard bytes.count <= 255 else { return false }
        var elements = 0
        var atStart = true
        for byte in bytes {
            if byte == UInt8(ascii: ".") {
                if atStart { return false }
                atStart = true
                continue
            }
            guard isWordByte(byte) || byte == extra else { return false }
            if atStart {
                if !digitsFirst, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { return false }
                elements += 1
                atStart = false
            }
        }
        return !atStart && elements >= minimum
    }
}
