// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore
import BlueCapGateway

/// Gateways, devices and a broker of a model, whose chance comes from a seed; it takes steps of a millisecond.
///
/// The broker keeps the order of each topic, and delivers each message to each gateway after a time of its own.
struct OwnershipSimulation {
    /// A millisecond of the time of the simulation.
    typealias Moment = Int

    struct Setting: Sendable {
        var deviceCount = 1000
        var gatewayCount = 20
        /// The owner of each so many devices stays connected to it, and to so many at once.
        var linkDistance = 10
        var linkLimit = 4
        /// The longest way between a gateway and the broker.
        var longestDelay: Moment = 60
        /// Nothing is lost before the first and after the last of these moments.
        var faults: Range<Moment> = 18_000..<32_000
        var end: Moment = 40_000
    }

    /// The owners that were seen wrong.
    struct Findings: Sendable {
        /// The longest time in which a device that was heard had no owner, and more than one.
        var longestWithout: Moment = 0
        var longestWithSeveral: Moment = 0
        /// The longest time in which a device to which its owner stays connected had no such owner although a gateway
        /// that hears it had a connection left, and in which a gateway had claimed more of them than it may.
        var longestUnlinked: Moment = 0
        var longestOverlinked: Moment = 0
        /// How often a gateway took itself for an owner a second after its link was lost, or after the claim of another
        /// one.
        var overdue = 0
        /// The devices that came back to an earlier owner although nothing was lost.
        var flapped = 0
        /// The devices that are heard, and that have not one owner at the end.
        var wrongAtEnd = 0
        /// The changes of owners, and the claims that were published after the beginning, while nothing was lost.
        var changes = 0
        var quietClaims = 0
        var faults = 0
        /// How many of these were processes that stood still.
        var stops = 0
    }

    private enum Topic: Hashable {
        case claim(Int)
        case life(Int)
        case status(Int)
    }

    private enum Payload {
        case claim(DeviceClaim?)
        case life(UInt64)
        case status(Bool)
    }

    private enum Event {
        case packet(device: Int)
        case hearing(gateway: Int, device: Int, rssi: Int)
        case tick(gateway: Int)
        /// A message that reaches the broker, and one that reaches a gateway, over a connection.
        case arrival(gateway: Int, connection: Int, Topic, Payload)
        case delivery(gateway: Int, connection: Int, Topic, Payload)
        case connection(gateway: Int)
        /// A connection of which the gateway has not known that it is lost.
        case notice(gateway: Int, connection: Int)
        case will(gateway: Int, connection: Int)
        case fault
        case resumption(gateway: Int)
        case brokerIsBack
    }

    private struct Gateway {
        let name: String
        var ownership: DeviceOwnership
        var isRunning = false
        /// Whether it stands still, as a process that was stopped.
        var isStopped = false
        /// The events that have reached it meanwhile.
        var queued: [Event] = []
        /// The messages that it had made and had not sent.
        var held: [Event] = []
        /// Whether messages get through.
        var isLinked = false
        var linkedAt: Moment = 0
        /// Whether the gateway takes itself for connected.
        var isConnected = false
        var connection = 0
        /// When its link was lost.
        var cutAt: Moment = 0
        /// The last arrivals of each topic, at the broker and here: no message overtakes another one.
        var up: [Topic: Moment] = [:]
        var down: [Topic: Moment] = [:]
        /// Messages that were on their way when the link was lost, which the client sends again.
        var unsent: [(Topic, Payload)] = []
    }

    private let setting: Setting
    private var random: RandomNumbers
    private var slots: [[Event]]
    private var now: Moment = 0
    private var gateways: [Gateway] = []
    private var devices: [PeerIdentifier] = []
    private var numbers: [PeerIdentifier: Int] = [:]
    private var names: [String: Int] = [:]
    private var intervals: [Moment] = []
    /// For each device the gateways that hear it, with the strength.
    private var hearers: [[(gateway: Int, rssi: Int)]] = []
    private var heardAt: [[Moment]]
    private var retained: [Int: DeviceClaim] = [:]
    private var statuses: [Int: Bool] = [:]
    private var isBrokerRunning = true
    private var withoutSince: [Moment?]
    private var severalSince: [Moment?]
    private var unlinkedSince: [Moment?]
    private var overlinkedSince: [Moment?]
    private var lastOwners: [Int?]
    private var changedAt: [Moment]
    private var quietOwners: [[Int]]
    private var findings = Findings()

