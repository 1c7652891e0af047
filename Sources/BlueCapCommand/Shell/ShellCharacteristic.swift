// SPDX-License-Identifier: MIT

import BlueCap

/// A characteristic of the device, with the values that went to and fro.
struct ShellCharacteristic: Sendable {
    /// The number of values that are kept of a characteristic.
    static let maximumValues = 200

    let id: AttributeID
    let uuid: BluetoothUUID
    let service: BluetoothUUID
    let properties: CharacteristicProperties
    /// The name of its profile; the UUID where none is known.
    let name: String
    var isSubscribed = false
    /// The descriptors; empty before they were asked for.
    var descriptors: [ShellDescriptor] = []
    /// The values, the oldest first, each with the time since the shell began.
    private(set) var values: [(time: Duration, value: ShellValue)] = []
    private(set) var plot: NumberPlot

    init(_ characteristic: Characteristic, in service: Service) {
        id = characteristic.id
        uuid = characteristic.uuid
        self.service = service.uuid
        properties = characteristic.properties
        name = KnownProfiles.characteristic(characteristic.uuid, in: service.uuid)
        plot = NumberPlot(title: name, total: nil)
    }

    var canWrite: Bool { !properties.isDisjoint(with: [.write, .writeWithoutResponse]) }

    /// The value that is known last.
    var value: ShellValue? { values.last?.value }

    /// Adds a value at the end of the history, and its numbers to the curves.
    mutating func add(_ value: ShellValue, at time: Duration) {
        if values.count >= Self.maximumValues { values.removeFirst(values.count - Self.maximumValues + 1) }
        values.append((time, value))
        plot.add(value.event.quantities)
    }

    /// Whether a text is in its name, its UUID or its service's, in capitals or not.
    func matches(_ text: String) -> Bool {
        if text.isEmpty { return true }
        let wanted = text.lowercased()
        let texts = [name, uuid.description, service.description, KnownProfiles.service(service), id.description]
        return texts.contains { $0.lowercased().contains(wanted) }
    }
}

/// A value that went over the link.
struct ShellValue: Sendable {
    /// Which way it went, and why.
    enum Source: String, Sendable, Hashable {
        case read
        case notified
        case written = "wrote"
    }

    /// Why it went over the link.
    var source: Source
    var event: ValueEvent

    /// `"heartRate 72 bpm"`; the bytes where nothing is known.
    var text: String { event.text ?? event.line }
}

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

    /// The value as its profile reads it; nil where it is not known.
    var read: ValueText? { value.map { ValueText($0, of: uuid) } }

    /// The value in words; nil where it is not known, or nothing is known of it.
    var text: String? { read?.line }

    /// `"Hello  48656c6c6f"`; empty where no value is known.
    var valueLine: String {
        value.map { ValueText.line(text, hex: $0.hex, isRefused: read?.isRefused == true) } ?? ""
    }

    /// Handle, name, UUID and value.
    var line: String {
        let named = name == uuid.description ? name : "\(name)  \(uuid)"
        return [TextLayout.pad(id.description, to: 6), named, valueLine].filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
