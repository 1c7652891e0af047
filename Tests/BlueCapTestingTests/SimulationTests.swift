// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapVirtual
import Testing

@testable import BlueCapTesting

@Suite("The simulation of both roles", .timeLimit(.minutes(60)))
struct SimulationTests {
    @Test(arguments: [1, 1001, 2001, 3001] as [UInt64])
    func `passes with fixed seeds`(first: UInt64) async throws {
        for seed in first..<(first + 10) { try await Simulation().run(seed: seed) }
    }

    @Test func `takes a subscription for left on that a peer refused to end, whatever else changes`() async throws {
        var listening = ProgramCall.Listening()
        listening.duration = .milliseconds(13_891)
        listening.survivesLinks = true
        let steps = [
            Self.step(4598, .call(.listen(0, listening))),
            Self.step(15_350, .fault(.device(0, .error(1, .subscribe, ATTError(rawValue: 0x80))))),
            Self.step(15_500, .fault(.device(0, .service(1, isThere: false)))),
        ]
        #expect(await Simulation().play(RandomProgram.self, seed: 5908, steps: steps).violations == [])
    }

    @Test
    func `leaves no characteristic notifying after a reset that overtakes the end of its notifications`() async throws {
        try await Simulation().run(seed: 844_254_640)
    }

    private static func step(_ milliseconds: Int, _ action: SimulationStep.Action) -> SimulationStep {
        SimulationStep(time: .milliseconds(milliseconds), lane: 0, action: action)
    }

    @Test(arguments: [1, 1001] as [UInt64])
    func `of a program that is killed and restored passes with fixed seeds`(first: UInt64) async throws {
        for seed in first..<(first + 10) { try await Simulation().runWithKills(seed: seed) }
    }

    @Test func `gives the same for the same seed, and something else for another`() async throws {
        let first = try await Simulation().run(seed: 17).lines
        #expect(first.count > 100)
        for _ in 0..<2 { #expect(try await Simulation().run(seed: 17).lines == first) }
        #expect(try await Simulation().run(seed: 18).lines != first)
        let killed = try await Simulation().runWithKills(seed: 17).lines
        #expect(killed.contains { $0.contains("the program is killed") })
        #expect(try await Simulation().runWithKills(seed: 17).lines == killed)
    }

    @Test func `says nothing that another process would say otherwise`() async throws {
        // A value without a description of its own would show the address of its code in memory.
        for seed in 100..<110 as Range<UInt64> {
            let lines = try await Simulation().run(seed: seed).lines + Simulation().runWithKills(seed: seed).lines
            #expect(lines.filter { $0.contains(" at $") } == [])
        }
    }

    @Test func `draws every kind of call and of fault`() {
        var drawn: Set<String> = []
        for seed in 1...200 as ClosedRange<UInt64> {
            let steps = Simulation().faults(seed, hasService: seed.isMultiple(of: 2)) + Simulation().calls(seed)
            drawn.formUnion(steps.map { Self.kind(of: $0.action) })
        }
        let devices: [DeviceFault] = [
            .vanish, .reappear, .die, .revive, .mute, .unmute, .slow(.zero), .reset, .loss(percent: 0), .refuse(true),
            .move(metres: 1), .service(0, isThere: true), .forgetBonds, .pairing(nil), .error(0, .read, nil),
            .hold(0, .read), .answerHeld(0, .read), .release(0, .read), .disconnect, .advertise(true),
            .interval(milliseconds: 20), .address(0), .unit(23), .rename(""),
        ]
        let adapters: [AdapterFault] = [.powerOff, .powerOn, .unplug, .plugIn, .forbid]
        let services: [ServiceFault] = [
            .refuses(call: 0), .holdsBack(call: 0), .answersTwice(call: 0), .repeatsItself, .standsStill,
        ]
        let calls: [ProgramCall] = [
            .connect(0, timeout: nil, cancellation: nil), .reconnect(0, after: .zero), .disconnect(0),
            .policy(0, .never), .discover(0), .read(0, .plain, timeout: nil, cancellation: nil),
            .write(0, .plain, timeout: nil, cancellation: nil), .command(0, count: 1, isOverSocket: false),
            .signalStrength(0), .measure(0, .zero), .listen(0, .init()), .hold(0, .zero), .forget(0),
            .pair(0, timeout: nil, cancellation: nil), .cancelPairing(0), .removeBond(0),
            .answerPairing(.central, .displayOnly, .zero), .scan(.zero), .retrieve(connected: true), .resetCentral,
            .serve(true), .advertise(true), .advertiseMore(.zero), .resetServer, .dismissCentrals,
            .send(0, count: 1, isIndicated: true, isSingle: true), .greet(0, true),
            .channel(0, .init(place: .keep)), .publish(.keep, pause: .zero, .zero), .channelAction(0, .close(.keep)),
        ]
        let known: [SimulationStep.Action] =
            devices.map { .fault(.device(0, $0)) } + adapters.map { .fault(.adapter(0, $0)) }
            + services.map { .fault(.service($0, isOver: true)) }
            + Outage.allCases.map { .fault(.outage($0, isOver: true)) } + calls.map { .call($0) }
        #expect(drawn == Set(known.map(Self.kind)))
    }

    /// An action without its values.
    private static func kind(of action: SimulationStep.Action) -> String {
        switch action {
        case .call(let call): "call \(name(of: call))"
        case .kill: "kill"
        case .fault(.device(_, let fault)): "device \(name(of: fault))"
        case .fault(.adapter(_, let fault)): "adapter \(fault)"
        case .fault(.outage(let outage, _)): "outage \(outage)"
        case .fault(.service(let fault, _)): "service \(name(of: fault))"
        }
    }

    /// The name of the case if it has values, its description if not.
    private static func name(of value: some CustomStringConvertible) -> String {
        Mirror(reflecting: value).children.first?.label ?? value.description
    }

    @Test func `tells of a failure how to run it again, and which steps it takes`() {
        let failure = SimulationFailure(
            seed: 7, again: "swift run bluecap-simulate --seed 7", violations: ["1.000 s  a read has not returned"],
            steps: [SimulationStep(time: .milliseconds(1500), lane: 0, action: .fault(.device(1, .vanish)))],
            stepCount: 60, trace: SimulationTrace([]))
        #expect(
            failure.description == """
                seed 7 fails:
                    1.000 s  a read has not returned
                run it again: swift run bluecap-simulate --seed 7
                the steps that it takes, 1 of 60:
                    1.500 s  device 1 goes out of range
                """)
    }

    @Test func `tells of a failure without a fault that it takes none of the steps`() {
        let failure = SimulationFailure(
            seed: 7, again: "Simulation().run(App.self, seed: 7)", violations: ["180.000 s  NotHeard()"], steps: [],
            stepCount: 22, trace: SimulationTrace([]))
        #expect(
            failure.description == """
                seed 7 fails:
                    180.000 s  NotHeard()
                run it again: Simulation().run(App.self, seed: 7)
                it takes none of the 22 steps: it fails where nothing goes wrong, too
                """)
    }

    @Test func `leaves out of a failure every step that it does not take`() async {
        let steps = (0..<40).map {
            SimulationStep(time: .seconds($0), lane: 0, action: .fault(.device(0, .move(metres: $0))))
        }
        let needed = await Simulation().shrink(steps) { $0.contains(steps[3]) && $0.contains(steps[31]) }
        #expect(needed == [steps[3], steps[31]])
    }
}
