// SPDX-License-Identifier: MIT

import BlueCap

/// Prints the life of channels: in JSON all of it as events, otherwise the bytes from the peer as they are, and the
/// rest as progress.
struct ChannelReport: Sendable {
    /// The role of this side, which decides the key that names the other one.
    enum Role: Sendable {
        case central, peripheral
    }

    let role: Role
    var isJSON: Bool
    /// Takes the events.
    let output: any LineOutput
    /// Takes the bytes from the peer, where there are no events.
    let write: @Sendable (Bytes) throws(OutputClosed) -> Void
    /// Takes lines of progress and trouble.
    let progress: @Sendable (String) -> Void
    let clock: BlueCapClock

    func published(_ psm: UInt16) throws(OutputClosed) {
        try event(ChannelLifeEvent(event: "published", psm: psm), "taking channels on PSM \(psm)")
    }

    func advertising(_ name: String) throws(OutputClosed) {
        try event(ChannelLifeEvent(event: "advertising", name: name), "advertising as \(TextLayout.printable(name))")
    }

    /// The radio is in another state.
    func state(_ state: ManagerState) throws(OutputClosed) {
        try event(ChannelLifeEvent(event: "state", text: "\(state)"), "the radio is \(state)")
    }

    func stopped() throws(OutputClosed) {
        try event(ChannelLifeEvent(event: "stopped"), "took the channel and the advertisement back")
    }

    /// A channel is open.
    ///
    /// - Parameter name: The peer's name, where it is known.
    func opened(_ channel: Channel, name: String?) throws(OutputClosed) {
        var opened = event("opened", of: channel)
        (opened.name, opened.psm) = (name, channel.psm)
        (opened.maximumSendLength, opened.maximumReceiveLength) = (
            channel.maximumSendLength, channel.maximumReceiveLength
        )
        let peer = name.map { "\(TextLayout.printable($0)) (\(channel.peer))" } ?? "\(channel.peer)"
        try event(
            opened,
            "channel to \(peer) is open on PSM \(channel.psm): units of up to \(channel.maximumSendLength) bytes")
    }

    /// A unit came.
    ///
    /// - Parameter index: Its number, from 1.
    func received(_ unit: Bytes, _ index: Int, over channel: Channel) throws(OutputClosed) {
        guard isJSON else { return try write(unit) }
        try self.unit("received", unit, index, channel)
    }

    /// A unit went out.
    ///
    /// - Parameter index: Its number, from 1.
    func sent(_ unit: Bytes, _ index: Int, over channel: Channel) throws(OutputClosed) {
        if isJSON { try self.unit("sent", unit, index, channel) }
    }

    /// A channel has ended.
    ///
    /// - Parameter error: The failure, if it was one.
    func closed(_ channel: Channel, _ error: (any Error)?) throws(OutputClosed) {
        let counts = channel.statistics
        var closed = event("closed", of: channel)
        closed.psm = channel.psm
        (closed.sentUnits, closed.sentBytes) = (counts.sentUnitCount, counts.sentByteCount)
        (closed.receivedUnits, closed.receivedBytes) = (counts.receivedUnitCount, counts.receivedByteCount)
        closed.error = error.map { CommandFailure($0).message }
        let sent = Self.text(counts.sentUnitCount, counts.sentByteCount)
        let received = Self.text(counts.receivedUnitCount, counts.receivedByteCount)
        // The command line of this side tells the failure of its one channel itself.
        let reason = role == .peripheral ? closed.error.map { " (\($0))" } ?? "" : ""
        try event(closed, "channel has ended\(reason): sent \(sent); received \(received)")
    }

    /// `"3 units, 12 bytes"`.
    private static func text(_ units: Int, _ bytes: Int) -> String {
        "\(TextLayout.count(units, "unit")), \(TextLayout.count(bytes, "byte"))"
    }

    private func unit(_ name: String, _ unit: Bytes, _ index: Int, _ channel: Channel) throws(OutputClosed) {
        var event = event(name, of: channel)
        (event.index, event.value) = (index, unit.hex)
        try output.event(event)
    }

    private func event(_ name: String, of channel: Channel) -> ChannelLifeEvent {
        var event = ChannelLifeEvent(event: name, date: JSONLine.date(clock.date))
        switch role {
        case .central: event.id = channel.peer.text
        case .peripheral: event.central = channel.peer.text
        }
        return event
    }

    private func event(_ event: ChannelLifeEvent, _ line: String) throws(OutputClosed) {
        if isJSON { try output.event(event) } else { progress(line) }
    }
}

/// An event of a channel, as `channel open` and `channel listen` print it.
struct ChannelLifeEvent: Encodable, Sendable {
    var event: String
    /// The device at the other end.
    var id: String?
    /// The central at the other end.
    var central: String?
    var name: String?
    var psm: UInt16?
    /// The maximum numbers of bytes of a unit.
    var maximumSendLength: Int?
    var maximumReceiveLength: Int?
    /// The number of the unit in its direction, from 1.
    var index: Int?
    /// The unit in hexadecimal digits.
    var value: String?
    var sentUnits: Int?
    var sentBytes: Int?
    var receivedUnits: Int?
    var receivedBytes: Int?
    var text: String?
    var error: String?
    var date: String?
}