    init(seed: UInt64, _ setting: Setting = Setting()) {
        self.setting = setting
        random = RandomNumbers(seed: seed)
        slots = Array(repeating: [], count: setting.end + 1)
        let never = Array(repeating: -1_000_000, count: setting.gatewayCount)
        heardAt = Array(repeating: never, count: setting.deviceCount)
        withoutSince = Array(repeating: nil, count: setting.deviceCount)
        (severalSince, unlinkedSince) = (withoutSince, withoutSince)
        overlinkedSince = Array(repeating: nil, count: setting.gatewayCount)
        lastOwners = Array(repeating: nil, count: setting.deviceCount)
        changedAt = Array(repeating: 0, count: setting.deviceCount)
        quietOwners = Array(repeating: [], count: setting.deviceCount)
        for index in 0..<setting.gatewayCount {
            names["gateway\(index)"] = index
            gateways.append(Gateway(name: "gateway\(index)", ownership: DeviceOwnership(name: "gateway\(index)")))
            schedule(.connection(gateway: index), in: random.next(0...1500))
            schedule(.tick(gateway: index), in: random.next(0...99))
        }
        for index in 0..<setting.deviceCount {
            let digits = String(index, radix: 16)
            let octets = String(repeating: "0", count: 4 - digits.count) + digits
            devices.append(PeerIdentifier("A4:C1:38:00:\(octets.prefix(2)):\(octets.suffix(2))"))
            numbers[devices[index]] = index
            intervals.append(random.next(400...1200))
            place()
            schedule(.packet(device: index), in: random.next(0...1200))
        }
        for index in gateways.indices { gateways[index].ownership.limitLinks(to: linkedDevices, setting.linkLimit) }
        schedule(.fault, in: setting.faults.lowerBound)
    }

    /// The devices to which their owners stay connected.
    private var linkedDevices: Set<PeerIdentifier> {
        Set(stride(from: 0, to: devices.count, by: setting.linkDistance).map { devices[$0] })
    }

    /// Puts a device into a hall with a gateway in each field of a grid.
    private mutating func place() {
        let (x, y) = (Double(random.next(0...10_000)) / 100, Double(random.next(0...8000)) / 100)
        var heard: [(Int, Int)] = []
        for index in gateways.indices {
            let (dx, dy) = (Double(index % 5) * 20 + 10 - x, Double(index / 5) * 20 + 10 - y)
            let distance = max((dx * dx + dy * dy).squareRoot(), 1)
            // Free space has 20 dB for each tenfold distance, a building more.
            var (rssi, left) = (-45.0, distance)
            while left > 1.26 { (rssi, left) = (rssi - 3, left / 1.2589) }
            if rssi > -88 { heard.append((index, Int(rssi))) }
        }
        hearers.append(heard)
    }

    /// Plays it to its end.
    mutating func run() -> Findings {
        while now < setting.end {
            let events = slots[now]
            slots[now] = []
            for event in events { take(event) }
            // Events of this moment come from these.
            while !slots[now].isEmpty {
                let more = slots[now]
                slots[now] = []
                for event in more { take(event) }
            }
            if now % 50 == 0 { look() }
            now += 1
        }
        return findings
    }

    private mutating func schedule(_ event: Event, in delay: Moment) {
        if now + delay < setting.end { slots[now + delay].append(event) }
    }

    private var isQuiet: Bool { now >= 10_000 && now < setting.faults.lowerBound }

    // MARK: Events

