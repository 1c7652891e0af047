// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapVirtual

extension ProgramCall {
    /// The parameters of the use of a channel.
    struct ChannelUse: Hashable {
        var place: ChannelPlace
        var isEncrypted = false
        var timeout: Duration?
        var cancellation: Duration?
        /// The number of units to send.
        var count = 10
        /// The pause after each unit that is taken.
        var pause = Duration.zero
        var duration = Duration.seconds(5)
        /// Whether the channel is closed in the end, and drained, rather than released.
        var isClosed = false
    }

    /// Calls about channels spread over a time, in lanes of their own, so that the other calls of a seed stay.
    static func drawChannels(
        _ count: Int, over duration: Duration, from generator: inout SeededGenerator
    ) -> [SimulationStep] {
        (0..<count).map { _ in
            let time = Duration.milliseconds(Int64.random(in: 1...max(duration.milliseconds, 1), using: &generator))
            let device = Int.random(in: 0..<RandomProgram.deviceCount, using: &generator)
            let lane = laneCount + 4 + Int.random(in: 0..<3, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<6:
                let use = drawUse(from: &generator)
                return SimulationStep(time: time, lane: lane, action: .call(.channel(device, use)))
            case 6, 7:
                let publishing = ProgramCall.publish(
                    drawPlace(from: &generator), pause: drawPause(from: &generator),
                    .milliseconds(Int64.random(in: 1...40_000, using: &generator)))
                return SimulationStep(time: time, lane: laneCount + 7, action: .call(publishing))
            default:
                let action = drawAction(from: &generator)
                return SimulationStep(
                    time: time, lane: laneCount + 8, action: .call(.channelAction(device, action)))
            }
        }
    }

    private static func drawPlace(from generator: inout SeededGenerator) -> ChannelPlace {
        // Most are useful.
        if generator.happens(0.6) { return generator.happens(0.5) ? .keep : .echo }
        return ChannelPlace.allCases.randomElement(using: &generator) ?? .keep
    }

    private static func drawPause(from generator: inout SeededGenerator) -> Duration {
        generator.happens(0.5) ? .zero : .milliseconds(Int64.random(in: 1...400, using: &generator))
    }

    private static func drawUse(from generator: inout SeededGenerator) -> ChannelUse {
        var use = ChannelUse(place: drawPlace(from: &generator))
        use.isEncrypted = use.place == .encrypted ? generator.happens(0.7) : generator.happens(0.1)
        use.timeout = generator.happens(0.7) ? .milliseconds(Int64.random(in: 1...8000, using: &generator)) : nil
        use.cancellation = generator.happens(0.2) ? .milliseconds(Int64.random(in: 1...4000, using: &generator)) : nil
        use.count = Int.random(in: 0...60, using: &generator)
        use.pause = drawPause(from: &generator)
        use.duration = .milliseconds(Int64.random(in: 1...15_000, using: &generator))
        use.isClosed = generator.happens(0.6)
        return use
    }

    private static func drawAction(from generator: inout SeededGenerator) -> ChannelAction {
        let place = drawPlace(from: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        // Units of its own would come between those that are sent back.
        case 0..<3: return .send(place == .echo ? .keep : place, count: Int.random(in: 1...40, using: &generator))
        case 3: return .close(place)
        case 4, 5:
            return .misbehave(place, TwinChannel.Fault.allCases.randomElement(using: &generator) ?? .exceedingLength)
        default:
            let code = UInt16.random(in: 2...13, using: &generator)
            return .refuse(place, generator.happens(0.4) ? ChannelRefusal(rawValue: code) : nil)
        }
    }
}

extension ProgramCall.ChannelUse: CustomStringConvertible {
    var description: String {
        "\(place)\(isEncrypted ? ", encrypted" : ""), \(count) units, for \(duration.inSeconds)"
            + (isClosed ? ", and close it" : "")
    }
}
