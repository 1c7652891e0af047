// SPDX-License-Identifier: MIT

#if Gateway && Crypto
import BlueCapCore
import BlueCapGateway
import BlueCapRuntime

@testable import BlueCapGateway

/// Whole gateways of a group with sensors and buttons, and a broker of a model, whose chance comes from a seed; it
/// takes steps of a millisecond.
///
/// Beside it, ``OwnershipSimulation`` has more devices, which are packets without contents.
struct SensorSimulation {
    private enum Event {
        case packet(device: Int, interval: Int, left: Int)
        case measurement(device: Int)
        case press(device: Int)
        case tend(gateway: Int)
        case arrival(gateway: Int, connection: Int, BrokerMessage)
        case delivery(gateway: Int, connection: Int, BrokerMessage)
        case connection(gateway: Int)
        case notice(gateway: Int, connection: Int)
        case will(gateway: Int, connection: Int)
        case fault
        case resumption(gateway: Int)
        case brokerIsBack
    }

    private struct Gateway {
        let plan: GatewayPlan
        let sent = PublishedMessages()
        var gateway: DeviceGateway
        var isRunning = false
        /// Whether it stands still, as a process that was stopped.
        var isStopped = false
        /// The messages that have reached it meanwhile.
        var queued: [Event] = []
        /// Whether messages get through, and whether the gateway takes itself for connected.
        var isLinked = false
        var isConnected = false
        var connection = 0
        /// The last arrivals of each topic, at the broker and here: no message overtakes another one.
        var up: [String: Int] = [:]
        var down: [String: Int] = [:]
    }

    private static let gatewayCount = 20
    private static let sensorCount = 72
    private static let longestDelay = 60
    private static let faults = 14_000..<26_000
    private static let end = 36_000
    /// Values and presses are complete in these times.
    private static let quiet = [6000..<13_000, 30_000..<34_000]

    private let clock = ManualClock()
    private var random: RandomNumbers
    private var slots = Array(repeating: [Event](), count: Self.end + 1)
    private var now = 0
    private var gateways: [Gateway] = []
    private var sensors: [FamilySensor] = []
    private var numbers: [String: Int] = [:]
    private var intervals: [Int] = []
    /// For each device the gateways that hear it, with the strength.
    private var hearers: [[(gateway: Int, rssi: Int)]] = []
    private var retained: [String: BrokerMessage] = [:]
    private var isBrokerRunning = true
    private var shown = ShownSensors()

    init(seed: UInt64) {
        random = RandomNumbers(seed: seed)
        for index in 0..<Self.sensorCount {
            let digits = String(index + 16, radix: 16, uppercase: true)
            let identifier = PeerIdentifier("A4:C1:38:00:00:\(digits)")
            sensors.append(FamilySensor(index, identifier))
            numbers[TopicText.device(identifier.text)] = index
            intervals.append(random.next(400...1200))
            place()
            schedule(.measurement(device: index), in: 0)
            schedule(.packet(device: index, interval: intervals[index], left: .max), in: random.next(1...1200))
            if sensors[index].family.isButton { schedule(.press(device: index), in: random.next(3000...6000)) }
        }
        let rules = GatewayRules(sensors.compactMap(\.rule))
        for index in 0..<Self.gatewayCount {
            var plan = GatewayPlan(name: "gateway\(index)")
            (plan.group, plan.rules) = ("home", rules)
            gateways.append(Gateway(plan: plan, gateway: Self.gateway(plan, PublishedMessages(), clock)))
            revive(index)
            schedule(.connection(gateway: index), in: random.next(0...1500))
            schedule(.tend(gateway: index), in: random.next(0...99))
        }
        schedule(.fault, in: Self.faults.lowerBound)
    }

    private static func gateway(
        _ plan: GatewayPlan, _ sent: PublishedMessages, _ clock: ManualClock
    ) -> DeviceGateway { DeviceGateway(plan, publisher: sent, clock: BlueCapClock(clock)) }

    /// Begins another run of a process.
    private mutating func revive(_ index: Int) {
        gateways[index].gateway = Self.gateway(gateways[index].plan, gateways[index].sent, clock)
        _ = gateways[index].sent.taken()
    }

