// SPDX-License-Identifier: MIT

import BlueCapTerminal

/// The content that a shell shows, whether line by line or on a screen. It is a value, and follows from the events
/// alone.
struct ShellState: Sendable {
    /// The maximum number of devices. Beyond it, the device that was not heard for the longest time is removed.
    static let maximumDevices = 500
    /// The events that the log keeps.
    static let maximumLog = 1000

    /// The devices, in the order of discovery.
    private(set) var devices: [ShellDevice] = []
    private(set) var isScanning = false
    /// The device that is connected, or was last.
    private(set) var peer: ShellPeer?
    /// The events, the oldest first: all but sightings.
    private(set) var log: [ShellEvent] = []
    /// The open question of pairing; nil where there is none.
    private(set) var question: String?
    private var lastNumber = 0

    var isConnected: Bool { peer?.isConnected == true }

    /// Takes an event.
    ///
    /// - Returns: The device that the event sighted for the first time.
    @discardableResult
    mutating func apply(_ event: ShellEvent) -> ShellDevice? {
        var found: ShellDevice?
        switch event.kind {
        case .scanBegan: isScanning = true
        case .scanEnded: isScanning = false
        case .sighted(let row): found = sight(row)
        case .connected(let peer):
            self.peer = peer
            peerStands(.connected)
        case .disconnected:
            peer?.isConnected = false
            peerStands(peer?.isBonded == true ? .paired : .known)
            for characteristic in peer?.characteristics ?? [] where characteristic.isSubscribed {
                peer?.change(characteristic.id) { $0.isSubscribed = false }
            }
        case .value(let id, let value): peer?.change(id) { $0.add(value, at: event.time) }
        case .subscribed(let id, _): peer?.change(id) { $0.isSubscribed = true }
        case .unsubscribed(let id, _): peer?.change(id) { $0.isSubscribed = false }
        case .asked(let question): self.question = question
        case .answered: question = nil
        case .paired: peer?.isBonded = true
        case .descriptors(let id, _, let all):
            peer?.change(id) { characteristic in
                let known = characteristic.descriptors
                characteristic.descriptors = all.map { each in
                    var each = each
                    // The value written last is newer than the value read.
                    each.value = known.first { $0.id == each.id }?.value ?? each.value
                    return each
                }
            }
        case .descriptor(let id, _, let descriptor, _):
            peer?.change(id) { characteristic in
                if let index = characteristic.descriptors.firstIndex(where: { $0.id == descriptor.id }) {
                    characteristic.descriptors[index] = descriptor
                } else {
                    characteristic.descriptors.append(descriptor)
                }
            }
        case .signal(let rssi): peer?.rssi = rssi
        case .lost, .progress, .dropped, .passkey, .failed: break
        }
        if event.text != nil {
            if log.count >= Self.maximumLog { log.removeFirst(log.count - Self.maximumLog + 1) }
            log.append(event)
        }
        return found
    }

    /// The row of the connected device shows how the device stands, and not how it stood when it was sighted.
    private mutating func peerStands(_ state: DeviceState) {
        guard let id = peer?.id, let index = devices.firstIndex(where: { $0.row.id == id }) else { return }
        devices[index].row.state = state
    }

    private mutating func sight(_ row: ScanRow) -> ShellDevice? {
        if let index = devices.firstIndex(where: { $0.row.id == row.id }) {
            var row = row
            row.discovered = devices[index].row.discovered
            // A packet without the name does not take it away.
            if row.name.isEmpty { row.name = devices[index].row.name }
            devices[index].row = row
            return nil
        }
        if devices.count >= Self.maximumDevices,
            let oldest = devices.indices.min(by: { devices[$0].row.lastSeen < devices[$1].row.lastSeen })
        {
            devices.remove(at: oldest)
        }
        lastNumber += 1
        let device = ShellDevice(number: lastNumber, row: row)
        devices.append(device)
        return device
    }

    func devices(matching text: String) -> [ShellDevice] { devices.filter { $0.matches(text) } }

    /// The lines of the log that a text is in, in capitals or not, each behind its time.
    func log(matching text: String) -> [String] {
        let wanted = text.lowercased()
        return log.compactMap { event in
            guard let line = event.text, wanted.isEmpty || line.lowercased().contains(wanted) else { return nil }
            return "\(ShellEvent.time(event.time))  \(line)"
        }
    }
}

/// A device that was sighted.
struct ShellDevice: Sendable, Hashable {
    /// Counted from 1 in the order of discovery; stays the device's for as long as the shell runs.
    var number: Int
    /// The scan's knowledge of it.
    var row: ScanRow

    /// The name, in characters that every terminal shows alike; empty where there is none.
    var name: String { CellText(row.name).map(\.text).joined() }

    /// `" 2  C0:DE:00:00:00:02  ▁▂▄··  -63  Heart Strap  Heart Rate, Battery"`.
    var line: String {
        let about = (row.services.map(KnownProfiles.service) + row.details).joined(separator: ", ")
        let fields = [
            TextLayout.pad(String(number), to: 2, alignment: .right), row.id, SignalBars.text(row.rssi),
            name.isEmpty ? "-" : name, row.state == .found ? "" : "(\(row.state.rawValue))", about,
        ]
        return fields.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// Whether a text is in its name, its identifier or its advertisement, in capitals or not.
    func matches(_ text: String) -> Bool {
        if text.isEmpty { return true }
        let wanted = text.lowercased()
        let texts = [row.name, row.id] + row.services.map(KnownProfiles.service) + row.details
        return texts.contains { $0.lowercased().contains(wanted) }
    }
}
