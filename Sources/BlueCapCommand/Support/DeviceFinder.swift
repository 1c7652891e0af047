// SPDX-License-Identifier: MIT

import BlueCap

/// Finds the device that the command line names, and connects to it.
struct DeviceFinder: Sendable {
    let central: CentralManager
    /// An identifier, or the whole name, in capitals or not.
    let device: String
    /// How long finding, connecting and discovering may take, each.
    var timeout = Duration.seconds(10)
    /// Takes lines of progress.
    var progress: @Sendable (String) -> Void = { report($0) }

    /// Finds the device, connects and discovers all that it has; the link goes down with the manager.
    func connect() async throws -> Peripheral {
        try await central.requireRadio()
        let peripheral = try await find()
        try await connect(peripheral)
        return peripheral
    }

    /// Connects and discovers all that the device has.
    func connect(_ peripheral: Peripheral) async throws(PeripheralError) {
        defer { WaitingLine.shared.end() }
        WaitingLine.shared.begin("connecting to \(peripheral.label)")
        try await peripheral.connect(timeout: timeout)
        WaitingLine.shared.begin("discovering what \(peripheral.label) has")
        try await peripheral.discover(timeout: timeout)
    }

    /// Finds the device: among those that the platform knows, else with a scan.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/tryAgain`` when it is not there, with the names of those that
    ///   are.
    func find() async throws -> Peripheral {
        let wanted = PeerIdentifier(device)
        // What the platform knows already, or is connected to and so does not advertise, needs no scan.
        if let known = try? await central.retrievePeripherals(withIdentifiers: [wanted]).first { return known }
        if let connected = try? await central.retrieveConnectedPeripherals(),
            let match = connected.first(where: { isWanted($0.name) })
        {
            return match
        }
        progress("scanning for \(device)")
        defer { WaitingLine.shared.end() }
        WaitingLine.shared.begin("scanning for \(device)")
        var names: [String] = []
        do throws(CentralManagerError) {
            for try await discovery in central.scan(timeout: timeout) {
                let name = discovery.displayName
                if discovery.peripheral.identifier == wanted || name.map(isWanted) == true {
                    return discovery.peripheral
                }
                if let name, names.count < 8, !names.contains(name) { names.append(name) }
            }
        } catch {
            // Nothing at all was sighted: the same to the user as not having sighted this one.
            if error != .serviceScanTimeout { throw error }
        }
        if Task.isCancelled { throw CentralManagerError.cancelled }
        let others =
            names.isEmpty ? "" : "; these are there: \(names.map(TextLayout.printable).joined(separator: ", "))"
        throw CommandFailure(
            .tryAgain,
            "no device with the identifier or name '\(device)' was found within \(TextLayout.seconds(timeout))\(others).\n"
                + "'bluecap scan' lists what advertises; a device that is connected elsewhere does not")
    }

    private func isWanted(_ name: String?) -> Bool { name?.lowercased() == device.lowercased() }
}

extension Peripheral {
    /// Name and identifier, as messages have them.
    var label: String { "\(TextLayout.printable(displayName)) (\(identifier))" }
}
