// SPDX-License-Identifier: MIT

import BlueCap

/// A descriptor of a characteristic, with the value that is known last.
struct ShellDescriptor: Sendable {
    let id: AttributeID
    let uuid: BluetoothUUID
    /// The name that is assigned to it; the UUID where none is.
    let name: String
    /// The value; nil where it was neither read nor written.
    var value: Bytes?

    init(_ descriptor: Descriptor) {
        (id, uuid, value) = (descriptor.id, descriptor.uuid, descriptor.value)
        name = AssignedNumbers.descriptorName(descriptor.uuid) ?? descriptor.uuid.description
    }

    /// The value in words; nil where it is not known, or nothing is known of it.
    var text: String? { value.flatMap { ValueText($0, of: uuid, in: nil).line } }

    /// `"48656c6c6f  Hello"`; empty where no value is known.
    var valueLine: String {
        guard let value else { return "" }
        return [value.isEmpty ? "(empty)" : value.hex, text ?? ""].filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// Handle, name, UUID and value.
    var line: String {
        let named = name == uuid.description ? name : "\(name)  \(uuid)"
        return [TextLayout.pad(id.description, to: 6), named, valueLine].filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
