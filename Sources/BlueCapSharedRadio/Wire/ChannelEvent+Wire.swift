// SPDX-License-Identifier: MIT

package import BlueCapCore
import BlueCapSerDe

extension ChannelEvent: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        switch self {
        case .accepted(let channel):
            encoder.put(UInt8(1))
            encoder.put(channel)
        case .received(let channel, let unit):
            encoder.put(UInt8(2))
            encoder.put(channel)
            encoder.put(unit)
        case .closed(let channel, let error):
            encoder.put(UInt8(3))
            encoder.put(channel)
            encoder.put(error) { $0.put($1) }
        case .reply(let request, .success(let reply)):
            encoder.put(UInt8(4))
            encoder.put(request.rawValue)
            encoder.put(reply)
        case .reply(let request, .failure(let error)):
            encoder.put(UInt8(5))
            encoder.put(request.rawValue)
            encoder.put(error)
        }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        switch try decoder.number(UInt8.self) {
        case 1: self = .accepted(try decoder.value())
        case 2: self = .received(try decoder.channel(), try decoder.unit())
        case 3:
            let channel = try decoder.channel()
            self = .closed(channel, try decoder.optional { decoder throws(JournalFailure) in try decoder.value() })
        case 4:
            let request = RequestID(rawValue: try decoder.number())
            self = .reply(request, .success(try decoder.value()))
        case 5:
            let request = RequestID(rawValue: try decoder.number())
            self = .reply(request, .failure(try decoder.value()))
        default: throw .corrupt
        }
    }
}

extension ChannelReply: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        switch self {
        case .opened(let channel):
            encoder.put(UInt8(1))
            encoder.put(channel)
        case .published(let psm):
            encoder.put(UInt8(2))
            encoder.put(psm)
        case .done: encoder.put(UInt8(3))
        }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        switch try decoder.number(UInt8.self) {
        case 1: self = .opened(try decoder.value())
        case 2: self = .published(psm: try decoder.psm(in: 0x80...0xFF))
        case 3: self = .done
        default: throw .corrupt
        }
    }
}

extension OpenedChannel: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        encoder.put(id)
        encoder.put(peer)
        encoder.put(psm)
        encoder.put(UInt32(clamping: maximumSendLength))
        encoder.put(UInt32(clamping: maximumReceiveLength))
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        self.init(
            id: try decoder.channel(), peer: try decoder.value(), psm: try decoder.psm(in: 1...0xFF),
            maximumSendLength: try decoder.unitLength(), maximumReceiveLength: try decoder.unitLength())
    }
}
