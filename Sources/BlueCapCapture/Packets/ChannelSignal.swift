// SPDX-License-Identifier: MIT

/// A packet of signalling on an LE link, as far as it is about connection-oriented channels (Core Specification, Vol 3,
/// Part A, 4).
enum ChannelSignal: Sendable, Hashable {
    /// The terms of the side that sends them; all zero in a refusal.
    struct Terms: Sendable, Hashable {
        var number: UInt16
        var maximumUnitLength: UInt16
        var maximumFrameLength: UInt16
        var credits: UInt16
    }

    /// A request for a channel (4.22).
    case request(psm: UInt16, Terms)
    /// The answer to it (4.23); the result is 0 for a channel that is open.
    case response(Terms, result: UInt16)
    /// More credits for the sender's end (4.24).
    case credits(number: UInt16, count: UInt16)
    /// A request to end a channel (4.6): the receiver's end and the sender's.
    case disconnect(destination: UInt16, source: UInt16)
    /// The answer to it (4.7), with the same numbers.
    case disconnected(destination: UInt16, source: UInt16)
    /// The other side does not know a request (4.1).
    case reject
    /// A packet of the enhanced mode of channels (4.25 to 4.28).
    case enhanced
    /// A packet about something else.
    case other

    /// Reads the payload of a frame.
    ///
    /// - Returns: The identifier and the packet; nil where the lengths lie, or the identifier is 0.
    static func read(_ payload: [UInt8]) -> (identifier: UInt8, signal: ChannelSignal)? {
        var cursor = ByteCursor(payload)
        // A frame has one packet on LE links.
        guard let code = cursor.byte(), let identifier = cursor.byte(), identifier != 0,
            let count = cursor.little(UInt16.self), Int(count) == cursor.remaining,
            let signal = ChannelSignal(code, &cursor), cursor.remaining == 0
        else { return nil }
        return (identifier, signal)
    }

    private init?(_ code: UInt8, _ cursor: inout ByteCursor) {
        switch code {
        case 0x06, 0x07:
            guard let destination = cursor.little(UInt16.self), let source = cursor.little(UInt16.self) else {
                return nil
            }
            self =
                code == 0x06
                ? .disconnect(destination: destination, source: source)
                : .disconnected(destination: destination, source: source)
        case 0x14:
            guard let psm = cursor.little(UInt16.self), let terms = Terms(&cursor) else { return nil }
            self = .request(psm: psm, terms)
        case 0x15:
            guard let terms = Terms(&cursor), let result = cursor.little(UInt16.self) else { return nil }
            self = .response(terms, result: result)
        case 0x16:
            guard let number = cursor.little(UInt16.self), let count = cursor.little(UInt16.self) else { return nil }
            self = .credits(number: number, count: count)
        default:
            _ = cursor.takeRest()
            self = code == 0x01 ? .reject : (0x17...0x1A).contains(code) ? .enhanced : .other
        }
    }
}

extension ChannelSignal.Terms {
    fileprivate init?(_ cursor: inout ByteCursor) {
        guard let number = cursor.little(UInt16.self), let maximumUnitLength = cursor.little(UInt16.self),
            let maximumFrameLength = cursor.little(UInt16.self), let credits = cursor.little(UInt16.self)
        else { return nil }
        self.init(
            number: number, maximumUnitLength: maximumUnitLength, maximumFrameLength: maximumFrameLength,
            credits: credits)
    }
}
