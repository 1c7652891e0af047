// SPDX-License-Identifier: MIT

/// The commands of HCI that set the host's advertisements (Core Specification, Vol 4, Part E, 7.8).
enum HCICommand: Sendable, Hashable {
    /// The data of its advertisements (7.8.7, 7.8.54).
    case advertise([UInt8])
    /// The data of its scan responses (7.8.8, 7.8.55).
    case answerScans([UInt8])

    /// Reads a command; nil for a command of another kind, or one that is too short. Of extended advertising, only data
    /// that come whole are read; all advertising sets count as one, and the newest data replace the others.
    init?(_ bytes: ArraySlice<UInt8>) {
        var cursor = ByteCursor(bytes)
        guard let opcode = cursor.little(UInt16.self), let length = cursor.byte(),
            let parameters = cursor.take(Int(length))
        else { return nil }
        cursor = ByteCursor(parameters)
        if opcode == 0x2037 || opcode == 0x2038 {
            // The set, the operation (3 for complete data), and whether it may be fragmented.
            guard cursor.skip(1), cursor.byte() == 3, cursor.skip(1) else { return nil }
        }
        guard let count = cursor.byte(), let data = cursor.take(Int(count)) else { return nil }
        switch opcode {
        case 0x2008, 0x2037: self = .advertise(Array(data))
        case 0x2009, 0x2038: self = .answerScans(Array(data))
        default: return nil
        }
    }
}