    private mutating func take(_ event: Event) {
        switch event {
        case .packet(let device): packet(of: device)
        case .hearing(let index, let device, let rssi):
            if gateways[index].isStopped { return gateways[index].queued.append(event) }
            act(gateways[index].ownership.hear(devices[device], rssi: rssi, at: elapsed), of: index)
            let isLate = lastOwners[device] != index && now - changedAt[device] > 1000
            if isLate, gateways[index].ownership.owns(devices[device], at: elapsed) { findings.overdue += 1 }
        case .tick(let index):
            schedule(event, in: 100)
            guard gateways[index].isRunning, !gateways[index].isStopped else { return }
            act(gateways[index].ownership.tend(at: elapsed), of: index)
        case .arrival(let index, let connection, let topic, let payload):
            // Behind one that it had not sent when it stopped there are no others.
            if gateways[index].isStopped, !gateways[index].held.isEmpty || random.next(0...1) == 0 {
                return gateways[index].held.append(event)
            }
            guard isBrokerRunning, gateways[index].isLinked, gateways[index].connection == connection else {
                // A client sends a message again that was not acknowledged.
                if case .claim = topic, gateways[index].isRunning, random.next(0...1) == 0 {
                    gateways[index].unsent.append((topic, payload))
                }
                return
            }
            distribute(topic, payload)
        case .delivery(let index, let connection, let topic, let payload):
            guard gateways[index].isLinked, gateways[index].connection == connection else { return }
            if gateways[index].isStopped { return gateways[index].queued.append(event) }
            receive(topic, payload, at: index)
        case .connection(let index): connect(index)
        case .notice(let index, let connection):
            if gateways[index].isStopped { return gateways[index].queued.append(event) }
            guard gateways[index].isRunning, gateways[index].connection == connection, !gateways[index].isLinked else {
                return
            }
            gateways[index].isConnected = false
            act(gateways[index].ownership.disconnect(), of: index)
            schedule(.connection(gateway: index), in: random.next(250...2000))
        case .will(let index, let connection):
            if isBrokerRunning, gateways[index].connection == connection { distribute(.status(index), .status(false)) }
        case .fault: fail()
        case .resumption(let index): resume(index)
        case .brokerIsBack: isBrokerRunning = true
        }
    }

    private var elapsed: Duration { .milliseconds(now) }

    private mutating func packet(of device: Int) {
        schedule(.packet(device: device), in: intervals[device] + random.next(0...10))
        for (index, rssi) in hearers[device] where gateways[index].isRunning && random.next(0...19) > 0 {
            if !gateways[index].isStopped { heardAt[device][index] = now }
            take(.hearing(gateway: index, device: device, rssi: rssi + random.next(-6...6)))
        }
    }

    private mutating func act(_ actions: [DeviceOwnership.Action], of index: Int) {
        for action in actions {
            switch action {
            case .claim(let device, let claim):
                if isQuiet { findings.quietClaims += 1 }
                publish(.claim(numbers[device] ?? 0), .claim(claim), from: index)
            case .release(let device): publish(.claim(numbers[device] ?? 0), .claim(nil), from: index)
            case .signOfLife(let number): publish(.life(index), .life(number), from: index)
            case .gained, .lost: break
            }
        }
    }

    private mutating func connect(_ index: Int) {
        if gateways[index].isConnected { return }
        guard isBrokerRunning else { return schedule(.connection(gateway: index), in: random.next(250...1000)) }
        gateways[index].connection += 1
        (gateways[index].isRunning, gateways[index].isLinked, gateways[index].isConnected) = (true, true, true)
        (gateways[index].up, gateways[index].down, gateways[index].linkedAt) = ([:], [:], now)
        let unsent = gateways[index].unsent
        gateways[index].unsent = []
        for (topic, payload) in unsent { publish(topic, payload, from: index) }
        for (device, claim) in retained.sorted(by: { $0.key < $1.key }) {
            deliver(.claim(device), .claim(claim), to: index)
        }
        for (other, isOnline) in statuses.sorted(by: { $0.key < $1.key }) {
            deliver(.status(other), .status(isOnline), to: index)
        }
        publish(.status(index), .status(true), from: index)
        act(gateways[index].ownership.connect(at: elapsed), of: index)
    }

    /// Lets a process go on that stood still: its timer first or last, and packets in their place or before messages.
    private mutating func resume(_ index: Int) {
        gateways[index].isStopped = false
        let (queued, held) = (gateways[index].queued, gateways[index].held)
        (gateways[index].queued, gateways[index].held) = ([], [])
        let isTimerFirst = random.next(0...1) == 0
        if isTimerFirst { act(gateways[index].ownership.tend(at: elapsed), of: index) }
        let arePacketsFirst = random.next(0...1) == 0
        let isPacket = { (event: Event) in if case .hearing = event { arePacketsFirst } else { false } }
        for event in held + queued.filter(isPacket) + queued.filter({ !isPacket($0) }) { take(event) }
        if !isTimerFirst { act(gateways[index].ownership.tend(at: elapsed), of: index) }
    }

