// SPDX-License-Identifier: MIT

import BlueCap

extension Peripheral {
    /// Writes a value to one of the characteristics, and returns when the device has it.
    ///
    /// - Parameters:
    ///   - value: What the user wrote.
    ///   - characteristic: The characteristic that takes it.
    ///   - isCommand: Whether the device is not asked to answer.
    ///   - isLong: Whether the value may be longer than one packet.
    ///   - timeout: How long each step may take.
    /// - Returns: The bytes that were written.
    /// - Throws: ``CommandFailure`` where the characteristic is not written so, or the value does not fit; what writing
    ///   throws.
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
        let bytes = try value.bytes(for: KnownProfiles.profile(characteristic.uuid, in: service))
        if !isCommand, !isLong { try requirePacket(for: bytes) }
        try await characteristic.write(bytes, kind: isCommand ? .withoutResponse : .withResponse, timeout: timeout)
        // A command is not answered, and may still be in a queue: what is asked after it is answered after it.
        if isCommand { try await discoverServices(timeout: timeout) }
        return bytes
    }

    /// Makes sure that a value fits in one packet.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` and what to add.
    private func requirePacket(for value: Bytes) throws(CommandFailure) {
        let packet = maximumWriteLength(for: .withoutResponse)
        if value.count <= packet { return }
        throw CommandFailure(
            .usage,
            "the value has \(TextLayout.count(value.count, "byte")), and a packet to \(label) carries \(packet): add "
                + "--long to write it in parts")
    }
}
