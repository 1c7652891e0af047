// SPDX-License-Identifier: MIT

#if ESPHome
package import BlueCapCore
package import BlueCapRuntime

/// A Bluetooth proxy as Home Assistant knows it: clients hear advertisements through the radio of a manager, and use
/// its connections.
///
/// It stands on a manager and not on a backend: how to wait for a device, to queue requests, to give up and to share a
/// link with the rest of the program is policy, which is written once. It runs on the manager's executor, so that no
/// advertisement and no value changes its thread.
package actor ProxyServer: RadioActor {
    package nonisolated let executor: any BackendExecutor
    // SAFETY: `executor` is held by a `let` of this actor, so it lives at least as long as the unowned reference is
    // used.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let central: CentralManager
    private let identity: ProxyIdentity
    private let key: NoiseKey?
    private let features: ProxyFeatures
    private let silence: Duration
    private let report: @Sendable (ProxyEvent) -> Void
    private let jobs = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)

    private var members = ProxyMembers()
    private var devices: ProxyDevices
    private var batch = AdvertisementBatch()
    private var heard = HeardDevices()
    private var scan: Ending?
    private var radioState = ManagerState.unknown
    private var timer: (end: Duration, timer: ClockTimer)?
    private var isOver = false
    package private(set) var counts = ProxyCounts()
    package var levels: ProxyLevels {
        var levels = ProxyLevels()
        (levels.links, levels.slots) = (devices.slots.allocated.count, Int(devices.slots.limit))
        (levels.clients, levels.isRadioOn) = (members.greetedCount, central.state == .poweredOn)
        return levels
    }

    /// - Parameters:
    ///   - central: The radio. Other parts of the program may use it, too.
    ///   - identity: Who the proxy is.
    ///   - key: The key that clients have to have; nil for clear text.
    ///   - slots: How many connections all clients may have together.
    ///   - silence: How long a client may say nothing before it is given up, with its links.
    ///   - report: Takes the events, in order, on the manager's executor.
    package init(
        central: CentralManager, identity: ProxyIdentity, key: NoiseKey?, slots: Int = 3,
        silence: Duration = .seconds(150), report: @escaping @Sendable (ProxyEvent) -> Void = { _ in }
    ) {
        (self.central, self.identity, self.key, self.report) = (central, identity, key, report)
        (executor, self.silence) = (central.executor, silence)
        features = ProxyFeatures(slots: slots)
        devices = ProxyDevices(slots: slots)
    }

    /// Serves until the task is cancelled; then all connections end, those of clients and those to devices.
    package nonisolated func run() async {
        await central.run { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { await self.watchRadio() }
                for await job in jobs.stream { group.addTask { await job() } }
                group.cancelAll()
            }
            await close()
        }
    }

    private func close() {
        isOver = true
        timer?.timer.cancel()
        for number in members.numbers { end(number, nil) }
    }

    // MARK: Clients

    /// Takes a connection.
    ///
    /// - Returns: The number of the client; nil, and the channel is closed, where there are too many.
    package func join(_ channel: any ProxyChannel) -> Int? {
        if members.isFull, let oldest = members.firstStranger { end(oldest, .tooMany) }
        guard !isOver, !members.isFull else {
            refused(nil, .tooMany)
            channel.close()
            return nil
        }
        let now = central.clock.elapsed
        let client = ProxyClient(identity, key: key, features: features, silence: silence, at: now)
        arm(at: client.deadline)
        return members.add(client, channel)
    }

    /// Takes bytes of a client.
    package func receive(_ bytes: some Collection<UInt8>, from number: Int) {
        let actions = members.change(number) { $0.client.receive(bytes, at: central.clock.elapsed) }
        obey(actions ?? [], number)
    }

    /// The connection of a client has ended.
    package func leave(_ number: Int) { end(number, nil) }

    private func obey(_ actions: [ProxyClient.Action], _ number: Int) {
        for action in actions {
            guard members[number] != nil else { return }
            switch action {
            case .send(let bytes): send(bytes, number)
            case .greeted(let name):
                if let deadline = members[number]?.client.deadline { arm(at: deadline) }
                if members[number]?.name == nil {
                    counts.clients += 1
                    report(.joined(name))
                }
                members.change(number) { $0.name = name }
            case .request(let message): obey(message, number)
            case .end(let fault): end(number, fault)
            }
        }
    }

    private func end(_ number: Int, _ fault: ProxyFault?) {
        guard let member = members.remove(number) else { return }
        devices.letGo(allOf: number)
        member.channel.close()
        if let fault { refused(member.name, fault) } else if let name = member.name { report(.left(name)) }
        listenersChanged()
    }

    private func refused(_ name: String?, _ fault: ProxyFault) {
        counts.refused[fault, default: 0] += 1
        report(.refused(name, fault))
    }

    /// Sends messages that a client waits for. One that does not read for so long is given up.
    private func send(_ messages: [any APIMessage], _ number: Int) {
        counts.failedRequests += messages.count { $0 is ErrorResponse }
        if !members.send(messages, to: number) { end(number, .tooSlow) }
    }

    private func send(_ bytes: [UInt8], _ number: Int) {
        if !members.send(bytes, to: number) { end(number, .tooSlow) }
    }

    // MARK: Time

    private func arm(at end: Duration) {
        if let timer, timer.end <= end { return }
        timer?.timer.cancel()
        let delay = max(end - central.clock.elapsed, .zero)
        timer = (end, central.clock.schedule(after: delay) { [weak self] in self?.later { $0.timePassed() } })
    }

    private func timePassed() {
        timer = nil
        if isOver { return }
        let elapsed = central.clock.elapsed
        for number in members.numbers {
            obey(members.change(number) { $0.client.timePassed(at: elapsed) } ?? [], number)
        }
        if let next = members.deadline { arm(at: next) }
        if scan != nil {
            // Where absences show, each device that is there is reported again by the platform.
            if central.absencesShowFor == nil { heard.due(at: elapsed).forEach { obey(batch.add($0, at: elapsed)) } }
            arm(at: elapsed + HeardDevices.pace)
        }
    }

    // MARK: Advertisements

    /// Starts or stops the scan.
    private func listenersChanged() {
        if members.someListen, scan == nil {
            let ending = Ending()
            self.scan = ending
            let scan = ProxyScan(central: central)
            jobs.continuation.yield { [self] in await ending.whileOpen { await scan.run(for: self) } }
            arm(at: central.clock.elapsed + HeardDevices.pace)
        } else if !members.someListen {
            scan?.end()
            scan = nil
            _ = batch.take()
            hearNone()
        }
    }

    /// Takes a sighting, or the loss of a device.
    func hear(_ discovery: Discovery) {
        let (address, fields) = (DeviceAddress(discovery.peripheral.identifier), discovery.advertisements)
        if discovery.kind == .lost { return heard.lose(address.number) }
        let advertisement = RawAdvertisement(discovery, address, data: heard.data(of: address.number, fields))
        heard.hear(advertisement, of: fields, at: central.clock.elapsed)
        obey(batch.add(advertisement, at: central.clock.elapsed))
    }

    /// The scan has ended: of what was heard, nothing is known any more.
    func hearNone() { heard = HeardDevices() }

    private func obey(_ due: AdvertisementBatch.Due?) {
        switch due {
        case .now: flush()
        case .after(let delay):
            _ = central.clock.schedule(after: delay) { [weak self] in
                self?.later { $0.obey($0.batch.timePassed(at: $0.central.clock.elapsed)) }
            }
        case nil: break
        }
    }

    /// Advertisements were lost before they came here.
    func missed(_ count: Int) { counts.droppedAdvertisements += count }

    private func flush() {
        let count = batch.count
        guard let message = batch.take() else { return }
        let (sent, dropped) = members.pass(message.raw)
        counts.advertisements += sent * count
        counts.droppedAdvertisements += dropped * count
    }

    private func watchRadio() async {
        for await state in central.states() {
            let before = radioState
            radioState = state
            if before != .unknown, state != before {
                if state == .poweredOn { report(.radioReturned) } else { report(.radioLost(state)) }
            }
            for number in members.numbers(where: \.isListening) { send([ScannerStateResponse(state)], number) }
        }
    }

    // MARK: Requests

    private func obey(_ message: any APIMessage, _ number: Int) {
        switch message {
        case is SubscribeAdvertisementsRequest:
            members.change(number) { $0.isListening = true }
            send([ScannerStateResponse(radioState)], number)
            listenersChanged()
        case is UnsubscribeAdvertisementsRequest:
            members.change(number) { $0.isListening = false }
            listenersChanged()
        case is ScannerModeRequest: send([ScannerStateResponse(radioState)], number)
        case is SubscribeSlotsRequest:
            members.change(number) { $0.watchesSlots = true }
            send([devices.slots], number)
        case let request as DeviceRequest: carryOut(devices.obey(request, of: number, central, self))
        default:
            guard let address = (message as? any DeviceMessage)?.address, let client = members[number]?.client,
                let request = LinkRequest(message, usesShortUUIDs: client.knowsShortUUIDs)
            else { return }
            carryOut(devices.pass(request, address, of: number))
        }
    }

    private func carryOut(_ steps: [ProxyDevices.Step]) {
        for step in steps {
            switch step {
            case .send(let messages, let number): send(messages, number)
            case .begin(let run): jobs.continuation.yield { await run.run() }
            case .removeBond(let address):
                jobs.continuation.yield { [self] in await bondRemoved(address, await central.removeBond(of: address)) }
            case .linked(let device):
                counts.links += 1
                report(.linked(device))
            case .unlinked(let device): report(.unlinked(device))
            case .refused: counts.refusedLinks += 1
            case .slots(let slots): for number in members.numbers(where: \.watchesSlots) { send([slots], number) }
            }
        }
    }

    // MARK: Devices

    func linkIsUp(_ run: LinkRun, _ unit: UInt32) { carryOut(devices.linkIsUp(run, maximumTransmissionUnit: unit)) }

    func linkEnded(_ run: LinkRun, _ code: Int32, unanswered: [LinkRequest]) {
        carryOut(devices.linkEnded(run, code, unanswered: unanswered))
    }

    /// An answer, or a value, of a link. A value is left out where the client does not read.
    func answer(_ message: any APIMessage, of run: LinkRun) {
        guard let number = devices.client(of: run) else { return }
        if message is NotifiedValueResponse, members.isSlow(number) {
            counts.droppedValues += 1
        } else {
            send([message], number)
        }
    }

    private func bondRemoved(_ address: UInt64, _ isDone: Bool) { carryOut(devices.bondRemoved(address, isDone)) }

    /// The numbers of clients, links and bonds that are dealt with, and of the devices that are heard, by kind.
    var remains: [String: Int] {
        let all = ["members": members.count, "batch": batch.count, "heard": heard.count]
        return all.merging(devices.remains) { $1 }.filter { $0.value > 0 }
    }
}
#endif
