// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapGateway
import BlueCapRuntime
import BlueCapVirtual

/// A day of a gateway in a house, in simulated time, with faults of the radio, the sensors and the broker that a seed
/// chooses; for some seeds an hour and a half of a group of gateways, with more faults, and sensors that move between
/// the gateways.
///
/// The faults end some time before the end. At the end each sensor that is heard is available, with its newest value,
/// and no other one is, and nothing is kept of sensors that a rule hides. Within a group its owner is a gateway that
/// hears it, and none much worse than another one; a sensor that moves after the faults is available all the time.
final class GatewaySimulation: Sendable {
    struct Findings: Sendable {
        /// The expectations that failed, with the times.
        var mistakes: [String] = []
        var sightings = 0
        var faults = 0
        var messages = ScriptedClient.Counts()
    }

    private struct Setting {
        var gatewayCount = 1
        var faultsEnd = Duration.seconds(20 * 3600)
        var measuringEnd = Duration.seconds(23 * 3600 + 3000)
        var end = Duration.seconds(24 * 3600)
        /// The longest time between two faults, in seconds.
        var longestPause = 900
        /// By how much faults are shorter than in a day.
        var haste = 1
        /// The time from the end of faults to the last moves of a group.
        var settling = Duration.zero

        /// A device that was away for as long as there are faults is available for as long at the most, after them.
        static let group = Setting(
            gatewayCount: 3, faultsEnd: .seconds(35 * 60), measuringEnd: .seconds(80 * 60), end: .seconds(90 * 60),
            longestPause: 40, haste: 8, settling: .seconds(25 * 60))
    }

    private static let maximumDevices = 12
    /// More timers than all parts of the simulation have for each gateway at the same time.
    private static let timerLimit = 64

    private let radio: VirtualRadio
    /// That of the radio, but for dates.
    private let clock: BlueCapClock
    private let jump = Locked(Duration.zero)
    private let setting: Setting
    /// That of the first gateway.
    private let plan: GatewayPlan
    private let sensors: [SimulatedSensor]
    private let broker: ScriptedBroker
    private let gateways: [SimulatedGateway]
    private let random: Locked<SeededGenerator>
    private let findings = Locked(Findings())

    private init(_ radio: VirtualRadio) {
        self.radio = radio
        setting = radio.seed % 7 == 0 ? .group : Setting()
        let jump = jump
        let clock = BlueCapClock(
            elapsed: { radio.clock.elapsed }, schedule: { radio.clock.schedule(after: $0, $1) },
            date: { Timestamp(sinceEpoch: .seconds(1_800_000_000) + jump.withLock { $0 } + radio.clock.elapsed) })
        var random = SeededGenerator(seed: radio.seed, name: "house")
        let sensors = (1...6).map { number in
            SimulatedSensor(
                "A4:C1:38:00:00:0\(number)", isEncrypted: number % 3 == 0,
                format: [2: SimulatedSensor.Format.plain, 4: .addressed][number],
                interval: .seconds(2 + Int(random.next() % 50)))
        }
        var plan = GatewayPlan(name: "cellar")
        plan.maximumDevices = Self.maximumDevices
        plan.rules = Self.rules(sensors)
        if setting.gatewayCount > 1 { plan.group = "home" }
        let broker = ScriptedBroker(seed: radio.seed, clock: clock)
        gateways = ["cellar", "attic", "hall"].prefix(setting.gatewayCount).enumerated().map { index, name in
            plan.name = name
            let adapter = radio.adapter(address: "00:00:5E:00:53:0\(index + 1)")
            return SimulatedGateway(plan, radio, adapter, broker, clock) { identifier in
                sensors.first { $0.peripheral.identifier == identifier }.map { $0.gain(at: name) } ?? 0
            }
        }
        plan.name = "cellar"
        (self.plan, self.broker, self.clock, self.random) = (plan, broker, clock, Locked(random))
        self.sensors = sensors
    }

