// SPDX-License-Identifier: MIT

import BlueCap

/// A line of `shell --json`: an object for each event, for each answer, and for the end of each command.
struct ShellReport: Encodable, Sendable {
    /// For help texts.
    static let help = """
        JSON
          Each object has its event, and the time in seconds since the start.
          Events: "scanning", "scanEnded", "discovered" and "device" (number, id,
          name, state, rssi, services, shortServices, details), "lost", "progress"
          (text), "connected" (id, name, services, shortServices, characteristics),
          "disconnected" (error, where the link was lost),
          "read", "written" and "notified" (handle, name, value, text, date, and as
          'bluecap read' has them characteristic, service, shortCharacteristic,
          shortService, fields, numbers and units), "subscribed", "unsubscribed",
          "dropped" (count), "descriptors", "descriptorRead" and "descriptorWritten"
          (handle, descriptor, value, text, fields, numbers, units), "signal"
          (rssi), "passkey",
          "question" and "answered" (text), "paired".
          Answers: a "device" for each of 'devices', "tree" (tree), "values", "log"
          and "help" (entries). Behind all that a line led to: "done", or "failed"
          with error and status (as below); both have the line. Keys are only ever
          added.
        """

    /// A line of the log, a value, or a command.
    struct Entry: Encodable, Sendable {
        var time: Double?
        var how: String?
        var value: String?
        var text: String?
        var fields: [String: String]?
        var numbers: [String: Double]?
        var units: [String: String]?
        var command: String?
        var arguments: String?
    }

    var event: String
    var time: Double?
    var line: String?
    var number: Int?
    var id: String?
    var name: String?
    var state: DeviceState?
    var connected: Bool?
    var paired: Bool?
    var rssi: Int?
    var services: [String]?
    var shortServices: [String]?
    var details: [String]?
    var handle: String?
    var characteristic: String?
    var shortCharacteristic: String?
    var service: String?
    var shortService: String?
    var descriptor: String?
    var value: String?
    var text: String?
    var fields: [String: String]?
    var numbers: [String: Double]?
    var units: [String: String]?
    var date: String?
    var passkey: String?
    var count: Int?
    var characteristics: Int?
    var tree: [ServiceReport]?
    var descriptors: [AttributeReport]?
    var entries: [Entry]?
    var error: String?
    var status: Int32?

    init(_ event: String) { self.event = event }

    /// Seconds, in thousandths.
    static func seconds(_ time: Duration) -> Double { (time / .milliseconds(1)).rounded() / 1000 }

    init(_ event: String, _ device: ShellDevice) {
        self.init(event)
        let row = device.row
        (number, id, name, state) = (device.number, row.id, row.name.isEmpty ? nil : row.name, row.state)
        rssi = SignalBars.count(row.rssi) == nil ? nil : row.rssi
        (services, shortServices) = (row.services.map(\.fullDescription), row.services.map(\.description))
        if !row.details.isEmpty { details = row.details }
    }

    /// The end of a line's request.
    init(line: String?, failure: CommandFailure?) {
        self.init(failure == nil ? "done" : "failed")
        (self.line, error, status) = (line, failure?.message, failure?.status.rawValue)
    }
}

extension AttributeReport {
    init(_ characteristic: ShellCharacteristic) {
        let name = KnownProfiles.characteristicName(characteristic.uuid, in: characteristic.service)
        self.init(characteristic.uuid, name, characteristic.id)
        (properties, subscribed) = (characteristic.properties.names, characteristic.isSubscribed)
        if let event = characteristic.value?.event {
            (value, text, fields) = (event.value, event.text, event.fields)
            (numbers, units) = (event.numbers, event.units)
        }
        descriptors = characteristic.descriptors.map { AttributeReport($0) }
    }

    init(_ descriptor: ShellDescriptor) {
        self.init(descriptor.uuid, AssignedNumbers.descriptorName(descriptor.uuid), descriptor.id)
        if let bytes = descriptor.value, let read = descriptor.read { take(bytes, read) }
    }
}
