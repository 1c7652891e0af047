// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapVirtual

extension ProgramCall {
    /// The number of the program's tasks that call the library at the same time.
    static let laneCount = 6

    /// Calls spread over a time, in the order of time within each lane.
    static func draw(_ count: Int, over duration: Duration, from generator: inout SeededGenerator) -> [SimulationStep] {
        (0..<count).map { _ in
            let time = draw(upTo: duration, from: &generator)
            let (call, lane) = drawOne(from: &generator)
            return SimulationStep(time: time, lane: lane, action: .call(call))
        }
    }

    /// Ends of centrals' links, three at most, in the lane of the server.
    static func drawDismissals(over duration: Duration, from generator: inout SeededGenerator) -> [SimulationStep] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            let time = draw(upTo: duration, from: &generator)
            return SimulationStep(time: time, lane: laneCount + 1, action: .call(.dismissCentrals))
        }
    }

    /// A call, and the lane that makes it: the devices, the server, and the users who answer pairing have lanes of
    /// their own.
    private static func drawOne(from generator: inout SeededGenerator) -> (ProgramCall, Int) {
        let device = Int.random(in: 0..<RandomProgram.deviceCount, using: &generator)
        let lane = Int.random(in: 0..<laneCount, using: &generator)
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<17: return (drawSending(device, from: &generator), laneCount)
        case 17..<24: return (drawServing(from: &generator), laneCount + 1)
        case 24..<34:
            let (role, number) = generator.happens(0.6) ? (ProgramRole.central, 2) : (.peripheral, 3)
            let capability = PairingCapability.allCases.randomElement(using: &generator) ?? .noInputNoOutput
            return (
                .answerPairing(role, capability, draw(upTo: .seconds(60), from: &generator)), laneCount + number
            )
        case 34..<43: return (drawPairing(device, from: &generator), lane)
        default: return (drawCalling(device, from: &generator), lane)
        }
    }

    private static func drawCalling(_ device: Int, from generator: inout SeededGenerator) -> ProgramCall {
        switch Int.random(in: 0..<42, using: &generator) {
        case 0..<4:
            let (timeout, cancellation) = drawLimits(from: &generator)
            return .connect(device, timeout: timeout, cancellation: cancellation)
        case 4..<6: return .disconnect(device)
        case 6..<8: return .policy(device, drawPolicy(from: &generator))
        case 8: return .discover(device)
        case 9..<17:
            let (timeout, cancellation) = drawLimits(from: &generator)
            return .read(device, drawRegister(from: &generator), timeout: timeout, cancellation: cancellation)
        case 17..<25:
            let (timeout, cancellation) = drawLimits(from: &generator)
            return .write(device, drawRegister(from: &generator), timeout: timeout, cancellation: cancellation)
        case 25..<27:
            return .command(
                device, count: Int.random(in: 1...12, using: &generator), isOverSocket: generator.happens(0.3))
        case 27: return .signalStrength(device)
        case 28..<36: return .listen(device, drawListening(from: &generator))
        case 36: return .hold(device, draw(upTo: .seconds(8), from: &generator))
        case 37: return .scan(draw(upTo: .seconds(6), from: &generator))
        case 38: return .forget(device)
        case 39: return .reconnect(device, after: draw(upTo: .seconds(3), from: &generator))
        case 40: return .measure(device, draw(upTo: .seconds(10), from: &generator))
        default:
            return generator.happens(0.3) ? .resetCentral : .retrieve(connected: Bool.random(using: &generator))
        }
    }

    private static func drawPairing(_ device: Int, from generator: inout SeededGenerator) -> ProgramCall {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<7:
            let (timeout, cancellation) = drawLimits(from: &generator)
            return .pair(device, timeout: timeout, cancellation: cancellation)
        case 7: return .cancelPairing(device)
        default: return .removeBond(device)
        }
    }

    private static func drawRegister(from generator: inout SeededGenerator) -> ProgramRegister {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<9: .plain
        case 9..<13: .long
        case 13..<16: .descriptor
        default: .encrypted
        }
    }

    private static func drawSending(_ device: Int, from generator: inout SeededGenerator) -> ProgramCall {
        if generator.happens(0.2) { return .greet(device, generator.happens(0.7)) }
        return .send(
            device, count: Int.random(in: 1...30, using: &generator), isIndicated: generator.happens(0.3),
            isSingle: generator.happens(0.2))
    }

    private static func drawServing(from generator: inout SeededGenerator) -> ProgramCall {
        switch Int.random(in: 0..<11, using: &generator) {
        case 0..<2: .serve(false)
        case 2..<5: .serve(true)
        case 5: .advertise(false)
        case 6, 7: .advertise(true)
        case 8, 9: .advertiseMore(draw(upTo: .seconds(20), from: &generator))
        default: .resetServer
        }
    }

    private static func drawListening(from generator: inout SeededGenerator) -> Listening {
        var listening = Listening()
        listening.isIndicated = generator.happens(0.3)
        listening.duration = draw(upTo: .seconds(20), from: &generator)
        listening.survivesLinks = generator.happens(0.4)
        if generator.happens(0.3) {
            listening.capacity = Int.random(in: 1...4, using: &generator)
            listening.pause = draw(upTo: .milliseconds(400), from: &generator)
        }
        return listening
    }

    private static func drawPolicy(from generator: inout SeededGenerator) -> ReconnectPolicy {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: .never
        case 1: ReconnectPolicy(maximumTimeouts: 2, maximumDisconnections: 2)
        default: ReconnectPolicy(maximumTimeouts: nil, maximumDisconnections: nil)
        }
    }

    /// A timeout and a cancellation, each there now and then.
    private static func drawLimits(from generator: inout SeededGenerator) -> (Duration?, Duration?) {
        let timeout = generator.happens(0.6) ? draw(upTo: .seconds(5), from: &generator) : nil
        let cancellation = generator.happens(0.2) ? draw(upTo: .seconds(4), from: &generator) : nil
        return (timeout, cancellation)
    }

    private static func draw(upTo limit: Duration, from generator: inout SeededGenerator) -> Duration {
        .milliseconds(Int64.random(in: 1...max(limit.milliseconds, 1), using: &generator))
    }
}
