// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapGateway
import BlueCapRuntime
import BlueCapVirtual

/// A day of a gateway in a house, in simulated time, with faults of the radio, the sensors and the broker that a seed
/// chooses.
///
/// The faults end after 20 hours. At the end each sensor that is heard is available, with its newest value, and no
/// other one is.
final class GatewaySimulation: Sendable {
    struct Findings: Sendable {
        /// The expectations that failed, with the times.
        var mistakes: [String] = []
        var sightings = 0
        var faults = 0
        var messages = ScriptedBroker.Counts()
    }

    private static let faultsEnd = Duration.seconds(20 * 3600)
    private static let measuringEnd = Duration.seconds(23 * 3600 + 3000)
    private static let end = Duration.seconds(24 * 3600)
    private static let maximumDevices = 12
    private static let capacity = 64
    /// More timers than all parts of the simulation have at the same time.
    private static let timerLimit = 64

    private let radio: VirtualRadio
    /// That of the radio, but for dates.
    private let clock: BlueCapClock
    private let jump = Locked(Duration.zero)
    private let plan: GatewayPlan
    private let sensors: [SimulatedSensor]
    private let broker: ScriptedBroker
    private let gateway: DeviceGateway
    private let random: Locked<SeededGenerator>
    private let findings = Locked(Findings())

    private init(_ radio: VirtualRadio) {
        self.radio = radio
        let jump = jump
        clock = BlueCapClock(
            elapsed: { radio.clock.elapsed }, schedule: { radio.clock.schedule(after: $0, $1) },
            date: { Timestamp(sinceEpoch: .seconds(1_800_000_000) + jump.withLock { $0 } + radio.clock.elapsed) })
        var random = SeededGenerator(seed: radio.seed, name: "house")
        sensors = (1...6).map { number in
            SimulatedSensor(
                "A4:C1:38:00:00:0\(number)", isEncrypted: number % 3 == 0,
                interval: .seconds(2 + Int(random.next() % 50)))
        }
        var plan = GatewayPlan(name: "cellar")
        plan.maximumDevices = Self.maximumDevices
        plan.rules = Self.rules(sensors)
        self.plan = plan
        broker = ScriptedBroker(seed: radio.seed, capacity: Self.capacity, filters: plan.filters, clock: clock)
        gateway = DeviceGateway(plan, publisher: broker, clock: clock)
        self.random = Locked(random)
    }

