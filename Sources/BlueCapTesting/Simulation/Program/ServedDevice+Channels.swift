// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// The channels of the peripheral manager.
extension ServedDevice {
    /// Takes channels on a PSM for a while.
    func publish(_ place: ChannelPlace, pause: Duration, for duration: Duration, _ program: RandomProgram) async {
        let manager = manager
        let result = await journal.call("publish \(place) channels", timeout: .seconds(5)) {
            () async throws(ChannelError) in
            try await manager.publishChannel(
                psm: place.psm, encrypted: place == .encrypted, timeout: .seconds(5))
        }
        guard case .success(let published) = result else { return }
        await withTaskGroup { group in
            group.addTask {
                await withTaskGroup { channels in
                    do throws(ChannelError) {
                        for try await channel in published {
                            channels.addTask { await self.serve(channel, place, pause, program) }
                        }
                    } catch {}
                }
            }
            group.addTask { [journal] in try? await journal.clock.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }

    private func serve(
        _ channel: Channel, _ place: ChannelPlace, _ pause: Duration, _ program: RandomProgram
    ) async {
        let log = ChannelLog(device: RandomProgram.deviceCount - 1, place: place, channel)
        channels.withLock { $0.append(log) }
        switch place {
        case .stall, .none: try? await journal.clock.sleep(for: .seconds(10))
        case .keep, .encrypted: await program.take(pausing: pause, from: channel, log)
        case .echo: await echo(channel, log)
        }
    }

    private func echo(_ channel: Channel, _ log: ChannelLog) async {
        do throws(ChannelError) {
            for try await unit in channel {
                guard log.took(unit), let number = unit.unitNumber else { continue }
                log.change { $0.begun.append(number) }
                let result = await journal.call("send unit \(number) back") { () async throws(ChannelError) in
                    try await channel.send(unit)
                }
                guard case .success = result else { return }
                log.change { $0.sent.append(number) }
            }
            if !Task.isCancelled { log.change { $0.end = .quiet } }
        } catch {
            log.change { $0.end = .failed }
        }
    }

    /// The two ends of a channel agree.
    func checkAgainst(_ far: ChannelLog) {
        let facts = far.facts
        let own = Set(facts.begun)
        guard let near = channels.withLock({ $0 }).map(\.facts).first(where: { $0.taken.contains(where: own.contains) })
        else {
            if !facts.taken.isEmpty { journal.violate("\(facts.taken) came over a channel over which nothing went") }
            return
        }
        let what = "the \(far.place) channel of the served device that sent \(facts.begun)"
        if !facts.begun.starts(with: near.taken) { journal.violate("\(what): \(near.taken) came to the manager") }
        if !near.begun.starts(with: facts.taken) { journal.violate("\(what): took \(facts.taken) of \(near.begun)") }
        if facts.isClosedWhole, near.end == .quiet, near.taken != facts.sent {
            journal.violate("\(what) was closed, and the manager took \(near.taken) to its end")
        }
    }

    /// No channel outlives its link: called when that of a central has ended.
    func checkThatChannelsEnded(of central: PeerIdentifier) {
        let count = channels.withLock { $0 }.count { $0.peer == central && $0.isOpen }
        if count > 0, !manager.centrals().contains(where: { $0.identifier == central }) {
            journal.violate("\(count) channels of the central \(central) outlive its link")
        }
    }

    func checkChannelCounts() {
        let taken = channels.withLock { $0 }.reduce(0) { $0 + $1.facts.takenCount }
        RandomProgram.check(
            manager.channelTotals, taken: taken, seen: nil, unclaimed: manager.unclaimedCount,
            "the peripheral manager", journal)
    }
}