    /// Plays the day of a seed.
    static func run(seed: UInt64) async throws -> Findings {
        try await VirtualRadio.run(seed: seed, limit: .seconds(25 * 3600)) { radio in
            let simulation = GatewaySimulation(radio)
            try await simulation.play()
            return simulation.findings.withLock { $0 }
        }
    }

    private static func rules(_ sensors: [SimulatedSensor]) -> GatewayRules {
        GatewayRules(
            sensors.compactMap { sensor in
                guard sensor.isEncrypted || sensor.isHidden else { return nil }
                var rule = GatewayRule()
                rule.match.address = sensor.peripheral.identifier
                rule.isPublished = !sensor.isHidden
                rule.key = sensor.isEncrypted ? BindKey(hex: SimulatedSensor.key) : nil
                return rule
            })
    }

    // MARK: The day

    private func play() async throws {
        let observation = radio.observe { [findings] event in
            if case .advertisement = event { findings.withLock { $0.sightings += 1 } }
        }
        for sensor in sensors {
            radio.add(sensor.peripheral)
            sensor.measure()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for gateway in gateways { group.addTask { try await gateway.run() } }
            for index in sensors.indices { group.addTask { [self] in try await measure(index) } }
            group.addTask { [self] in try await fail() }
            defer { group.cancelAll() }
            for part in 1...24 {
                try await clock.sleep(for: setting.end * part / 24 - clock.elapsed)
                await look()
            }
            lookAtEnd()
            for gateway in gateways { gateway.stop() }
            try await group.waitForAll()
        }
        radio.stopObserving(observation)
        for mistake in gateways.flatMap(\.mistakes) { note(mistake) }
        for mistake in broker.watch.mistakes { note(mistake) }
        findings.withLock { $0.messages = gateways.map(\.counts).reduce(.init(), +) }
    }

    private func measure(_ index: Int) async throws {
        while clock.elapsed < setting.measuringEnd {
            try await clock.sleep(for: .seconds(number(5...300)))
            sensors[index].measure()
        }
    }

    // MARK: Faults

    private func number(_ range: ClosedRange<Int>) -> Int {
        random.withLock { range.lowerBound + Int($0.next() % UInt64(range.count)) }
    }

    /// A time of a fault.
    private func time(_ seconds: ClosedRange<Int>) -> Duration { .seconds(number(seconds)) / setting.haste }

    private func fail() async throws {
        try await clock.sleep(for: .seconds(setting.longestPause * 2 / 3))
        while clock.elapsed < setting.faultsEnd {
            try await cause()
            findings.withLock { $0.faults += 1 }
            try await clock.sleep(for: .seconds(number(1...setting.longestPause)))
        }
        for gateway in gateways { gateway.adapter.powerOn() }
        broker.change(to: .open)
        for sensor in sensors {
            // Some stay as they are.
            if number(0...3) > 0 { sensor.go(away: false) }
            if number(0...3) > 0 { sensor.change(to: .right) }
        }
        // Those that were killed are there again.
        try await clock.sleep(for: .seconds(60))
        // The availability of a device that it does not know reaches a gateway when it connects.
        broker.cut()
        if gateways.count > 1 { try await moveInQuiet() }
    }

    /// Moves sensors while nothing fails: none of them ceases to be available, and no owner changes without a move.
    private func moveInQuiet() async throws {
        for sensor in sensors { move(sensor, isHeard: true) }
        // Those that had not been heard for long are not available for long.
        try await clock.sleep(for: setting.settling)
        for sensor in sensors { move(sensor, isHeard: true) }
        let heard = sensors.filter { $0.isReadable && !$0.isAway }
        broker.watch.beQuiet(hearing: Set(heard.map { TopicText.device($0.peripheral.identifier.text) }))
        try await clock.sleep(for: setting.end - clock.elapsed)
    }

