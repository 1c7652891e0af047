// SPDX-License-Identifier: MIT

package import BlueCapCore

/// A message of the program that shares its radio.
package enum HostMessage<Event: JournalCodable & Sendable>: Sendable {
    /// An event of the guest's role.
    case event(Event)
    /// An event of the guest's channels.
    case channels(ChannelEvent)
    /// The guest cannot stay, and why; the connection ends.
    case refused(BackendFailure)
}

extension HostMessage: JournalCodable {
    package func encode(into encoder: inout JournalEncoder) {
        switch self {
        case .event(let event):
            encoder.put(UInt8(1))
            encoder.put(event)
        case .refused(let failure):
            encoder.put(UInt8(2))
            encoder.put(failure)
        case .channels(let event):
            encoder.put(UInt8(3))
            encoder.put(event)
        }
    }

    package init(from decoder: inout JournalDecoder) throws(JournalFailure) {
        switch try decoder.number(UInt8.self) {
        case 1: self = .event(try decoder.value())
        case 2: self = .refused(try decoder.value())
        case 3: self = .channels(try decoder.value())
        default: throw .corrupt
        }
    }
}