    /// Puts a device into a hall with a gateway in each field of a grid.
    private mutating func place() {
        let (x, y) = (Double(random.next(0...10_000)) / 100, Double(random.next(0...8000)) / 100)
        var heard: [(Int, Int)] = []
        for index in 0..<Self.gatewayCount {
            let (dx, dy) = (Double(index % 5) * 20 + 10 - x, Double(index / 5) * 20 + 10 - y)
            var (rssi, left) = (-45.0, max((dx * dx + dy * dy).squareRoot(), 1))
            while left > 1.26 { (rssi, left) = (rssi - 3, left / 1.2589) }
            if rssi > -88 { heard.append((index, Int(rssi))) }
        }
        hearers.append(heard)
    }

    /// Plays it to its end.
    mutating func run() async throws -> ShownSensors.Findings {
        while now < Self.end {
            while !slots[now].isEmpty {
                let events = slots[now]
                slots[now] = []
                for event in events { try await take(event) }
            }
            if now % 250 == 0 { look() }
            now += 1
            clock.advance(by: .milliseconds(1))
        }
        for device in sensors.indices {
            for moments in Self.quiet { shown.look(atPressesOf: device, sensors[device], in: moments) }
        }
        return shown.findings
    }

    private mutating func schedule(_ event: Event, in delay: Int) {
        if now + delay < Self.end { slots[now + delay].append(event) }
    }

    // MARK: Events

    private mutating func take(_ event: Event) async throws {
        switch event {
        case .packet(let device, let interval, let left):
            if left > 1 {
                let pause = interval + random.next(0...10)
                schedule(.packet(device: device, interval: interval, left: left == .max ? left : left - 1), in: pause)
            }
            await hear(device)
        case .measurement(let device):
            try sensors[device].measure(at: now)
            if !sensors[device].family.isButton { schedule(event, in: random.next(2000...6000)) }
        case .press(let device):
            try sensors[device].press(at: now)
            schedule(.packet(device: device, interval: 90, left: 8), in: 0)
            schedule(.measurement(device: device), in: 1000)
            schedule(event, in: random.next(3500...7000))
        case .tend(let index):
            schedule(event, in: 100)
            guard gateways[index].isRunning, !gateways[index].isStopped else { return }
            await gateways[index].gateway.tendGroup()
            if now % 1000 < 100 { await gateways[index].gateway.tick() }
            send(index)
        case .arrival(let index, let connection, let message):
            guard isBrokerRunning, gateways[index].isLinked, gateways[index].connection == connection else { return }
            distribute(message, from: index)
        case .delivery(let index, let connection, let message):
            guard gateways[index].isLinked, gateways[index].connection == connection else { return }
            if gateways[index].isStopped { return gateways[index].queued.append(event) }
            await gateways[index].gateway.find(message)
            send(index)
        case .connection(let index): await connect(index)
        case .notice(let index, let connection):
            guard gateways[index].isRunning, gateways[index].connection == connection, !gateways[index].isLinked else {
                return
            }
            if gateways[index].isStopped { return gateways[index].queued.append(event) }
            gateways[index].isConnected = false
            await gateways[index].gateway.brokerIsLost()
            send(index)
            schedule(.connection(gateway: index), in: random.next(250...2000))
        case .will(let index, let connection):
            guard isBrokerRunning, gateways[index].connection == connection else { return }
            distribute(gateways[index].plan.status(isOnline: false), from: index)
        case .fault: fail()
        case .resumption(let index):
            let events = gateways[index].queued
            (gateways[index].isStopped, gateways[index].queued) = (false, [])
            for event in events { try await take(event) }
        case .brokerIsBack: isBrokerRunning = true
        }
    }

    private mutating func hear(_ device: Int) async {
        let sensor = sensors[device]
        for (index, rssi) in hearers[device] {
            guard gateways[index].isRunning, !gateways[index].isStopped, random.next(0...19) > 0 else { continue }
            let (gateway, rssi) = (gateways[index].gateway, rssi + random.next(-6...6))
            if let frame = sensor.frame {
                await gateway.hear(frame, from: sensor.identifier, name: sensor.family.name, rssi: rssi)
            }
            if !sensor.readings.isEmpty {
                await gateway.hear(sensor.readings, from: sensor.identifier, name: sensor.family.name, rssi: rssi)
            }
            send(index)
        }
    }

