// SPDX-License-Identifier: MIT

import BlueCap

/// How a shell finds the device to connect to.
extension ShellModel {
    /// Finds a device by its identifier, its number in the list, its name, or a beginning of a name in the list.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` where the text fits several devices of the list; as
    ///   ``DeviceFinder/find()`` for a device that is not in it.
    func device(_ text: String) async throws -> Peripheral {
        let device = try listed(text)?.row.id ?? text
        if let peripheral = central.peripheral(withIdentifier: PeerIdentifier(device)) { return peripheral }
        let progress: @Sendable (String) -> Void = { [weak self] in self?.note(.progress($0)) }
        return try await DeviceFinder(central: central, device: device, timeout: timeout, progress: progress).find()
    }

    /// The device of the list that a text means; nil where it means none of them.
    private func listed(_ text: String) throws(CommandFailure) -> ShellDevice? {
        let (devices, wanted) = (state.devices, text.lowercased())
        // An identifier is no name, as a device may have that of another for its name.
        if let device = devices.first(where: { PeerIdentifier($0.row.id) == PeerIdentifier(text) }) { return device }
        if let number = Int(text), let device = devices.first(where: { $0.number == number }) { return device }
        if PeerIdentifier(text).isAddress { return nil }
        // The name as it is sent, and as it is shown.
        let named = devices.filter { [$0.row.name.lowercased(), $0.name.lowercased()].contains(wanted) }
        let begun = text.isEmpty ? [] : devices.filter { $0.name.lowercased().hasPrefix(wanted) }
        let found = named.isEmpty ? begun : named
        if found.count > 1 { throw CommandFailure(severalNamed: text, found.map(\.line), by: "number or identifier") }
        return found.first
    }
}
