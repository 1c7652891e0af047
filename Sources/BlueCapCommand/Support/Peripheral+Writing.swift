// SPDX-License-Identifier: MIT

import BlueCap

extension Peripheral {
    /// Writes a value to one of the characteristics, and returns when the device has it.
    ///
    /// - Parameters:
    ///   - value: The user's value.
    ///   - characteristic: The characteristic that takes it.
    ///   - isCommand: Whether the device is not asked to answer.
    ///   - isLong: Whether the value may be longer than one packet.
    ///   - timeout: How long each step may take.
    /// - Returns: The bytes that were written.
    /// - Throws: ``CommandFailure`` where the characteristic does not support the kind of write, or the value does not
    ///   fit; the errors of writing.
    func write(
        _ value: TypedValue, to characteristic: Characteristic, isCommand: Bool, isLong: Bool, timeout: Duration
    ) async throws -> Bytes {
        let service = characteristic.service?.uuid
        let name = KnownProfiles.characteristic(characteristic.uuid, in: service)
        if !isCommand, !characteristic.properties.contains(.write) {
            throw CommandFailure(.refused, "\(name) is written without response only: add --command")
        }
        if isCommand, !characteristic.properties.contains(.writeWithoutResponse) {
            throw CommandFailure(.refused, "\(name) is written with response only: leave out --command")
        }
        let profile = KnownProfiles.profile(characteristic.uuid, in: service)
        let bytes = try value.bytes(for: profile)
        try requireRoom(for: bytes, in: characteristic, isCommand: isCommand, isLong: isLong)
        do {
            try await characteristic.write(bytes, kind: isCommand ? .withoutResponse : .withResponse, timeout: timeout)
        } catch {
            // A value that means nothing is the likely reason where the device refuses one.
            guard case .att(let refusal) = error.reason, refusal.concernsValue, let profile, profile.declaresValues,
                profile.stringValue(bytes) == nil
            else {
                throw error
            }
            throw CommandFailure(
                .refused, "\(error); '\(value.text)' is no known value of \(name): \(value.advice(profile))")
        }
        // A command is not answered, and may still be in a queue: a later request is answered after it.
        if isCommand { try await discoverServices(timeout: timeout) }
        return bytes
    }

    /// Makes sure that a value fits in a characteristic and, unless it may be long, in one packet.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` and advice.
    private func requireRoom(
        for value: Bytes, in characteristic: Characteristic, isCommand: Bool, isLong: Bool
    ) throws(CommandFailure) {
        let (packet, maximum) = (maximumWriteLength(for: .withoutResponse), maximumWriteLength(for: .withResponse))
        let count = "the value has \(TextLayout.count(value.count, "byte"))"
        if value.count > maximum {
            throw CommandFailure(.usage, "\(count), and a characteristic takes \(maximum) at most")
        }
        if isLong || value.count <= packet { return }
        let tooLong = "\(count), and a packet to \(label) carries \(packet)"
        guard characteristic.properties.contains(.write) else {
            throw CommandFailure(.usage, "\(tooLong): what is written without response only has to fit in one")
        }
        let advice = isCommand ? "leave out --command, and add --long" : "add --long"
        throw CommandFailure(.usage, "\(tooLong): \(advice) to write it in parts")
    }
}

extension ATTError {
    /// Whether another value could have been taken: the refusal is of the value, or the device's own.
    fileprivate var concernsValue: Bool {
        switch self {
        case .invalidAttributeValueLength, .unlikelyError, .valueNotAllowed, .writeRequestRejected, .outOfRange: true
        default: isApplicationError
        }
    }
}
