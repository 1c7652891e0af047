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

    /// `"Hello  48656c6c6f"`; empty where no value is known.
    var valueLine: String { value.map { ValueText.line(text, hex: $0.hex) } ?? "" }

    /// Handle, name, UUID and value.
    var line: String {
        let named = name == uuid.description ? name : "\(name)  \(uuid)"
        return [TextLayout.pad(id.description, to: 6), named, valueLine].filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
