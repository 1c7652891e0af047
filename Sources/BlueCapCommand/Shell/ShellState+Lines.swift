// SPDX-License-Identifier: MIT

import BlueCap

extension ShellLine {
    /// The lines that are printed at once for it; empty for a request to the radio.
    ///
    /// - Throws: ``CommandFailure`` where the wanted part of the state is missing.
    func answer(_ state: ShellState) throws(CommandFailure) -> [String] {
        switch self {
        case .nothing, .request, .quit: []
        case .devices(let text): state.deviceLines(matching: text)
        case .tree(let text): try state.treeLines(matching: text)
        case .values(let selector): try state.valueLines(of: selector)
        case .log(let text): state.log(matching: text)
        case .help(let verb): verb?.page ?? ShellVerb.list
        }
    }
}

/// The lines that a shell without a screen prints, made for 80 columns.
extension ShellState {
    /// The devices that a text is in, with their numbers.
    func deviceLines(matching text: String) -> [String] {
        let found = devices(matching: text)
        if devices.isEmpty { return ["nothing found so far: 'scan' looks for devices"] }
        return found.isEmpty ? ["none of \(TextLayout.count(devices.count, "device")) has that"] : found.map(\.line)
    }

    /// The device that is or was connected last.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` where none was.
    func requirePeer() throws(CommandFailure) -> ShellPeer {
        if let peer { return peer }
        throw CommandFailure(.usage, "no device was connected so far: 'connect' connects to one")
    }

    /// The services and characteristics that a text is in.
    ///
    /// - Throws: ``CommandFailure`` where no device was connected.
    func treeLines(matching text: String) throws(CommandFailure) -> [String] {
        let peer = try requirePeer()
        let facts =
            [peer.isConnected ? "connected" : "not connected", peer.isBonded ? "paired" : "not paired"]
            + (peer.rssi.map { ["\($0) dBm"] } ?? [])
        let tree = peer.services.flatMap { service -> [String] in
            let found = service.characteristics.filter { $0.matches(text) }
            if found.isEmpty, !text.isEmpty { return [] }
            return ["", service.title] + found.flatMap(\.lines)
        }
        let none = peer.services.isEmpty ? "It has no services" : "None of its characteristics has that"
        return ["\(peer.label), \(facts.joined(separator: ", "))"] + (tree.isEmpty ? ["", none] : tree)
    }

    /// The values of a characteristic, the curve of their numbers above them.
    ///
    /// - Throws: ``CommandFailure`` where there is no such characteristic.
    func valueLines(of selector: CharacteristicSelector) throws(CommandFailure) -> [String] {
        let peer = try requirePeer()
        let characteristic = try peer.characteristic(selector)
        if characteristic.values.isEmpty { return ["no value of \(characteristic.name) went to or fro"] }
        let curves =
            characteristic.plot.isEmpty ? [] : characteristic.plot.rows(columns: 78, rows: 6).map(\.text) + [""]
        return [characteristic.name] + curves + characteristic.valueLines
    }
}

extension ShellPeer.Service {
    /// `"Battery  180F"`; a UUID alone where there is no name.
    var title: String {
        let short = uuid.description
        return (name == short ? short : "\(name)  \(short)") + (isPrimary ? "" : "  (secondary)")
    }
}

extension ShellCharacteristic {
    /// `"    1.250  notified  heartRate 72 bpm  0648"`, the oldest first.
    var valueLines: [String] {
        values.map { time, value in
            "\(ShellEvent.time(time))  \(TextLayout.pad(value.source.rawValue, to: 8))  \(value.event.line)"
        }
    }

    /// Handle, name, UUID and properties; the value that is known last below.
    fileprivate var lines: [String] {
        let indent = "         "
        let lead = (isSubscribed ? "* " : "  ") + TextLayout.pad(id.description, to: max(id.description.count, 6)) + " "
        let isShort = uuid.uint32 != nil
        let named = name == uuid.description ? name : isShort ? "\(name)  \(uuid)" : name
        let title =
            [lead + named + "  " + properties.words] + (isShort || named == "\(uuid)" ? [] : [indent + "\(uuid)"])
        guard let value else { return title }
        return title + [indent + TextLayout.truncate(value.event.line, to: 80 - indent.count)]
    }
}
