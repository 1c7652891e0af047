// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// The units of one end of a channel of the random program.
final class ChannelLog: Sendable {
    struct Facts {
        /// The units whose sending has begun, and those that went out, in order.
        var begun: [UInt64] = []
        var sent: [UInt64] = []
        /// The units that the program took, in order.
        var taken: [UInt64] = []
        var takenCount = 0
        /// The end of the sequence of units; nil where the program stopped before.
        var end: End?
        /// Whether the program closed the channel after all had gone out.
        var isClosedWhole = false
    }

    enum End: Equatable {
        case quiet
        case failed
    }

    let device: Int
    let place: ChannelPlace
    let peer: PeerIdentifier
    private let state = Locked(Facts())
    /// Finds the units in the pieces that come; nil where each piece is a unit.
    private let joiner: Locked<UnitJoiner>?
    private let openness: @Sendable () -> Bool

    /// - Parameter isStream: Whether the platform joins and cuts units.
    init(device: Int, place: ChannelPlace, isStream: Bool = false, _ channel: Channel) {
        (self.device, self.place) = (device, place)
        joiner = isStream ? Locked(UnitJoiner()) : nil
        peer = channel.peer
        openness = { [weak channel] in channel?.isOpen ?? false }
    }

    var facts: Facts { state.withLock { $0 } }
    var isOpen: Bool { openness() }

    func change(_ body: (inout Facts) -> Void) { state.withLock { body(&$0) } }

    /// - Returns: Whether the unit is one that the program or a device made, or a piece of such units.
    func took(_ unit: Bytes) -> Bool {
        let numbers = joiner.map { $0.withLock { $0.numbers(after: unit) } } ?? unit.unitNumber.map { [$0] }
        return state.withLock { facts in
            facts.takenCount += 1
            facts.taken += numbers ?? []
            return numbers != nil
        }
    }
}
