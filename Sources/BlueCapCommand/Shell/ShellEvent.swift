// SPDX-License-Identifier: MIT

import BlueCap

/// An event, from which the shell's state follows, and a line of its log.
struct ShellEvent: Sendable {
    enum Kind: Sendable {
        case scanBegan
        case scanEnded
        /// A device was sighted, for the first time or again.
        case sighted(ScanRow)
        /// A device was not sighted for a while.
        case lost(id: String)
        /// Something is on its way that takes time.
        case progress(String)
        /// The link is up, and the device's attributes are known.
        case connected(ShellPeer)
        /// The link is down; the reason where the program did not end it.
        case disconnected(reason: String?)
        case value(AttributeID, ShellValue)
        case subscribed(AttributeID, name: String)
        case unsubscribed(AttributeID, name: String)
        case descriptors(AttributeID, name: String, [ShellDescriptor])
        /// The value of a descriptor went over the link; the characteristic that has it, and its name.
        case descriptor(AttributeID, name: String, ShellDescriptor, ShellValue.Source)
        /// The strength of the link was measured, in dBm.
        case signal(Int)
        /// Values were dropped because the shell was too slow.
        case dropped(name: String, count: Int)
        case passkey(String)
        case asked(String)
        /// The question is over: it was answered, or it is too late.
        case answered(String)
        case paired
        /// A request failed; its caller receives the failure, too.
        case failed(String)
    }

    /// Time since the shell began.
    var time: Duration
    var kind: Kind

    /// The event on a line; nil for an event that is no news to people: another sighting of a device.
    var text: String? {
        switch kind {
        case .scanBegan: "scanning"
        case .scanEnded: "scan ended"
        case .sighted: nil
        case .lost(let id): "out of sight: \(id)"
        case .progress(let text): text
        case .connected(let peer):
            "connected to \(peer.label): \(TextLayout.count(peer.services.count, "service")), "
                + TextLayout.count(peer.characteristics.count, "characteristic")
        case .disconnected(nil): "disconnected"
        case .disconnected(let reason?): "link lost: \(reason)"
        case .value(_, let value): "\(value.source.rawValue) \(value.event.label): \(value.event.line)"
        case .subscribed(_, let name): "subscribed to \(name)"
        case .unsubscribed(_, let name): "unsubscribed from \(name)"
        case .descriptors(_, let name, let all): "\(name) has \(TextLayout.count(all.count, "descriptor"))"
        case .descriptor(_, let name, let descriptor, let source):
            "\(source.rawValue) \(descriptor.name) of \(name): \(descriptor.valueLine)"
        case .signal(let rssi): "signal \(SignalBars.text(rssi)) dBm"
        case .dropped(let name, let count): "\(name): \(TextLayout.count(count, "value")) dropped"
        case .passkey(let digits): "type this at the device: \(digits)"
        case .asked(let question): question
        case .answered(let outcome): outcome
        case .paired: "paired"
        case .failed(let message): message.split(separator: "\n").joined(separator: " ")
        }
    }

    /// The event's line with the lines that belong below it.
    var lines: [String] {
        guard let text else { return [] }
        guard case .descriptors(_, _, let all) = kind else { return [text] }
        return [text] + all.map { "  " + $0.line }
    }

    /// `"   12.345"`: the seconds since the shell began.
    static func time(_ time: Duration) -> String {
        TextLayout.pad(TextLayout.decimal(time / .seconds(1), digits: 3), to: 9, alignment: .right)
    }
}
