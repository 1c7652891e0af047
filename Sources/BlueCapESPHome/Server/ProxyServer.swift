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
    private struct Member {
        var client: ProxyClient
        let channel: any ProxyChannel
        var name: String?
        var isListening = false
        var watchesSlots = false
    }

    /// How many connections there may be.
    static let maximumClients = 32
    /// The bytes that wait for a client beyond which it gets no advertisements and values, and beyond which it ends.
    static let (slowByteCount, maximumByteCount) = (65_536, 1 << 20)

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

    private var members: [Int: Member] = [:]
    private var lastMember = 0
    private var links: ProxyLinks
    private var runs: [UInt64: LinkRun] = [:]
    private var unpairings = ProxyUnpairings()
    private var batch = AdvertisementBatch()
    private var heard = HeardDevices()
    private var scan: Ending?
    private var radioState = ManagerState.unknown
    private var timer: (end: Duration, timer: ClockTimer)?
    private var isOver = false
    package private(set) var counts = ProxyCounts()
    package var levels: ProxyLevels {
        var levels = ProxyLevels()
        levels.clients = members.values.count { $0.client.isGreeted }
        (levels.links, levels.slots) = (links.slots.allocated.count, links.limit)
        levels.isRadioOn = central.state == .poweredOn
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
        links = ProxyLinks(limit: slots)
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
        for number in members.keys.sorted() { end(number, nil) }
    }

    // MARK: Clients

    /// Takes a connection.
    ///
    /// - Returns: The number of the client; nil, and the channel is closed, where there are too many.
    package func join(_ channel: any ProxyChannel) -> Int? {
        if members.count >= Self.maximumClients,
            let oldest = members.filter({ !$0.value.client.isGreeted }).keys.min()
        {
            end(oldest, .tooMany)
        }
        guard !isOver, members.count < Self.maximumClients else {
            refused(nil, .tooMany)
            channel.close()
            return nil
        }
        lastMember += 1
        let elapsed = central.clock.elapsed
        let client = ProxyClient(identity, key: key, features: features, silence: silence, at: elapsed)
        members[lastMember] = Member(client: client, channel: channel)
        arm(at: client.deadline)
        return lastMember
    }

    /// Takes bytes of a client.
    package func receive(_ bytes: some Collection<UInt8>, from number: Int) {
        guard let actions = members[number]?.client.receive(bytes, at: central.clock.elapsed) else { return }
        obey(actions, number)
    }

    /// The connection of a client has ended.
    package func leave(_ number: Int) { end(number, nil) }

    private func obey(_ actions: [ProxyClient.Action], _ number: Int) {
        for action in actions {
            guard members[number] != nil else { return }
            switch action {
            case .send(let bytes): send(bytes, number)
            case .greeted(let name):
                let isNew = members[number]?.name == nil
                members[number]?.name = name
                if let deadline = members[number]?.client.deadline { arm(at: deadline) }
                if isNew {
                    counts.clients += 1
                    report(.joined(name))
                }
            case .request(let message): obey(message, number)
            case .end(let fault): end(number, fault)
            }
        }
    }

    private func end(_ number: Int, _ fault: ProxyFault?) {
        guard let member = members.removeValue(forKey: number) else { return }
        for address in links.addresses(of: number) { letGo(address, number) }
        member.channel.close()
        if let fault { refused(member.name, fault) } else if let name = member.name { report(.left(name)) }
        listenersChanged()
    }

    private func refused(_ name: String?, _ fault: ProxyFault) {
        counts.refused[fault, default: 0] += 1
        report(.refused(name, fault))
    }

    /// Sends a message that a client waits for. One that does not read for so long is given up.
    private func send(_ message: any APIMessage, _ number: Int) {
        guard let bytes = members[number]?.client.frame(message) else { return }
        send(bytes, number)
    }

    private func send(_ bytes: [UInt8], _ number: Int) {
        guard let channel = members[number]?.channel else { return }
        channel.send(bytes)
        if channel.waitingCount > Self.maximumByteCount { end(number, .tooSlow) }
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
        for number in members.keys.sorted() {
            if let actions = members[number]?.client.timePassed(at: elapsed) { obey(actions, number) }
        }
        if let next = members.values.map(\.client.deadline).min() { arm(at: next) }
        if scan != nil {
            repeatAdvertisements(at: elapsed)
            arm(at: elapsed + HeardDevices.pace)
        }
    }

    // MARK: Advertisements

    /// Starts or stops the scan.
    private func listenersChanged() {
        let isWanted = members.values.contains(where: \.isListening)
        if isWanted, scan == nil {
            let ending = Ending()
            self.scan = ending
            let scan = ProxyScan(central: central)
            jobs.continuation.yield { [self] in await ending.whileOpen { await scan.run(for: self) } }
            arm(at: central.clock.elapsed + HeardDevices.pace)
        } else if !isWanted {
            scan?.end()
            scan = nil
            _ = batch.take()
            hearNone()
        }
    }

    /// Takes a sighting, or the loss of a device.
    func hear(_ discovery: Discovery) {
        if discovery.kind == .lost { return heard.lose(DeviceAddress(discovery.peripheral.identifier).number) }
        let advertisement = AdvertisementBatch.advertisement(discovery)
        heard.hear(advertisement, at: central.clock.elapsed)
        pass(advertisement)
    }

    /// The scan has ended: of what was heard, nothing is known any more.
    func hearNone() { heard = HeardDevices() }

    private func repeatAdvertisements(at elapsed: Duration) {
        // Where absences show, each device that is there is reported again by the platform.
        if central.absencesShowFor == nil { heard.due(at: elapsed).forEach(pass) }
    }

    private func pass(_ advertisement: RawAdvertisement) {
        if batch.count == 0 {
            _ = central.clock.schedule(after: AdvertisementBatch.patience) { [weak self] in self?.later { $0.flush() } }
        }
        batch.add(advertisement)
        if batch.isFull { flush() }
    }

    /// Advertisements were lost before they came here.
    func missed(_ count: Int) { counts.droppedAdvertisements += count }

    private func flush() {
        let count = batch.count
        guard let message = batch.take()?.raw else { return }
        for (number, member) in members where member.isListening {
            guard member.channel.waitingCount <= Self.slowByteCount else {
                counts.droppedAdvertisements += count
                continue
            }
            counts.advertisements += count
            if let bytes = members[number]?.client.frame(message) { member.channel.send(bytes) }
        }
    }

    private func watchRadio() async {
        for await state in central.states() {
            let before = radioState
            radioState = state
            if before != .unknown, state != before {
                if state == .poweredOn { report(.radioReturned) } else { report(.radioLost(state)) }
            }
            for (number, member) in members where member.isListening { send(scannerState, number) }
        }
    }

    private var scannerState: ScannerStateResponse {
        var response = ScannerStateResponse()
        response.state = radioState == .poweredOn ? 2 : radioState == .unknown ? 1 : 3
        (response.mode, response.configuredMode) = (1, 1)
        return response
    }

    // MARK: Requests

    private func obey(_ message: any APIMessage, _ number: Int) {
        switch message {
        case is SubscribeAdvertisementsRequest:
            members[number]?.isListening = true
            send(scannerState, number)
            listenersChanged()
        case is UnsubscribeAdvertisementsRequest:
            members[number]?.isListening = false
            listenersChanged()
        case is ScannerModeRequest: send(scannerState, number)
        case is SubscribeSlotsRequest:
            members[number]?.watchesSlots = true
            send(links.slots, number)
        case let request as DeviceRequest: obey(request, number)
        default:
            guard let address = (message as? any DeviceMessage)?.address, let client = members[number]?.client,
                let request = LinkRequest(message, usesShortUUIDs: client.knowsShortUUIDs)
            else { return }
            pass(request, address, number)
        }
    }

    /// Hands a request to the link of the client, or answers that there is none.
    private func pass(_ request: LinkRequest, _ address: UInt64, _ number: Int) {
        guard links.isUp(address, for: number), let run = runs[address] else {
            return send(request.failure(address, ProxyCode.notConnected), number)
        }
        if !run.take(request) { send(request.failure(address, ProxyCode.outOfMemory), number) }
    }

    private func obey(_ request: DeviceRequest, _ number: Int) {
        let address = request.address
        switch DeviceRequest.Kind(rawValue: request.kind) {
        case .connectWithCache: connect(address, hasCache: true, number)
        case .connectWithoutCache: connect(address, hasCache: false, number)
        case .connectOldStyle, nil: sendConnection(address, number)
        case .disconnect: if !letGo(address, number) { sendConnection(address, number) }
        case .pair: pass(.pair, address, number)
        case .unpair: unpair(address, number)
        case .clearCache: send(ClearCacheResponse(address, isDone: true), number)
        }
    }

    // MARK: Links

    private func connect(_ address: UInt64, hasCache: Bool, _ number: Int) {
        switch links.connect(address, for: number) {
        case .begin(let link):
            let run = LinkRun(address, link, hasCache: hasCache, central, self)
            runs[address] = run
            slotsChanged()
            jobs.continuation.yield { await run.run() }
        case .isUp(let unit): sendConnection(address, number, isConnected: true, unit: unit)
        case .waits: break
        case .refused:
            counts.refusedLinks += 1
            sendConnection(address, number)
        }
    }

    @discardableResult
    private func letGo(_ address: UInt64, _ number: Int) -> Bool {
        guard links.disconnect(address, for: number) else { return false }
        runs[address]?.end()
        return true
    }

    func linkIsUp(_ run: LinkRun, _ unit: UInt32) {
        guard let number = links.connected(run.address, run.number, maximumTransmissionUnit: unit) else { return }
        counts.links += 1
        report(.linked(PeerIdentifier(address: run.address)))
        sendConnection(run.address, number, isConnected: true, unit: unit)
        slotsChanged()
    }

    func linkEnded(_ run: LinkRun, _ code: Int32, unanswered: [LinkRequest]) {
        let wasUp = links.hasBeenUp(run.address, run.number)
        guard let number = links.ended(run.address, run.number) else { return }
        runs[run.address] = nil
        if wasUp { report(.unlinked(PeerIdentifier(address: run.address))) }
        for request in unanswered { send(request.failure(run.address, ProxyCode.notConnected), number) }
        let (isHeld, answer) = unpairings.linkEnded(run.address, of: number, code)
        if !isHeld { sendConnection(run.address, number, error: code) }
        if let answer { send(answer, run.address) }
        slotsChanged()
    }

    /// An answer, or a value, of a link. A value is left out where the client does not read.
    func answer(_ message: any APIMessage, of run: LinkRun) {
        guard let number = links.client(of: run.address, run.number) else { return }
        if message is NotifiedValueResponse, members[number]?.channel.waitingCount ?? 0 > Self.slowByteCount {
            counts.droppedValues += 1
        } else {
            send(message, number)
        }
    }

    private func sendConnection(
        _ address: UInt64, _ number: Int, isConnected: Bool = false, unit: UInt32 = 0, error: Int32 = 0
    ) {
        send(Self.connection(address, isConnected: isConnected, unit: unit, error: error), number)
    }

    private static func connection(
        _ address: UInt64, isConnected: Bool = false, unit: UInt32 = 0, error: Int32 = 0
    ) -> DeviceConnectionResponse {
        var response = DeviceConnectionResponse(address)
        response.isConnected = isConnected
        (response.maximumTransmissionUnit, response.error) = (unit, error)
        return response
    }

    private func slotsChanged() {
        let slots = links.slots
        for (number, member) in members where member.watchesSlots { send(slots, number) }
    }

    /// The numbers of clients, links and bonds that are dealt with, and of the devices that are heard, by kind.
    var remains: [String: Int] {
        let all = [
            "members": members.count, "links": links.slots.allocated.count, "runs": runs.count,
            "unpairings": unpairings.count, "batch": batch.count, "heard": heard.count,
        ]
        return all.filter { $0.value > 0 }
    }

    // MARK: Bonds

    private func unpair(_ address: UInt64, _ number: Int) {
        guard links.client(of: address) ?? number == number, unpairings.begin(address, for: number) else {
            return send(ProxyUnpairings.Answer(client: number, isDone: false, end: nil), address)
        }
        jobs.continuation.yield { [self] in
            let peripheral = try? await central.peripheral(at: address)
            var isDone = peripheral?.isBonded == true
            do { if isDone { try await peripheral?.removeBond() } } catch { isDone = false }
            await unpaired(address, isDone)
        }
    }

    private func unpaired(_ address: UInt64, _ isDone: Bool) {
        let linked = links.client(of: address)
        if let answer = unpairings.finished(address, isDone: isDone, linked: linked) { send(answer, address) }
    }

    private func send(_ answer: ProxyUnpairings.Answer, _ address: UInt64) {
        let response = UnpairingResponse(
            address, isDone: answer.isDone, error: answer.isDone ? 0 : ProxyCode.notConnected)
        var bytes = members[answer.client]?.client.frame(response) ?? []
        if let end = answer.end {
            // In one piece: between two of them a client may begin its next request, which the end would fail.
            let ended = Self.connection(address, error: end)
            bytes += members[answer.client]?.client.frame(ended) ?? []
        }
        send(bytes, answer.client)
    }
}
#endif
