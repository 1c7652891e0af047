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

    /// A central read the value.
    func read(_ characteristic: MutableCharacteristic, by central: Central?) throws(OutputClosed) {
        try report("read", "read", characteristic, characteristic.value ?? [], central)
    }

    /// A central subscribed or unsubscribed.
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

    /// The user set a value.
    func set(_ characteristic: MutableCharacteristic) throws(OutputClosed) {
        let value = characteristic.value ?? []
        let (label, text) = (Self.label(characteristic), Self.text(value, of: characteristic))
        try event(
            PeripheralRoleEvent(
                event: "set", name: label, characteristic: characteristic.uuid.fullDescription, value: value.hex,
                text: text),
            "Set \(label): \(text ?? value.hex)")
    }

    func event(_ event: PeripheralRoleEvent, _ line: String) throws(OutputClosed) {
        if isJSON { try output.event(event) } else { try output.prose(line) }
    }

    private func report(
        _ name: String, _ verb: String, _ characteristic: MutableCharacteristic, _ value: Bytes, _ central: Central?,
        error: String? = nil
    ) throws(OutputClosed) {
        let (label, text) = (Self.label(characteristic), Self.text(value, of: characteristic))
        try event(
            PeripheralRoleEvent(
                event: name, name: label, central: central?.identifier?.text,
                characteristic: characteristic.uuid.fullDescription, value: value.hex, text: text, error: error),
            "\(central?.identifier?.text ?? "A central") \(verb) \(label): \(text ?? value.hex)"
                + (error.map { ", refused: \($0)" } ?? ""))
    }

    private static func label(_ characteristic: MutableCharacteristic) -> String {
        KnownProfiles.characteristic(characteristic.uuid, in: characteristic.service?.uuid)
    }

    private static func text(_ value: Bytes, of characteristic: MutableCharacteristic) -> String? {
        ValueText(value, of: characteristic.uuid, in: characteristic.service?.uuid).line
    }
}