    private mutating func connect(_ index: Int) async {
        if gateways[index].isConnected { return }
        guard isBrokerRunning else { return schedule(.connection(gateway: index), in: random.next(250...1000)) }
        gateways[index].connection += 1
        (gateways[index].isRunning, gateways[index].isLinked, gateways[index].isConnected) = (true, true, true)
        (gateways[index].up, gateways[index].down) = ([:], [:])
        for message in retained.values.sorted(by: { $0.topic < $1.topic }) { deliver(message, to: index) }
        await gateways[index].gateway.brokerIsBack()
        send(index)
    }

    /// Loses something: a process, a link, or the broker; or a process stands still.
    private mutating func fail() {
        guard now < Self.faults.upperBound else { return }
        schedule(.fault, in: random.next(200...1500))
        let index = random.next(0...(gateways.count - 1))
        let working = gateways.count { $0.isLinked && !$0.isStopped }
        guard gateways[index].isLinked, !gateways[index].isStopped, working > gateways.count * 2 / 3 else { return }
        shown.fail()
        let connection = gateways[index].connection
        switch random.next(0...12) {
        case 10...:
            gateways[index].isStopped = true
            schedule(.resumption(gateway: index), in: random.next(100...4000))
        case 0:
            isBrokerRunning = false
            if random.next(0...1) == 0 { (retained, shown) = ([:], forgotten()) }
            schedule(.brokerIsBack, in: random.next(200...2000))
            for index in gateways.indices where gateways[index].isLinked {
                gateways[index].isLinked = false
                schedule(.notice(gateway: index, connection: gateways[index].connection), in: 1)
            }
        case 1...4:
            (gateways[index].isRunning, gateways[index].isLinked, gateways[index].isConnected) = (false, false, false)
            revive(index)
            schedule(.will(gateway: index, connection: connection), in: 5)
            schedule(.connection(gateway: index), in: random.next(1000...4000))
        default:
            // A link that both ends see lost, and one that is silent.
            gateways[index].isLinked = false
            let isSilent = random.next(0...1) == 0
            schedule(.will(gateway: index, connection: connection), in: isSilent ? 8000 : 5)
            schedule(.notice(gateway: index, connection: connection), in: isSilent ? random.next(2000...4000) : 5)
        }
    }

    private func forgotten() -> ShownSensors {
        var shown = shown
        shown.forgetAll()
        return shown
    }

    // MARK: The broker

    /// Sends what a gateway has published.
    private mutating func send(_ index: Int) {
        for message in gateways[index].sent.taken() where gateways[index].isConnected {
            let arrival = max(gateways[index].up[message.topic] ?? 0, now + random.next(1...Self.longestDelay))
            gateways[index].up[message.topic] = arrival
            schedule(.arrival(gateway: index, connection: gateways[index].connection, message), in: arrival - now)
        }
    }

    private mutating func distribute(_ message: BrokerMessage, from index: Int) {
        see(message, from: index)
        let isForGateways = !message.topic.hasPrefix("homeassistant") && !message.topic.hasSuffix("/state")
        guard isForGateways else { return }
        if message.isRetained { retained[message.topic] = message.payload.isEmpty ? nil : message }
        for index in gateways.indices where gateways[index].isLinked { deliver(message, to: index) }
    }

    private mutating func deliver(_ message: BrokerMessage, to index: Int) {
        let arrival = max(gateways[index].down[message.topic] ?? 0, now + random.next(1...Self.longestDelay))
        gateways[index].down[message.topic] = arrival
        schedule(.delivery(gateway: index, connection: gateways[index].connection, message), in: arrival - now)
    }

    private mutating func see(_ message: BrokerMessage, from index: Int) {
        let levels = message.topic.split(separator: "/")
        guard levels.count == 4, let device = numbers[String(levels[2])] else { return }
        let name = gateways[index].plan.name
        switch levels[3] {
        case "owner": shown.see(owner: DeviceClaim(payload: message.payload)?.owner, of: device, at: now)
        case "state":
            shown.see(state: message, from: name, of: device, sensors[device], gap: intervals[device], at: now)
        case "press": shown.see(press: message.payload, from: name, of: device, &sensors[device], at: now)
        default: break
        }
    }

    private mutating func look() {
        guard Self.quiet.contains(where: { $0.contains(now) }) else { return }
        for device in sensors.indices where !hearers[device].isEmpty {
            let limit = intervals[device] * 5 + 1500
            shown.look(at: device, sensors[device], limit: limit, isLast: now > Self.faults.upperBound, at: now)
        }
    }
}
#endif
