// SPDX-License-Identifier: MIT

import BlueCap

/// A shell's requests for the descriptors of the connected device, and for its signal.
extension ShellModel {
    /// Finds the descriptors of a characteristic, and reads them where that is asked for.
    func descriptors(of selector: CharacteristicSelector, reads: Bool) async throws {
        let (characteristic, found) = try await find(selector)
        note(.descriptors(characteristic.id, name: name(of: characteristic), found.map(ShellDescriptor.init)))
        guard reads else { return }
        for descriptor in found {
            let value = try await descriptor.read(timeout: timeout)
            note(value, .read, of: descriptor, characteristic)
        }
    }

    func readDescriptor(_ text: String, of selector: CharacteristicSelector) async throws {
        let (characteristic, found) = try await find(selector)
        let descriptor = try pick(text, among: found, of: characteristic)
        note(try await descriptor.read(timeout: timeout), .read, of: descriptor, characteristic)
    }

    func writeDescriptor(_ text: String, of selector: CharacteristicSelector, _ value: TypedValue) async throws {
        let bytes = try value.bytes(for: nil)
        let (characteristic, found) = try await find(selector, for: .lookToWrite)
        let descriptor = try pick(text, among: found, of: characteristic)
        if descriptor.uuid == Descriptor.clientConfiguration {
            throw CommandFailure(.refused, "this descriptor switches notifications: 'subscribe' writes it")
        }
        try await descriptor.write(bytes, timeout: timeout)
        note(bytes, .written, of: descriptor, characteristic)
    }

    func measureSignal() async throws {
        note(.signal(try await connected().readRSSI(timeout: timeout)))
    }

    private func find(
        _ selector: CharacteristicSelector, for purpose: CharacteristicSelector.Purpose = .look
    ) async throws -> (Characteristic, [Descriptor]) {
        let characteristic = try pick(selector, purpose, try connected())
        return (characteristic, try await characteristic.discoverDescriptors(timeout: timeout))
    }

    /// The descriptor that a name, a UUID or a handle means.
    private func pick(
        _ text: String, among descriptors: [Descriptor], of characteristic: Characteristic
    ) throws(CommandFailure) -> Descriptor {
        let found = CharacteristicSelector(text).matches(among: descriptors) { descriptor in
            let name = AssignedNumbers.descriptorName(descriptor.uuid) ?? ""
            let named = CharacteristicSelector.Named(uuid: descriptor.uuid, name: name, id: descriptor.id)
            return (named, named)
        }
        if let only = found.first, found.count == 1 { return only }
        let all = (found.isEmpty ? descriptors : found).map { "\n  " + ShellDescriptor($0).line }.joined()
        let shown = TextLayout.printable(text)
        throw CommandFailure(
            .refused,
            found.isEmpty
                ? "\(name(of: characteristic)) has no descriptor '\(shown)'; it has \(all.isEmpty ? "none" : "these:" + all)"
                : "'\(shown)' is each of these, so choose by handle:\(all)")
    }

    private func note(
        _ value: Bytes, _ source: ShellValue.Source, of descriptor: Descriptor, _ characteristic: Characteristic
    ) {
        var known = ShellDescriptor(descriptor)
        known.value = value
        note(.descriptor(characteristic.id, name: name(of: characteristic), known, source))
    }

    private func name(of characteristic: Characteristic) -> String {
        KnownProfiles.characteristic(characteristic.uuid, in: characteristic.service?.uuid)
    }
}