    /// Carries a sensor to a place where some gateways hear it, or none.
    private func move(_ sensor: SimulatedSensor, isHeard: Bool = false) {
        var gains: [String: Int] = [:]
        for gateway in gateways where number(0...2) > 0 { gains[gateway.plan.name] = number(-35...30) }
        if isHeard, gains.isEmpty { gains[gateways[number(0...(gateways.count - 1))].plan.name] = number(-35...30) }
        sensor.move(to: gains)
    }

    private func cause() async throws {
        let sensor = sensors[number(0...(sensors.count - 1))]
        let gateway = gateways[number(0...(gateways.count - 1))]
        switch number(0...(gateways.count > 1 ? 24 : 15)) {
        case 0:
            let states: [ManagerState] = [.poweredOff, .resetting, .unsupported, .unauthorized]
            gateway.adapter.change(to: states[number(0...3)])
            try await clock.sleep(for: time(0...1800))
            gateway.adapter.powerOn()
        case 1, 2: sensor.go(away: !sensor.isAway)
        case 3:
            let mode = SimulatedSensor.Mode.allCases[number(0...3)]
            // A gateway that has not heard the device before takes a recording once.
            sensor.change(to: gateways.count > 1 && mode == .replayed ? .garbage : mode)
        case 4: sensor.change(to: .right)
        case 5 where sensor.hasPrivateAddress:
            let digits = String(number(0x1000...0xFFFF), radix: 16, uppercase: true)
            sensor.peripheral.changeAddress(to: "A4:C1:38:01:\(digits.prefix(2)):\(digits.suffix(2))")
        case 6: try await flood(sensor)
        case 7: sensor.peripheral.rename(to: "\(number(0...99))/+#\u{0}")
        case 8:
            sensor.isHidden.toggle()
            let intervals = (Duration.seconds(number(0...2)), Duration.seconds(number(30...120)))
            for gateway in gateways {
                await gateway.adopt(Self.rules(sensors), shortestInterval: intervals.0, longestInterval: intervals.1)
                if gateways.count > 1 { try await clock.sleep(for: .milliseconds(number(0...3000))) }
            }
        case 9: try await broke(.away, for: time(0...3600))
        case 10: try await broke(.refusing, for: time(0...600))
        case 11: try await broke(.cutting, for: time(0...300))
        case 12:
            broker.change(to: .open, latency: .milliseconds(number(10...5000)))
            try await clock.sleep(for: time(0...600))
            broker.change(to: .open)
        case 13:
            broker.forgetAll()
            broker.cut()
        case 14: send()
        case 15...17 where gateways.count > 1:
            gateway.kill(for: time(1...2400))
            // Often the last one is killed, too.
            for other in gateways where number(0...3) == 0 { other.kill(for: time(1...2400)) }
        case 18: gateway.cut()
        case 20...24: move(sensor)
        default: jump.withLock { $0 = .seconds(number(-100_000_000...100_000_000)) }
        }
    }

    private func flood(_ sensor: SimulatedSensor) async throws {
        for _ in 0..<number(1...100) {
            sensor.measure(interval: .milliseconds(20))
            try await clock.sleep(for: .milliseconds(number(1...50)))
        }
        sensor.measure()
    }

    private func broke(_ mode: ScriptedBroker.Mode, for time: Duration) async throws {
        broker.change(to: mode)
        try await clock.sleep(for: time)
        broker.change(to: .open)
    }

