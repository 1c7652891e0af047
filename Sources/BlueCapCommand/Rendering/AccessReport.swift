// SPDX-License-Identifier: MIT

import BlueCap

/// Prints the accesses of centrals to an emulated device.
struct AccessReport: Sendable {
    var isJSON: Bool
    let output: any LineOutput

    /// A central wrote a value, which was answered with `answer`.
    func written(_ request: WriteRequest, answer: ATTError = .success) throws(OutputClosed) {
        let isRefused = answer != .success
        try report(
            isRefused ? "writeRefused" : "write", "wrote", request.characteristic, request.value, request.central,
            error: isRefused ? "\(answer)" : nil)
    }

    func read(_ characteristic: MutableCharacteristic, by central: Central?) throws(OutputClosed) {
        try report("read", "read", characteristic, characteristic.value ?? [], central)
    }

    func subscribed(_ change: SubscriptionEvent) throws(OutputClosed) {
        let isNew = change.kind == .subscribed
        let label = Self.label(change.characteristic)
        let central = change.central.identifier?.text
        try event(
            PeripheralRoleEvent(
                event: isNew ? "subscribed" : "unsubscribed", name: label, central: central,
                characteristic: change.characteristic.uuid.fullDescription),
            "\(central ?? "A central") \(isNew ? "subscribed to" : "unsubscribed from") \(label)")
    }

    /// The replay of a twin's notifications has ended.
    func replayed(_ characteristic: MutableCharacteristic, _ count: Int) throws(OutputClosed) {
        let label = Self.label(characteristic)
        try event(
            PeripheralRoleEvent(
                event: "replayed", name: label, characteristic: characteristic.uuid.fullDescription),
            "Sent all of \(label) that was recorded: \(TextLayout.count(count, "value"))")
    }

    func set(_ characteristic: MutableCharacteristic) throws(OutputClosed) {
        let value = characteristic.value ?? []
        let (label, read) = (Self.label(characteristic), Self.read(value, of: characteristic))
        try event(
            PeripheralRoleEvent(
                event: "set", name: label, characteristic: characteristic.uuid.fullDescription, value: value.hex,
                read: read),
            "Set \(label): \(Self.line(value, read))")
    }

    /// A service is offered to centrals, by the preceding program if it is restored.
    func offered(_ service: MutableService, isRestored: Bool = false) throws(OutputClosed) {
        let name = KnownProfiles.service(service.uuid)
        try event(
            PeripheralRoleEvent(
                event: isRestored ? "serviceRestored" : "serviceAdded", name: name,
                services: [service.uuid.fullDescription]),
            "Offering \(isRestored ? "again " : "")\(name): "
                + TextLayout.count(service.characteristics.count, "characteristic"))
    }

    func advertising(_ advertisement: Advertisement) throws(OutputClosed) {
        let services = advertisement.serviceUUIDs
        let names = services.map { KnownProfiles.service($0) }.joined(separator: ", ")
        try event(
            PeripheralRoleEvent(
                event: "advertising", name: advertisement.localName, services: services.map(\.fullDescription)),
            "Advertising as \(TextLayout.printable(advertisement.localName ?? "")) with \(names)")
    }

    /// The radio takes channels on a PSM, or does not.
    func published(_ psm: UInt16, _ error: ChannelError?) throws(OutputClosed) {
        var event = PeripheralRoleEvent(event: error == nil ? "published" : "notPublished", error: error?.description)
        event.psm = psm
        try self.event(
            event, error.map { "No channels on PSM \(psm): \($0)" } ?? "Taking channels on PSM \(psm)")
    }

    /// The radio is in another state.
    func state(_ state: ManagerState) throws(OutputClosed) {
        try event(PeripheralRoleEvent(event: "state", text: "\(state)"), "The radio is \(state)")
    }

    /// A central that pairs is to be given these digits.
    func passkey(_ digits: String, for central: String) throws(OutputClosed) {
        try event(
            PeripheralRoleEvent(event: "passkey", central: central, passkey: digits),
            "Type this at \(central): \(digits)")
    }

    /// A central that cannot type a passkey, or asks something else, was refused.
    func refusedPairing(_ central: String) throws(OutputClosed) {
        try event(
            PeripheralRoleEvent(event: "pairingRefused", central: central),
            "Refused to pair with \(central), where no passkey can be typed")
    }

