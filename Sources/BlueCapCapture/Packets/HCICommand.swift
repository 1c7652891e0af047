// SPDX-License-Identifier: MIT

/// The commands of HCI that set the host's advertisements (Core Specification, Vol 4, Part E, 7.8).
enum HCICommand: Sendable, Hashable {
    /// The data of its advertisements (7.8.7, 7.8.54).
    case advertise(AdvertisedPart)
    /// The data of its scan responses (7.8.8, 7.8.55).
    case answerScans(AdvertisedPart)

    /// Reads a command; nil for a command of another kind, or one that is too short.
    init?(_ bytes: ArraySlice<UInt8>) {
        var cursor = ByteCursor(bytes)
        guard let opcode = cursor.little(UInt16.self), let length = cursor.byte(),
            let parameters = cursor.take(Int(length))
        else { return nil }
        cursor = ByteCursor(parameters)
        var part = AdvertisedPart()
        if opcode == 0x2037 || opcode == 0x2038 {
            // The set, the operation, and whether it may be fragmented.
            guard let set = cursor.byte(), let number = cursor.byte(),
                let operation = AdvertisedPart.Operation(rawValue: number), cursor.skip(1)
            else { return nil }
            (part.set, part.operation) = (set, operation)
        }
        guard let count = cursor.byte(), let data = cursor.take(Int(count)) else { return nil }
        part.data = Array(data)
        switch opcode {
        case 0x2008, 0x2037: self = .advertise(part)
        case 0x2009, 0x2038: self = .answerScans(part)
        default: return nil
        }
    }
}

/// Data that a host gives its controller, which extended advertising may take in parts of 251 bytes at the most.
struct AdvertisedPart: Sendable, Hashable {
    /// The place of the part in the whole (Core Specification, Vol 4, Part E, 7.8.54).
    enum Operation: UInt8, Sendable {
        case intermediate, first, last, complete
        /// The data stay as they are.
        case unchanged
    }

    /// The advertising set; nil for legacy commands, which have none.
    var set: UInt8?
    var operation = Operation.complete
    var data: [UInt8] = []
}