    /// Plays the day of a seed.
    static func run(seed: UInt64) async throws -> Findings {
        try await VirtualRadio.run(seed: seed, limit: end + .seconds(3600)) { radio in
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
        let events = broker.events.stream(capacity: .newest(1024))
        let central = CentralManager(backend: radio.central(), configuration: .init(clock: clock))
        for sensor in sensors {
            radio.add(sensor.peripheral)
            sensor.measure()
        }
        broker.connect()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                await DeviceListener(central: central, gateway: gateway, clock: clock).run()
                if !Task.isCancelled { note("the listener has ended") }
            }
            group.addTask { [self] in
                while true {
                    try await clock.sleep(for: .seconds(1))
                    await gateway.tick()
                }
            }
            group.addTask { [self] in for await event in events { await take(event) } }
            for index in sensors.indices { group.addTask { [self] in try await measure(index) } }
            group.addTask { [self] in try await fail() }
            defer { group.cancelAll() }
            for hour in 1...24 {
                try await clock.sleep(for: .seconds(hour * 3600) - clock.elapsed)
                await look(central)
            }
        }
        await lookAtEnd()
        radio.stopObserving(observation)
        await central.invalidate()
        let remains = await central.remains
        if !remains.isEmpty { note("the manager keeps \(remains)") }
        findings.withLock { $0.messages = broker.counts }
    }

    /// Passes an event of the broker on, as the session of the command does.
    private func take(_ event: ScriptedBroker.Event) async {
        switch event {
        case .connected: await gateway.brokerIsBack()
        case .lost: await gateway.brokerIsLost()
        case .received(let message):
            if message.topic != plan.birthTopic {
                await gateway.find(message)
            } else if message.text == "online", !message.isRetained {
                await gateway.publishAgainSoon()
            }
        }
    }

    private func measure(_ index: Int) async throws {
        while clock.elapsed < Self.measuringEnd {
            try await clock.sleep(for: .seconds(number(5...300)))
            sensors[index].measure()
        }
    }

    // MARK: Faults

    private func number(_ range: ClosedRange<Int>) -> Int {
        random.withLock { range.lowerBound + Int($0.next() % UInt64(range.count)) }
    }

    private func fail() async throws {
        try await clock.sleep(for: .seconds(600))
        while clock.elapsed < Self.faultsEnd {
            try await cause()
            findings.withLock { $0.faults += 1 }
            try await clock.sleep(for: .seconds(number(1...900)))
        }
        radio.adapter().powerOn()
        broker.change(to: .open)
        for sensor in sensors {
            // Some stay as they are.
            if number(0...3) > 0 { sensor.go(away: false) }
            if number(0...3) > 0 { sensor.change(to: .right) }
        }
        // The availability of a device that it does not know reaches a gateway when it connects.
        broker.cut()
    }

    private func cause() async throws {
        let sensor = sensors[number(0...(sensors.count - 1))]
        switch number(0...15) {
        case 0:
            let states: [ManagerState] = [.poweredOff, .resetting, .unsupported, .unauthorized]
            radio.adapter().change(to: states[number(0...3)])
            try await clock.sleep(for: .seconds(number(0...1800)))
            radio.adapter().powerOn()
        case 1, 2: sensor.go(away: !sensor.isAway)
        case 3: sensor.change(to: SimulatedSensor.Mode.allCases[number(0...3)])
        case 4: sensor.change(to: .right)
        case 5 where !sensor.isEncrypted && !sensor.isHidden:
            let digits = String(number(0x1000...0xFFFF), radix: 16, uppercase: true)
            sensor.peripheral.changeAddress(to: "A4:C1:38:01:\(digits.prefix(2)):\(digits.suffix(2))")
        case 6: try await flood(sensor)
        case 7: sensor.peripheral.rename(to: "\(number(0...99))/+#\u{0}")
        case 8:
            sensor.isHidden.toggle()
            await gateway.adopt(
                Self.rules(sensors), shortestInterval: .seconds(number(0...2)),
                longestInterval: .seconds(number(30...120)))
        case 9: try await broke(.away, for: number(0...3600))
        case 10: try await broke(.refusing, for: number(0...600))
        case 11: try await broke(.cutting, for: number(0...300))
        case 12:
            broker.change(to: .open, latency: .milliseconds(number(10...5000)))
            try await clock.sleep(for: .seconds(number(0...600)))
            broker.change(to: .open)
        case 13:
            broker.forgetAll()
            broker.cut()
        case 14: send()
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

    private func broke(_ mode: ScriptedBroker.Mode, for seconds: Int) async throws {
        broker.change(to: mode)
        try await clock.sleep(for: .seconds(seconds))
        broker.change(to: .open)
    }

    /// Another client publishes on topics to which the gateway has subscribed.
    private func send() {
        let device = "a4c13802" + String(number(0x1000...0xFFFF), radix: 16)
        let availability = "bluecap/cellar/\(device)/availability"
        switch number(0...5) {
        case 0: broker.take(BrokerMessage(topic: availability, text: "online", isRetained: true))
        case 1: broker.take(BrokerMessage(topic: availability, text: "\u{FFFD}\u{0}{", isRetained: true))
        case 2:
            let large = [UInt8](repeating: 0x61, count: 10_000_000)
            broker.take(BrokerMessage(topic: availability, payload: large))
            broker.take(BrokerMessage(topic: "homeassistant/status", payload: large))
        case 3: for _ in 0..<100 { broker.take(BrokerMessage(topic: "homeassistant/status", text: "online")) }
        case 4: broker.take(BrokerMessage(topic: "bluecap/cellar/a/b/availability", text: "online", isRetained: true))
        default:
            broker.take(BrokerMessage(topic: "bluecap/cellar/cellar/availability", text: "online", isRetained: true))
        }
    }

    // MARK: Findings

    private func note(_ mistake: String) {
        findings.withLock { $0.mistakes.append("\(clock.elapsed): \(mistake)") }
    }

    /// Checks the bounds that hold at any time.
    private func look(_ central: CentralManager) async {
        let counts = broker.counts
        if !counts.isComplete { note("messages are missing: \(counts)") }
        if counts.waiting > Self.capacity + 20 { note("\(counts.waiting) messages wait") }
        let devices = await gateway.deviceCount
        if devices > Self.maximumDevices { note("\(devices) devices") }
        if let timers = radio.manualClock?.timerCount, timers > Self.timerLimit { note("\(timers) timers") }
        let remains = await central.remains
        if remains.values.reduce(0, +) > 2 { note("the manager has \(remains)") }
    }

    private func lookAtEnd() async {
        if broker.kept(plan.statusTopic)?.text != "online" { note("the gateway is not online") }
        if broker.counts.waiting > 0 { note("\(broker.counts.waiting) messages wait") }
        var heard: Set<String> = []
        for sensor in sensors where sensor.isReadable && !sensor.isAway {
            let device = TopicText.device(sensor.peripheral.identifier.text)
            heard.insert(plan.availabilityTopic(device))
            if broker.kept(plan.availabilityTopic(device))?.text != "online" { note("\(device) is not online") }
            let state = broker.kept(plan.stateTopic(device))?.text ?? "without a state"
            if !state.contains("\"temperature\":\(Self.text(sensor.temperature))}") {
                note("\(device) is \(state), and has \(sensor.temperature)")
            }
            if plan.discoveryTopic(device).flatMap({ broker.kept($0) }) == nil { note("\(device) is not described") }
        }
        for topic in broker.topics(endingIn: "/availability") where !heard.contains(topic) {
            // Others are no devices of this gateway.
            guard topic.split(separator: "/").count == 4, topic.contains("/a4c138") else { continue }
            if broker.kept(topic)?.text != "offline" { note("\(topic) is not offline") }
        }
        for sensor in sensors where sensor.isHidden {
            let topic = plan.availabilityTopic(TopicText.device(sensor.peripheral.identifier.text))
            if broker.kept(topic) != nil { note("\(topic) is there, and hidden") }
        }
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : "\(number)"
    }
}
