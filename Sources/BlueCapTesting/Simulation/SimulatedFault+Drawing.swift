// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapVirtual

extension SimulatedFault {
    /// Faults spread over a time, most of them with their end, in the order of time.
    ///
    /// - Parameter hasService: Whether the world has a platform with a service that can misbehave.
    static func draw(
        _ count: Int, over duration: Duration, hasService: Bool = false, from generator: inout SeededGenerator
    ) -> [SimulationStep] {
        var steps: [SimulationStep] = []
        for _ in 0..<count {
            let time = Duration.milliseconds(Int64.random(in: 0..<max(duration.milliseconds, 1), using: &generator))
            // Short as a glitch, or longer than a supervision timeout.
            let length = Duration.milliseconds(
                Int64.random(in: 1...(Bool.random(using: &generator) ? 1500 : 15000), using: &generator))
            let (begin, end) =
                hasService && generator.happens(0.4)
                ? drawOfService(from: &generator) : drawOne(from: &generator)
            steps.append(SimulationStep(time: time, lane: 0, action: .fault(begin)))
            if let end { steps.append(SimulationStep(time: time + length, lane: 0, action: .fault(end))) }
        }
        return steps
    }

    /// A fault of the platform, and what ends it.
    private static func drawOfService(from generator: inout SeededGenerator) -> (SimulatedFault, SimulatedFault?) {
        if generator.happens(0.4) {
            let outage = Outage.allCases.randomElement(using: &generator) ?? .restart
            return (.outage(outage, isOver: false), .outage(outage, isOver: true))
        }
        let call = Int.random(in: 0..<60, using: &generator)
        let fault: ServiceFault =
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: .refuses(call: call)
            case 1: .holdsBack(call: call)
            case 2: .answersTwice(call: call)
            default: .repeatsItself
            }
        return (.service(fault, isOver: false), .service(fault, isOver: true))
    }

    /// A fault, and what ends it.
    private static func drawOne(from generator: inout SeededGenerator) -> (SimulatedFault, SimulatedFault?) {
        if generator.happens(0.15) {
            let adapter = Int.random(in: 0..<8, using: &generator)
            return generator.happens(0.6)
                ? (.adapter(adapter, .powerOff), .adapter(adapter, .powerOn))
                : (.adapter(adapter, .unplug), .adapter(adapter, .plugIn))
        }
        let device = Int.random(in: 0..<60, using: &generator)
        let (begin, end) = DeviceFault.draw(from: &generator)
        return (.device(device, begin), end.map { .device(device, $0) })
    }
}

extension DeviceFault {
    private static let errors: [ATTError] = [
        .unlikelyError, .insufficientResources, .requestNotSupported, .outOfRange, ATTError(rawValue: 0x80),
    ]

    /// A fault, and what ends it.
    fileprivate static func draw(from generator: inout SeededGenerator) -> (DeviceFault, DeviceFault?) {
        let place = Int.random(in: 0..<12, using: &generator)
        let operation = VirtualOperation.allCases.randomElement(using: &generator) ?? .read
        switch Int.random(in: 0..<17, using: &generator) {
        case 0, 1: return (.vanish, .reappear)
        case 2: return (.mute, .unmute)
        case 3, 4: return (.slow(.milliseconds(Int64.random(in: 100...6000, using: &generator))), .slow(.zero))
        case 5: return (.reset, nil)
        case 6: return (.loss(percent: Int.random(in: 5...95, using: &generator)), .loss(percent: 0))
        case 7: return (.refuse(true), .refuse(false))
        case 8: return (.move(metres: Int.random(in: 1...120, using: &generator)), .move(metres: 2))
        case 9, 10: return (.lastService(isThere: false), .lastService(isThere: true))
        case 11: return (.forgetBonds, nil)
        case 12:
            return (.error(place, operation, errors.randomElement(using: &generator)), .error(place, operation, nil))
        case 13: return (.hold(place, operation), .release(place, operation))
        case 14: return (.hold(place, operation), .answerHeld(place, operation))
        case 15: return (.disconnect, nil)
        default:
            return generator.happens(0.5)
                ? (.advertise(false), .advertise(true))
                : (.unit(Int.random(in: 23...517, using: &generator)), .rename("Device \(place)"))
        }
    }
}

extension Duration {
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
