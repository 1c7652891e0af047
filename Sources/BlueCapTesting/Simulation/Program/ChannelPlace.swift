// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The PSMs of the random program's devices, each with a treatment of its own.
enum ChannelPlace: UInt16, Sendable, Hashable, CaseIterable {
    /// Units are kept.
    case keep = 0x80
    /// Units are sent back.
    case echo
    /// No unit is taken.
    case stall
    /// Units are kept, on encrypted links only.
    case encrypted
    /// No channel is taken.
    case none

    var psm: UInt16 { rawValue }

    /// The same of a virtual device; nil where it takes no channels.
    func twin(refusal: ChannelRefusal? = nil) -> TwinChannel? {
        switch self {
        case .keep: TwinChannel(psm: psm, refusal: refusal)
        case .echo: TwinChannel(psm: psm, behaviour: .echo, refusal: refusal)
        case .stall: TwinChannel(psm: psm, behaviour: .stall, refusal: refusal)
        case .encrypted: TwinChannel(psm: psm, isEncrypted: true, refusal: refusal)
        case .none: nil
        }
    }
}

/// An action of a device's firmware that concerns its channels.
enum ChannelAction: Sendable, Hashable {
    case send(ChannelPlace, count: Int)
    case close(ChannelPlace)
    case misbehave(ChannelPlace, TwinChannel.Fault)
    /// Refuses channels with a code, or takes them again.
    case refuse(ChannelPlace, ChannelRefusal?)
}

extension ChannelAction: CustomStringConvertible {
    var description: String {
        switch self {
        case .send(let place, let count): "sends \(count) units to its \(place) channels"
        case .close(let place): "closes its \(place) channels"
        case .misbehave(let place, let fault): "breaks a rule of its \(place) channels: \(fault)"
        case .refuse(let place, let refusal?): "refuses \(place) channels: \(refusal)"
        case .refuse(let place, nil): "takes \(place) channels again"
        }
    }
}

extension Bytes {
    /// A unit of 8 to 600 bytes with a number.
    init(unit number: UInt64) {
        let filler = UInt8(truncatingIfNeeded: number)
        self.init(Array(Bytes(number: number)) + [UInt8](repeating: filler, count: Int(number * 37 % 593)))
    }

    /// The number of a unit; nil for a unit that was never sent as a whole.
    var unitNumber: UInt64? {
        guard let number = Bytes(Array(prefix(8))).number, number < 1 << 40, Bytes(unit: number) == self else {
            return nil
        }
        return number
    }
}
