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
    /// Whether its notifications are switched on.
    var isSubscribed = false
    /// The descriptors; empty before they were asked for.
    var descriptors: [ShellDescriptor] = []
    /// The values, the oldest first, each with the time since the shell began.
    private(set) var values: [(time: Duration, value: ShellValue)] = []
    /// The numbers in the values.
    private(set) var plot: NumberPlot

    init(_ characteristic: Characteristic, in service: Service) {
        id = characteristic.id
        uuid = characteristic.uuid
        self.service = service.uuid
        properties = characteristic.properties
        name = KnownProfiles.characteristic(characteristic.uuid, in: service.uuid)
        plot = NumberPlot(title: name, total: nil)
    }

    /// Whether it takes values at all.
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
