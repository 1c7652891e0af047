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
            if let end { steps.append(SimulationStep(time: time + length, lane: 0, action: .fault(end), isEnd: true)) }
        }
        return steps
    }

    /// A fault of the platform, with the fault that ends it.
    private static func drawOfService(from generator: inout SeededGenerator) -> (SimulatedFault, SimulatedFault?) {
        if generator.happens(0.4) {
            let outage = Outage.allCases.randomElement(using: &generator) ?? .restart
            return (.outage(outage, isOver: false), .outage(outage, isOver: true))
        }
        let call = Int.random(in: 0..<105, using: &generator)
        let fault: ServiceFault =
            switch Int.random(in: 0..<9, using: &generator) {
            case 0, 1: .refuses(call: call)
            case 2, 3: .holdsBack(call: call)
            case 4, 5: .answersTwice(call: call)
            case 6, 7: .repeatsItself
            default: .standsStill
            }
        return (.service(fault, isOver: false), .service(fault, isOver: true))
    }

    private static func drawOne(from generator: inout SeededGenerator) -> (SimulatedFault, SimulatedFault?) {
        if generator.happens(0.15) {
            let adapter = Int.random(in: 0..<8, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5: return (.adapter(adapter, .powerOff), .adapter(adapter, .powerOn))
            case 5..<9: return (.adapter(adapter, .unplug), .adapter(adapter, .plugIn))
            default: return (.adapter(adapter, .forbid), .adapter(adapter, .powerOn))
            }
        }
        let device = Int.random(in: 0..<60, using: &generator)
        let (begin, end) = DeviceFault.draw(from: &generator)
        return (.device(device, begin), end.map { .device(device, $0) })
    }
}

extension DeviceFault {
    private static let errors: [ATTError] = [
        .unlikelyError, .insufficientResources, .requestNotSupported, .outOfRange, .insufficientAuthentication,
        .insufficientEncryption, ATTError(rawValue: 0x80),
    ]
    private static let pairings: [VirtualPairing] = [.justWorks, .comparing, .showing, .typing, .refused]

    fileprivate static func draw(from generator: inout SeededGenerator) -> (DeviceFault, DeviceFault?) {
        let place = Int.random(in: 0..<60, using: &generator)
        let operation = VirtualOperation.allCases.randomElement(using: &generator) ?? .read
        switch Int.random(in: 0..<20, using: &generator) {
        case 0, 1: return (.vanish, .reappear)
        case 2: return (.mute, .unmute)
        case 3, 4: return (.slow(.milliseconds(Int64.random(in: 100...6000, using: &generator))), .slow(.zero))
        case 5: return (.reset, nil)
        case 6: return (.loss(percent: Int.random(in: 5...100, using: &generator)), .loss(percent: 0))
        case 7: return (.refuse(true), .refuse(false))
        case 8: return (.move(metres: Int.random(in: 1...120, using: &generator)), .move(metres: 2))
        case 9, 10: return (.service(place, isThere: false), .service(place, isThere: true))
        case 11, 12:
            let error = errors.randomElement(using: &generator)
            return (.error(place, operation, error), .error(place, operation, nil))
        case 13: return (.hold(place, operation), .release(place, operation))
        case 14: return (.hold(place, operation), .answerHeld(place, operation))
        case 15: return (.disconnect, nil)
        case 16: return (.die, .revive)
        case 17:
            return generator.happens(0.3)
                ? (.forgetBonds, nil) : (.pairing(pairings.randomElement(using: &generator)), .pairing(nil))
        default: return drawOfAdvertising(place, from: &generator)
        }
    }

    /// A change of the advertised data, or of the data that centrals discover.
    private static func drawOfAdvertising(
        _ place: Int, from generator: inout SeededGenerator
    ) -> (DeviceFault, DeviceFault?) {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0, 1: (.advertise(false), .advertise(true))
        case 2: (.interval(milliseconds: Int.random(in: 20...2000, using: &generator)), .interval(milliseconds: 100))
        case 3: (.address(place), .address(place + 1))
        default: (.unit(Int.random(in: 23...517, using: &generator)), .rename("Device \(place)"))
        }
    }
}

extension Duration {
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