    func stopped() throws(OutputClosed) {
        try event(PeripheralRoleEvent(event: "stopped"), "Took services and advertisement back")
    }

    /// Lets centrals read, and prints their reads and subscriptions, until one of the streams ends.
    func follow(
        _ reads: [(MutableCharacteristic, AsyncStream<AttributeReadRequest>)],
        _ subscriptions: AsyncStream<SubscriptionEvent>
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await change in subscriptions { try subscribed(change) }
            }
            for (characteristic, requests) in reads {
                group.addTask {
                    for await request in requests {
                        request.respond(.success)
                        if request.offset == 0 { try read(characteristic, by: request.central) }
                    }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    func event(_ event: PeripheralRoleEvent, _ line: String) throws(OutputClosed) {
        if isJSON { try output.event(event) } else { try output.prose(line) }
    }

    private func report(
        _ name: String, _ verb: String, _ characteristic: MutableCharacteristic, _ value: Bytes, _ central: Central?,
        error: String? = nil
    ) throws(OutputClosed) {
        let (label, read) = (Self.label(characteristic), Self.read(value, of: characteristic))
        try event(
            PeripheralRoleEvent(
                event: name, name: label, central: central?.identifier?.text,
                characteristic: characteristic.uuid.fullDescription, value: value.hex, read: read, error: error),
            "\(central?.identifier?.text ?? "A central") \(verb) \(label): \(Self.line(value, read))"
                + (error.map { ", refused: \($0)" } ?? ""))
    }

    private static func label(_ characteristic: MutableCharacteristic) -> String {
        KnownProfiles.characteristic(characteristic.uuid, in: characteristic.service?.uuid)
    }

    private static func read(_ value: Bytes, of characteristic: MutableCharacteristic) -> ValueText {
        ValueText(value, of: characteristic.uuid, in: characteristic.service?.uuid)
    }

    /// The words for a value, or its bytes; both where the profile refuses these.
    private static func line(_ value: Bytes, _ read: ValueText) -> String {
        read.isRefused ? ValueText.line(nil, hex: value.hex, isRefused: true) : read.line ?? value.hex
    }
}

/// An event at an emulated peripheral.
struct PeripheralRoleEvent: Encodable, Sendable {
    var event: String
    var name: String?
    var services: [String]?
    /// Which central, where the platform says.
    var central: String?
    var characteristic: String?
    /// Hexadecimal digits.
    var value: String?
    /// The value in the words of its characteristic's type, or another text.
    var text: String?
    /// The value as its profile reads it.
    var read: ValueText?
    var error: String?
    /// The six digits that are to be typed at the central.
    var passkey: String?
    /// The fields that an advertisement of a twin has no room for.
    var leftOut: [String]?
    /// The PSM of a channel.
    var psm: UInt16?

    private enum Key: String, CodingKey {
        case event, name, services, shortServices, central, characteristic, shortCharacteristic, value, text, fields,
            numbers, units, error, passkey, leftOut, psm
    }

    /// Encodes UUIDs twice: as they are here, and as people know them.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(event, forKey: .event)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encodeIfPresent(services, forKey: .services)
        try container.encodeIfPresent(services?.map(JSONLine.short), forKey: .shortServices)
        try container.encodeIfPresent(central, forKey: .central)
        try container.encodeIfPresent(characteristic, forKey: .characteristic)
        try container.encodeIfPresent(characteristic.map(JSONLine.short), forKey: .shortCharacteristic)
        try container.encodeIfPresent(value, forKey: .value)
        try container.encodeIfPresent(text ?? read?.line, forKey: .text)
        try container.encodeIfPresent(read?.fields, forKey: .fields)
        try container.encodeIfPresent(read?.numbers, forKey: .numbers)
        try container.encodeIfPresent(read?.units, forKey: .units)
        try container.encodeIfPresent(error, forKey: .error)
        try container.encodeIfPresent(passkey, forKey: .passkey)
        try container.encodeIfPresent(leftOut, forKey: .leftOut)
        try container.encodeIfPresent(psm, forKey: .psm)
    }
}
