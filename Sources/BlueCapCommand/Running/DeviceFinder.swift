// SPDX-License-Identifier: MIT

import BlueCap

/// Finds the device that the command line names, and connects to it.
struct DeviceFinder: Sendable {
    /// Connects and pairs, and returns whether the devices have paired now.
    typealias PairingStep = @Sendable (DeviceFinder, Peripheral) async throws -> Bool

    let central: CentralManager
    /// An identifier, or the whole name, in capitals or not.
    let device: String
    /// How long finding, connecting and discovering may take, each.
    var timeout = Duration.seconds(10)
    var progress: @Sendable (String) -> Void = { report($0) }
    /// Connects and pairs before anything else is asked of the device; nil where that is not wanted.
    var pairing: PairingStep?
    /// Asks the user what pairing wants to know.
    var ask: @Sendable (String) async -> String? = { _ in nil }
    /// The users of the devices in a virtual world.
    var inhabitants: WorldUsers?

    /// Finds the device, connects and discovers its whole database; the link goes down with the manager.
    func connect() async throws -> Peripheral {
        try await central.requireRadio()
        let peripheral = try await find()
        try await connect(peripheral)
        return peripheral
    }

    func connect(_ peripheral: Peripheral) async throws {
        defer { WaitingLine.shared.end() }
        if let pairing {
            if try await pairing(self, peripheral) { progress("paired with \(peripheral.label)") }
        } else {
            WaitingLine.shared.begin("connecting to \(peripheral.label)")
            try await peripheral.connect(timeout: timeout)
        }
        WaitingLine.shared.begin("discovering what \(peripheral.label) has")
        try await peripheral.discover(timeout: timeout)
    }

    /// Finds the device: among those that the platform knows, else with a scan, which ends with the first that it
    /// hears.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/tryAgain`` when it is not there, with the names of those that
    ///   are; with ``ToolStatus/usage`` when several that are connected have the name.
    func find() async throws -> Peripheral {
        let wanted = PeerIdentifier(device)
        // A device that the platform knows, or is connected to so that it does not advertise, needs no scan.
        if let known = try? await central.retrievePeripherals(withIdentifiers: [wanted]).first { return known }
        if let connected = try? await central.retrieveConnectedPeripherals(),
            case let named = connected.filter({ isWanted($0.name) }), let match = named.first
        {
            if named.count == 1 { return match }
            throw CommandFailure(severalNamed: device, named.map(\.label))
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
                if let name, names.count < 64, !names.contains(name) { names.append(name) }
            }
        } catch {
            // A scan that sighted no device at all is the same to the user as one that did not sight this one.
            if error != .serviceScanTimeout { throw error }
        }
        if Task.isCancelled { throw CentralManagerError.cancelled }
        throw CommandFailure(
            .tryAgain,
            "no device with the identifier or name '\(TextLayout.printable(device))' was found within "
                + "\(TextLayout.seconds(timeout))\(Self.others(names.map(TextLayout.printable), insteadOf: device)).\n"
                + "'bluecap scan' lists what advertises; a device that is connected elsewhere does not")
    }

    /// The devices that were found instead.
    private static func others(_ names: [String], insteadOf device: String) -> String {
        if names.isEmpty { return "" }
        let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
        let list = "hese are there: \(names.prefix(8).joined(separator: ", "))\(rest)"
        return Suggestion.question(device, among: names).map { "; \($0) T\(list)" } ?? "; t\(list)"
    }

    private func isWanted(_ name: String?) -> Bool { Self.isName(device, name) }

    /// Whether a text is a device's name, in capitals or not. An identifier is no name, even where a device calls
    /// itself so.
    private static func isName(_ text: String, _ name: String?) -> Bool {
        !PeerIdentifier(text).isAddress && name?.lowercased() == text.lowercased()
    }

    static func isDevice(_ text: String, _ identifier: PeerIdentifier, _ name: String?) -> Bool {
        identifier == PeerIdentifier(text) || isName(text, name)
    }
}

extension CommandFailure {
    /// Several devices have the name that was written.
    ///
    /// - Parameters:
    ///   - devices: A line for each.
    ///   - key: The property that tells the devices apart.
    init(severalNamed name: String, _ devices: [String], by key: String = "identifier") {
        let lines = devices.map { "\n  " + $0 }.joined()
        self.init(
            .usage,
            "'\(TextLayout.printable(name))' is each of these, so choose by \(key):\(lines)"
        )
    }
}

extension Peripheral {
    /// Name and identifier, as messages have them.
    var label: String { "\(TextLayout.printable(displayName)) (\(identifier))" }
}
