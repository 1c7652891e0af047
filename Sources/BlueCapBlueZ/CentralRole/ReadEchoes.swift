// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe

/// Distinguishes the echoes of reads from notifications.
///
/// BlueZ signals `Value` for notifications and for anyone's reads. It signals the value of a read just before it
/// answers it, so at most the last value before the answer is an echo; it is held until the next value or the answer.
struct ReadEchoes {
    private struct Read {
        let path: String
        /// The last value that was signalled meanwhile.
        var value: Bytes?
    }

    /// Reads on their way.
    private var held: [AttributeID: Read] = [:]

    /// Whether no read is on its way, so that each value is a notification.
    var isEmpty: Bool { held.isEmpty }

    /// A read of the object at a path is on its way.
    mutating func begin(_ attribute: AttributeID, at path: String) { held[attribute] = Read(path: path) }

    /// A value was signalled.
    ///
    /// - Returns: The value that was notified for certain, which may be an earlier one.
    mutating func take(_ value: Bytes, of attribute: AttributeID) -> Bytes? {
        guard let earlier = held[attribute] else { return value }
        held[attribute]?.value = value
        return earlier.value
    }

    /// A read was answered: with `value`, or without.
    ///
    /// - Returns: A value that was notified meanwhile; nil for one equal to the answer, which is its echo.
    mutating func end(_ attribute: AttributeID, with value: Bytes?) -> Bytes? {
        let last = held.removeValue(forKey: attribute)?.value
        return last == value ? nil : last
    }

    /// Removes the values held for reads that are not answered any more: of objects below one that is gone, or of all.
    mutating func takeRest(below path: String = "") -> [(AttributeID, Bytes)] {
        let gone = held.filter { $1.path.hasPrefix(path + "/") }
        for attribute in gone.keys { held[attribute] = nil }
        return gone.compactMap { attribute, read in read.value.map { (attribute, $0) } }
    }
}
#endif
