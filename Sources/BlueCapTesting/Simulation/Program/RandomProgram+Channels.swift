// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// Connection-oriented channels.
extension RandomProgram {
    /// Whether channels are played: where the far devices take them.
    var hasChannels: Bool { devices.allSatisfy(\.takesChannels) }

    private var isStream: Bool { state.withLock { $0.isStream } }

    /// Opens a channel and uses it for a while.
    func useChannel(_ device: Int, _ use: ProgramCall.ChannelUse) async {
        guard let channel = await openChannel(device, use) else { return }
        let log = ChannelLog(device: device, place: use.place, isStream: isStream, channel)
        state.withLock { $0.channels.append(log) }
        await withTaskGroup { group in
            group.addTask { await self.send(use, over: channel, log) }
            group.addTask { await self.take(pausing: use.pause, from: channel, log) }
            try? await journal.clock.sleep(for: use.duration)
            if use.isClosed {
                let facts = log.facts
                let isWhole = channel.isOpen && facts.sent.count == use.count
                channel.close()
                log.change { $0.isClosedWhole = isWhole }
            } else {
                group.cancelAll()
            }
        }
        journal.note("a channel to device \(device) is left after \(log.facts.takenCount) units")
    }

    private func openChannel(_ device: Int, _ use: ProgramCall.ChannelUse) async -> Channel? {
        guard let peripheral = await linked(device) else { return nil }
        let result = await journal.call(
            "open a channel to device \(device), \(use.place)", link: peripheral.identifier, timeout: use.timeout,
            cancellation: use.cancellation
        ) { () async throws(ChannelError) in
            try await peripheral.openChannel(psm: use.place.psm, encrypted: use.isEncrypted, timeout: use.timeout)
        }
        guard case .success(let channel) = result else { return nil }
        if use.place == .none { journal.violate("device \(device) takes a channel that it does not offer") }
        return channel
    }

    private func send(_ use: ProgramCall.ChannelUse, over channel: Channel, _ log: ChannelLog) async {
        for _ in 0..<use.count {
            let number = makeNumber()
            log.change { $0.begun.append(number) }
            let result = await journal.call("send unit \(number)", link: channel.peer) {
                () async throws(ChannelError) in
                try await channel.send(Bytes(unit: number))
            }
            guard case .success = result else { return }
            log.change { $0.sent.append(number) }
        }
    }

    func take(pausing pause: Duration, from channel: Channel, _ log: ChannelLog) async {
        do throws(ChannelError) {
            for try await unit in channel {
                if !log.took(unit), !state.withLock({ $0.hasLiars }) {
                    journal.violate("a channel of device \(log.device) gave \(unit), which nobody has sent")
                }
                if pause > .zero { try? await journal.clock.sleep(for: pause) }
            }
            if !Task.isCancelled { log.change { $0.end = .quiet } }
        } catch {
            log.change { $0.end = .failed }
        }
    }

    /// Has a device's firmware do something with its channels.
    func act(_ device: Int, _ action: ChannelAction) async {
        if case .misbehave = action { state.withLock { $0.hasLiars = true } }
        var numbers: [UInt64] = []
        if case .send(let place, let count) = action {
            numbers = (0..<count).map { _ in makeNumber() }
            let sent = numbers
            state.withLock { $0.deviceUnits[ChannelKey(device: device, place: place), default: []] += sent }
        }
        try? await devices[device].act(action, numbers)
    }

    // MARK: The conditions

    /// No channel outlives its link: called when one has ended.
    func checkThatChannelsEnded(of peripheral: Peripheral) {
        let open = state.withLock { $0.channels }.filter { $0.peer == peripheral.identifier && $0.isOpen }
        if !open.isEmpty, !peripheral.isConnected {
            journal.violate("\(open.count) channels of \(peripheral.identifier) outlive its link")
        }
    }

    /// The units of each channel came in order, without gaps, and all where it ended quietly.
    func checkChannels() async throws {
        guard hasChannels else { return }
        for log in state.withLock({ $0.channels }) {
            if log.device == devices.count - 1, far == nil {
                served.checkAgainst(log)
            } else {
                try await checkAgainstDevice(log)
            }
        }
    }

    private func checkAgainstDevice(_ log: ChannelLog) async throws {
        let facts = log.facts
        let what = "the \(log.place) channel of device \(log.device) that sent \(facts.begun)"
        // The pieces of several channels at once cannot be told from each other: the echo has to do.
        if !isStream, let arrived = try await devices[log.device].channelNumbers(log.place) {
            let own = Set(facts.begun)
            let came = arrived.filter(own.contains)
            if !facts.begun.starts(with: came) { journal.violate("\(what): \(came) came to the device") }
        }
        let key = ChannelKey(device: log.device, place: log.place)
        let offered = log.place == .echo ? facts.begun : state.withLock { $0.deviceUnits[key] ?? [] }
        if !offered.hasSlice(facts.taken, atStart: log.place == .echo) {
            journal.violate("\(what): took \(facts.taken) of \(offered)")
        }
    }

    /// Every unit that reached a manager was taken or counted.
    func checkChannelCounts() {
        guard hasChannels else { return }
        let taken = state.withLock { $0.channels }.reduce(0) { $0 + $1.facts.takenCount }
        Self.check(
            central.channelTotals, taken: taken, seen: watch.channels.receivedCount, unclaimed: central.unclaimedCount,
            "the central manager", journal)
        served.checkChannelCounts()
    }

    static func check(
        _ totals: ChannelTotals, taken: Int, seen: Int?, unclaimed: Int, _ manager: String, _ journal: RunJournal
    ) {
        if totals.openCount != 0 { journal.violate("\(manager) counts \(totals.openCount) channels that are open") }
        if totals.units.receivedUnitCount != taken + totals.droppedUnitCount {
            journal.violate("\(manager): \(taken) units were taken, and the counts say \(totals)")
        }
        guard let seen else { return }
        let missing = seen - totals.units.receivedUnitCount
        if missing < 0 || missing > unclaimed {
            journal.violate("\(manager) got \(seen) units, and counts \(totals) with \(unclaimed) unclaimed")
        }
    }

    /// Channels work again.
    func exerciseChannel(_ index: Int) async {
        guard hasChannels else { return }
        for place in ChannelPlace.allCases { try? await devices[index].act(.refuse(place, nil), []) }
        let isServed = index == devices.count - 1 && far == nil
        async let serving: Void = isServed ? served.publish(.echo, pause: .zero, for: limit(.seconds(30)), self) : ()
        // The PSM has to be there first.
        try? await journal.clock.sleep(for: .seconds(1))
        var use = ProgramCall.ChannelUse(place: .echo)
        (use.timeout, use.count, use.isClosed) = (limit(.seconds(20)), 5, true)
        use.duration = limit(.seconds(20))
        await useChannel(index, use)
        await serving
        let last = state.withLock { $0.channels.last }?.facts
        if last?.sent.count != 5 || last?.taken != last?.sent {
            let text = last.map { "\($0)" } ?? "no channel"
            journal.violate("device \(index) does not send units back any more: \(text)")
        }
    }
}

/// The channels of a device on one PSM.
struct ChannelKey: Hashable {
    let device: Int
    let place: ChannelPlace
}

extension [UInt64] {
    /// Whether other elements are some of these without a gap.
    fileprivate func hasSlice(_ slice: [UInt64], atStart: Bool) -> Bool {
        guard let first = slice.first else { return true }
        guard let start = firstIndex(of: first), start == 0 || !atStart else { return false }
        return self[start...].starts(with: slice)
    }
}