    /// Loses something: a process, a machine, a link, or the broker.
    private mutating func fail() {
        guard now < setting.faults.upperBound else { return }
        schedule(.fault, in: random.next(200...1500))
        let index = random.next(0...(gateways.count - 1))
        let working = gateways.count { $0.isLinked && !$0.isStopped }
        guard gateways[index].isLinked, !gateways[index].isStopped, working > gateways.count * 2 / 3 else { return }
        findings.faults += 1
        restart(index)
        let connection = gateways[index].connection
        // The first one in each is a process that stands still.
        switch findings.faults == 1 ? 10 : random.next(0...12) {
        case 10...:
            gateways[index].isStopped = true
            findings.stops += 1
            schedule(.resumption(gateway: index), in: random.next(100...8000))
        case 0:
            isBrokerRunning = false
            if random.next(0...1) == 0 { (retained, statuses) = ([:], [:]) }
            schedule(.brokerIsBack, in: random.next(200...2000))
            for index in gateways.indices where gateways[index].isLinked {
                (gateways[index].isLinked, gateways[index].cutAt) = (false, now)
                schedule(.notice(gateway: index, connection: gateways[index].connection), in: 1)
            }
        case 1...4:
            // A process that is killed, whose will comes at once, and a machine without power, whose will comes late.
            let name = gateways[index].name
            (gateways[index].isRunning, gateways[index].isLinked, gateways[index].isConnected) = (false, false, false)
            gateways[index].ownership = DeviceOwnership(name: name)
            gateways[index].ownership.limitLinks(to: linkedDevices, setting.linkLimit)
            schedule(.will(gateway: index, connection: connection), in: random.next(0...1) == 0 ? 5 : 22_000)
            schedule(.connection(gateway: index), in: random.next(1000...8000))
        default:
            // A link that both ends see lost, and one that is silent.
            (gateways[index].isLinked, gateways[index].cutAt) = (false, now)
            let isSilent = random.next(0...1) == 0
            schedule(.will(gateway: index, connection: connection), in: isSilent ? 22_000 : 5)
            schedule(.notice(gateway: index, connection: connection), in: isSilent ? random.next(2000...8000) : 5)
        }
    }

    // MARK: The broker

    private mutating func publish(_ topic: Topic, _ payload: Payload, from index: Int) {
        let arrival = max(gateways[index].up[topic] ?? 0, now + random.next(1...setting.longestDelay))
        gateways[index].up[topic] = arrival
        schedule(.arrival(gateway: index, connection: gateways[index].connection, topic, payload), in: arrival - now)
    }

    private mutating func distribute(_ topic: Topic, _ payload: Payload) {
        switch (topic, payload) {
        case (.claim(let device), .claim(let claim)):
            retained[device] = claim
            note(claim.flatMap { names[$0.owner] }, of: device)
        case (.status(let index), .status(let isOnline)): statuses[index] = isOnline
        default: break
        }
        for index in gateways.indices where gateways[index].isLinked { deliver(topic, payload, to: index) }
    }

    private mutating func deliver(_ topic: Topic, _ payload: Payload, to index: Int) {
        let arrival = max(gateways[index].down[topic] ?? 0, now + random.next(1...setting.longestDelay))
        gateways[index].down[topic] = arrival
        schedule(.delivery(gateway: index, connection: gateways[index].connection, topic, payload), in: arrival - now)
    }

    private mutating func receive(_ topic: Topic, _ payload: Payload, at index: Int) {
        switch (topic, payload) {
        case (.claim(let device), .claim(let claim)):
            act(gateways[index].ownership.see(claim, of: devices[device]), of: index)
        case (.life(let other), .life(let number)):
            gateways[index].ownership.see(signOfLife: number, of: gateways[other].name)
        case (.status(let other), .status(let isOnline)):
            gateways[index].ownership.see(isOnline: isOnline, of: gateways[other].name)
        default: break
        }
    }

    // MARK: Findings

