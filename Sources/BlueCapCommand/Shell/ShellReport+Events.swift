// SPDX-License-Identifier: MIT

import BlueCap

extension ShellReport {
    /// An event; nil for a device that was sighted again, and for a failure, which ends a line.
    init?(_ shown: ShellEvent, _ device: ShellDevice?) {
        switch shown.kind {
        case .sighted:
            guard let device else { return nil }
            self.init("discovered", device)
        case .failed: return nil
        case .scanBegan: self.init("scanning")
        case .scanEnded: self.init("scanEnded")
        case .lost(let id):
            self.init("lost")
            self.id = id
        case .progress(let text):
            self.init("progress")
            self.text = text
        case .connected(let peer):
            self.init("connected")
            (id, name, paired) = (peer.id, peer.name, peer.isBonded)
            (services, characteristics) = (peer.services.map(\.uuid.fullDescription), peer.characteristics.count)
            shortServices = peer.services.map(\.uuid.description)
        case .disconnected(let reason):
            self.init("disconnected")
            error = reason
        case .value(let id, let value): self.init(id, value)
        case .subscribed(let id, let name):
            self.init("subscribed")
            (handle, self.name) = (id.description, name)
        case .unsubscribed(let id, let name):
            self.init("unsubscribed")
            (handle, self.name) = (id.description, name)
        case .descriptors(let id, let name, let all):
            self.init("descriptors")
            (handle, self.name, descriptors) = (id.description, name, all.map { AttributeReport($0) })
        case .descriptor(_, let name, let descriptor, let source):
            self.init(source == .read ? "descriptorRead" : "descriptorWritten")
            (self.name, handle) = (name, descriptor.id.description)
            self.descriptor = descriptor.uuid.fullDescription
            let read = descriptor.read
            (value, text, fields) = (descriptor.value?.hex, read?.line, read?.fields)
            (numbers, units) = (read?.numbers, read?.units)
        case .signal(let rssi):
            self.init("signal")
            self.rssi = rssi
        case .dropped(let name, let count):
            self.init("dropped")
            (self.name, self.count) = (name, count)
        case .passkey(let digits):
            self.init("passkey")
            passkey = digits
        case .asked(let question):
            self.init("question")
            text = question
        case .answered(let outcome):
            self.init("answered")
            text = outcome
        case .paired: self.init("paired")
        }
        time = Self.seconds(shown.time)
    }

    /// A value that went over the link.
    private init(_ id: AttributeID, _ value: ShellValue) {
        switch value.source {
        case .read: self.init("read")
        case .notified: self.init("notified")
        case .written: self.init("written")
        }
        let event = value.event
        (handle, characteristic, service, name) = (id.description, event.characteristic, event.service, event.name)
        (shortCharacteristic, shortService) = (event.shortCharacteristic, event.shortService)
        (self.value, text, fields, date) = (event.value, event.text, event.fields, event.date)
        (numbers, units) = (event.numbers, event.units)
    }

    // MARK: Answers

    /// The device and its attributes, as far as a text is in them.
    ///
    /// - Throws: ``CommandFailure`` where no device was connected.
    static func tree(_ state: ShellState, matching text: String) throws(CommandFailure) -> ShellReport {
        let peer = try state.requirePeer()
        var report = ShellReport("tree")
        (report.id, report.name, report.rssi) = (peer.id, peer.name, peer.rssi)
        (report.connected, report.paired) = (peer.isConnected, peer.isBonded)
        report.tree = peer.services.compactMap { service in
            let found = service.characteristics.filter { $0.matches(text) }
            if found.isEmpty, !text.isEmpty { return nil }
            return ServiceReport(
                service.uuid, isPrimary: service.isPrimary, found.map { AttributeReport($0) })
        }
        return report
    }

    /// The values of a characteristic, the oldest first.
    ///
    /// - Throws: ``CommandFailure`` where no device was connected, or it has no such characteristic.
    static func values(_ state: ShellState, of selector: CharacteristicSelector) throws(CommandFailure) -> ShellReport {
        let peer = try state.requirePeer()
        let characteristic = try peer.characteristic(selector)
        var report = ShellReport("values")
        (report.handle, report.name) = (characteristic.id.description, characteristic.name)
        report.characteristic = characteristic.uuid.fullDescription
        report.shortCharacteristic = characteristic.uuid.description
        report.entries = characteristic.values.map { time, value in
            Entry(
                time: seconds(time), how: value.source == .written ? "written" : value.source.rawValue,
                value: value.event.value, text: value.event.text, fields: value.event.fields,
                numbers: value.event.numbers, units: value.event.units)
        }
        return report
    }

    static func log(_ state: ShellState, matching text: String) -> ShellReport {
        let wanted = text.lowercased()
        var report = ShellReport("log")
        report.entries = state.log.compactMap { event in
            guard let line = event.text, wanted.isEmpty || line.lowercased().contains(wanted) else { return nil }
            return Entry(time: seconds(event.time), text: line)
        }
        return report
    }

    /// The commands, or one of them.
    static func help(_ verb: ShellVerb?) -> ShellReport {
        var report = ShellReport("help")
        report.entries = (verb.map { [$0] } ?? ShellVerb.allCases).map { verb in
            Entry(text: verb.summary, command: verb.rawValue, arguments: verb.arguments)
        }
        return report
    }
}
