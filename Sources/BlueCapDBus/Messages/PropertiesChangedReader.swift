// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// Reads the bodies of a connection's `PropertiesChanged`. What differs from the last one in nothing but the value of
/// one property, as notifications of a characteristic and sightings do, is not walked over again, and no object is made
/// for it.
package struct PropertiesChangedReader {
    private var last: PropertiesChanged?
    private var layout: PropertyLayout?
    private var layoutCount: UInt64 = 0

    /// A reader that has read nothing yet.
    package init() {}

    /// Reads a body; nil for a signal of another signature. Throws `.malformed` for a body that breaks D-Bus's rules.
    package mutating func read(_ frame: Frame) throws(DBusError) -> PropertiesChanged? {
        if let end = layout?.valueEnd(in: frame), isKnownUniquelyReferenced(&last), let last {
            last.become(frame, valueEnd: end)
            return last
        }
        last = nil
        layout = nil
        last = try PropertiesChanged(frame)
        layout = last?.layout
        if layout != nil {
            layoutCount += 1
            last?.layoutNumber = layoutCount
        }
        return last
    }

    /// Releases the message that was read, after its receivers have had it.
    package mutating func letGo() {
        if isKnownUniquelyReferenced(&last) { last?.letGo() } else { last = nil }
    }
}
#endif