    /// A device whose owner fails begins to wait for another one, also where it waited already. One that waits for the
    /// gateway that fails waits for the others that hear it, since the first of them has its connection.
    private mutating func restart(_ index: Int) {
        for device in devices.indices {
            if lastOwners[device] == index {
                (withoutSince[device], unlinkedSince[device]) = (nil, nil)
            } else if hearers[device].contains(where: { $0.gateway == index }) {
                let others = hearers[device].map { gateways[$0.gateway] }
                    .filter { $0.name != gateways[index].name && $0.isLinked && !$0.isStopped }
                let begin = others.map(\.linkedAt).min() ?? now
                withoutSince[device] = withoutSince[device].map { max($0, begin) }
                unlinkedSince[device] = unlinkedSince[device].map { max($0, begin) }
            }
        }
    }

    private mutating func note(_ owner: Int?, of device: Int) {
        guard let owner, owner != lastOwners[device] else { return }
        (lastOwners[device], changedAt[device]) = (owner, now)
        findings.changes += 1
        // Its claim came after it has stopped: the time of the next owner begins.
        if gateways[owner].isStopped { withoutSince[device] = nil }
        guard isQuiet else { return }
        if quietOwners[device].contains(owner) { findings.flapped += 1 }
        quietOwners[device].append(owner)
    }

    private mutating func look() {
        lookAtLinks()
        var owners = Array(repeating: 0, count: devices.count)
        for gateway in gateways where gateway.isRunning && !gateway.isStopped {
            if !gateway.isLinked {
                if now - gateway.cutAt > 1000, !gateway.ownership.owned(at: elapsed).isEmpty { findings.overdue += 1 }
                continue
            }
            for device in gateway.ownership.owned(at: elapsed) { owners[numbers[device] ?? 0] += 1 }
        }
        if now == 10_000 { for device in devices.indices { quietOwners[device] = [lastOwners[device] ?? -1] } }
        let isLast = now + 50 >= setting.end
        for device in devices.indices {
            if owners[device] == 1 {
                (withoutSince[device], severalSince[device]) = (nil, nil)
                continue
            }
            let isHeard = hearers[device].contains {
                let isWorking = gateways[$0.gateway].isLinked && !gateways[$0.gateway].isStopped
                return isWorking && heardAt[device][$0.gateway] > now - intervals[device] * 2
            }
            // One without a connection left for it has no owner, for as long as that is so.
            let isAlone = owners[device] == 0 && device % setting.linkDistance != 0
            if isAlone, isBrokerRunning, isHeard {
                let since = withoutSince[device] ?? now
                withoutSince[device] = since
                findings.longestWithout = max(findings.longestWithout, now - since + 50)
            } else {
                withoutSince[device] = nil
            }
            if owners[device] > 1 {
                let since = severalSince[device] ?? now
                severalSince[device] = since
                findings.longestWithSeveral = max(findings.longestWithSeveral, now - since + 50)
            } else {
                severalSince[device] = nil
            }
            if isLast, let since = withoutSince[device] ?? severalSince[device], now - since > 500 {
                findings.wrongAtEnd += 1
            }
        }
    }

    /// Looks at the devices to which their owners stay connected.
    private mutating func lookAtLinks() {
        var counts = Array(repeating: 0, count: gateways.count)
        let linked = stride(from: 0, to: devices.count, by: setting.linkDistance)
        for device in linked {
            guard let claim = retained[device], claim.rssi != nil, let owner = names[claim.owner] else { continue }
            counts[owner] += 1
        }
        let isWorking = gateways.map { $0.isRunning && $0.isLinked && $0.isConnected && !$0.isStopped }
        for index in gateways.indices {
            let isOver = isWorking[index] && counts[index] > setting.linkLimit
            overlinkedSince[index] = isOver ? overlinkedSince[index] ?? now : nil
            if let since = overlinkedSince[index] {
                findings.longestOverlinked = max(findings.longestOverlinked, now - since + 50)
            }
        }
        for device in linked {
            let owner = retained[device].flatMap { $0.rssi == nil ? nil : names[$0.owner] }
            let hasOwner = owner.map { isWorking[$0] } ?? false
            let mayHave = hearers[device].contains {
                let isHeard = heardAt[device][$0.gateway] > now - intervals[device] * 2
                return isWorking[$0.gateway] && isHeard && counts[$0.gateway] < setting.linkLimit
            }
            unlinkedSince[device] = !hasOwner && mayHave && isBrokerRunning ? unlinkedSince[device] ?? now : nil
            guard let since = unlinkedSince[device] else { continue }
            findings.longestUnlinked = max(findings.longestUnlinked, now - since + 50)
        }
    }
}
#endif