    /// Another client publishes on topics to which the gateway has subscribed.
    private func send() {
        let device = "a4c13802" + String(number(0x1000...0xFFFF), radix: 16)
        let availability = plan.availabilityTopic(device)
        switch number(0...5) {
        case 0: broker.take(BrokerMessage(topic: availability, text: "online", isRetained: true))
        case 1: broker.take(BrokerMessage(topic: availability, text: "\u{FFFD}\u{0}{", isRetained: true))
        case 2:
            let large = [UInt8](repeating: 0x61, count: 10_000_000)
            broker.take(BrokerMessage(topic: availability, payload: large))
            broker.take(BrokerMessage(topic: "homeassistant/status", payload: large))
        case 3: for _ in 0..<100 { broker.take(BrokerMessage(topic: "homeassistant/status", text: "online")) }
        case 4: broker.take(BrokerMessage(topic: plan.availabilityTopic("a/b"), text: "online", isRetained: true))
        default:
            broker.take(BrokerMessage(topic: plan.availabilityTopic("cellar"), text: "online", isRetained: true))
        }
    }

    // MARK: Findings

    private func note(_ mistake: String) {
        findings.withLock { $0.mistakes.append("\(clock.elapsed): \(mistake)") }
    }

    /// Checks the bounds that hold at any time.
    private func look() async {
        for gateway in gateways {
            if !gateway.isCounted { note("messages are missing, or too many wait: \(gateway.counts)") }
            let devices = await gateway.deviceCount
            if devices > Self.maximumDevices { note("\(devices) devices") }
            let requests = await gateway.requestCount
            if requests > 2 { note("the manager has \(requests) requests") }
        }
        let timers = radio.manualClock?.timerCount ?? 0
        if timers > Self.timerLimit * gateways.count { note("\(timers) timers") }
    }

    private func lookAtEnd() {
        for gateway in gateways {
            let isOnline = broker.kept(gateway.plan.statusTopic)?.text == "online"
            if !isOnline { note("\(gateway.plan.name) is not online") }
            // Signs of life are always on their way.
            let waiting = gateway.counts.waiting
            if waiting > (gateways.count > 1 ? 2 : 0) { note("\(waiting) messages wait") }
        }
        var heard: Set<String> = []
        for sensor in sensors where sensor.isReadable && !sensor.isAway {
            let device = TopicText.device(sensor.peripheral.identifier.text)
            heard.insert(plan.availabilityTopic(device))
            if broker.kept(plan.availabilityTopic(device))?.text != "online" { note("\(device) is not online") }
            let state = broker.kept(plan.stateTopic(device))?.text ?? "without a state"
            // Others may follow.
            if ![",", "}"].contains(where: { state.contains("\"temperature\":\(Self.text(sensor.temperature))\($0)") })
            {
                note("\(device) is \(state), and has \(sensor.temperature)")
            }
            if plan.discoveryTopic(device).flatMap({ broker.kept($0) }) == nil { note("\(device) is not described") }
            if gateways.count > 1 { lookAtOwner(of: sensor, device) }
        }
        for topic in broker.topics(endingIn: "/availability") where !heard.contains(topic) {
            // Others are no devices of this gateway.
            guard topic.split(separator: "/").count == 4, topic.contains("/a4c138") else { continue }
            if broker.kept(topic)?.text != "offline" { note("\(topic) is not offline") }
        }
        for sensor in sensors where sensor.isHidden {
            let device = TopicText.device(sensor.peripheral.identifier.text)
            for topic in [plan.availabilityTopic(device), plan.stateTopic(device), plan.discoveryTopic(device)] {
                if let topic, broker.kept(topic) != nil { note("\(topic) is there, and hidden") }
            }
        }
    }

    private func lookAtOwner(of sensor: SimulatedSensor, _ device: String) {
        let claim = broker.kept("bluecap/home/\(device)/owner").flatMap { DeviceClaim(payload: $0.payload) }
        guard let claim, claim.rssi != nil, let own = sensor.gain(at: claim.owner) else {
            return note("\(device) is of \(claim?.owner ?? "nobody"), who does not hear it")
        }
        let best = gateways.compactMap { sensor.gain(at: $0.plan.name) }.max() ?? own
        // The hysteresis, and noise.
        if own < best - 12 { note("\(device) is of \(claim.owner), who hears it worse by \(best - own) dB") }
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : "\(number)"
    }
}
