// SPDX-License-Identifier: MIT

import BlueCapRuntime
import BlueCapSerDe

/// The channels of a manager, of either role: the requests for them, those that are open, and the PSMs that are
/// published.
///
/// Touched on the manager only.
final class ChannelDesk {
    /// The result of a request for a channel.
    enum Success: Sendable {
        case opened(Channel)
        case published(Publication)
        case done
    }

    typealias Completion = @Sendable (Result<Success, ChannelError>) -> Void
    private typealias Table = PendingTable<ChannelOperation, Completion>

    private var pending = Table()
    private var open: [ChannelID: ChannelBox] = [:]
    private var published: [UInt16: Mailbox<Channel, ChannelError>] = [:]

    /// The number of channels that are open, of PSMs that are published, and of requests.
    var count: Int { open.count + published.count + pending.count }

    // MARK: Calls

    /// Asks the backend and waits for its answer.
    ///
    /// - Parameters:
    ///   - operation: The operation to carry out.
    ///   - peer: The device with whose link it ends; nil for none, and for a unit, which ends with its channel.
    ///   - timeout: How long to wait, and the error after that; nil for as long as it takes.
    ///   - owner: The manager.
    func perform(
        _ operation: ChannelOperation, with peer: PeerIdentifier?, timeout: (Duration, ChannelError)? = nil,
        _ owner: isolated some ChannelOwner
    ) async -> Result<Success, ChannelError> {
        let id = pending.makeID()
        #if Metrics
        let start = owner.meter.begin(owner.clock)
        #endif
        let result: Result<Success, ChannelError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: .failure(.cancelled)) }
                if let refusal = owner.channelRefusal { return continuation.resume(returning: .failure(refusal)) }
                var completion: Completion = { continuation.resume(returning: $0) }
                if let (delay, error) = timeout {
                    let token = owner.after(delay) { $0.requests.channels.abandon(id, error) }
                    completion = { [weak owner] result in
                        owner?.later { $0.cancelDeadline(token) }
                        continuation.resume(returning: result)
                    }
                }
                let lane = Table.Lane(peripheral: peer, generation: 0, kind: operation.lane(id))
                if let outgoing = pending.add(id, operation, lane: lane, completion: completion) {
                    begin(outgoing, owner)
                }
            }
        } onCancel: {
            owner.later { $0.requests.channels.abandon(id, .cancelled) }
        }
        #if Metrics
        owner.meter.end(operation.meterLabel, MeteredOutcome(result), since: start, owner.clock)
        #endif
        return result
    }

    func send(
        _ unit: Bytes, over box: ChannelBox, _ owner: isolated some ChannelOwner
    ) async -> Result<Void, ChannelError> {
        guard open[box.id] != nil else { return .failure(box.end?.error ?? .closed) }
        return await perform(.send(box.id, unit), with: nil, owner).map { _ in }
    }

    func taken(_ box: ChannelBox, _ count: Int, _ owner: isolated some ChannelOwner) {
        if open[box.id] != nil { tell(.allow(box.id, count: count), owner) }
    }

    /// The app has closed a channel.
    func close(_ box: ChannelBox, _ owner: isolated some ChannelOwner) {
        guard open.removeValue(forKey: box.id) != nil else { return }
        countEnd(nil, owner)
        tell(.close(box.id), owner)
        endSending(over: box, .closed)
    }

    /// The app takes no more channels on a PSM.
    func withdraw(
        _ psm: UInt16, _ channels: Mailbox<Channel, ChannelError>, _ owner: isolated some ChannelOwner
    ) {
        guard published[psm] === channels else { return }
        published[psm] = nil
        tell(.withdraw(psm: psm), owner)
    }

    private func abandon(_ id: RequestID, _ error: ChannelError) { pending.abandon(id)?(.failure(error)) }

    private func begin(_ outgoing: Table.Outgoing, _ owner: isolated some ChannelOwner) {
        let request = ChannelRequest(id: outgoing.id, operation: outgoing.operation)
        owner.channelBackend.onExecutor { $0.performOnChannels(request) }
    }

    private func tell(_ command: ChannelCommand, _ owner: isolated some ChannelOwner) {
        if owner.state == .poweredOn { owner.channelBackend.onExecutor { $0.command(command) } }
    }

    // MARK: Events

    func apply(_ event: ChannelEvent, _ owner: isolated some ChannelOwner) {
        switch event {
        case .accepted(let channel):
            guard let mailbox = published[channel.psm] else { return tell(.close(channel.id), owner) }
            mailbox.push(begin(channel, owner))
        case .received(let id, let unit):
            guard let box = open[id], box.received(unit) else { return owner.countUnclaimed(1) }
            count(unit, .received, owner)
        case .closed(let id, let error):
            guard let box = open.removeValue(forKey: id) else { return }
            countEnd(box.finish(error) ? error : nil, owner)
            endSending(over: box, error ?? .closed)
        case .reply(let id, let result): answer(id, result, owner)
        }
    }

    private func answer(
        _ id: RequestID, _ result: Result<ChannelReply, ChannelError>, _ owner: isolated some ChannelOwner
    ) {
        let operation = pending.operation(of: id)
        let step = pending.reply(id)
        if let outgoing = step.send { begin(outgoing, owner) }
        // The unit of a call that was given up has gone out all the same.
        if case .send(let id, let unit)? = operation, case .success = result, let box = open[id] {
            box.sent(unit)
            count(unit, .sent, owner)
        }
        if case .failure(.refused) = result { owner.channelCounts.withLock { $0.refusedCount += 1 } }
        guard let completion = step.completion else { return takeBack(result, owner) }
        switch result {
        case .success(.opened(let channel)): completion(.success(.opened(begin(channel, owner))))
        case .success(.published(let psm)):
            let channels = Mailbox<Channel, ChannelError>(capacity: .unbounded)
            published[psm] = channels
            completion(.success(.published(Publication(psm: psm, channels, keeper: owner))))
        case .success(.done): completion(.success(.done))
        case .failure(let error): completion(.failure(error))
        }
    }

    /// The caller of a request gave up: a channel that it brought is closed.
    private func takeBack(_ result: Result<ChannelReply, ChannelError>, _ owner: isolated some ChannelOwner) {
        switch result {
        case .success(.opened(let channel)): tell(.close(channel.id), owner)
        case .success(.published(let psm)): if published[psm] == nil { tell(.withdraw(psm: psm), owner) }
        case .success(.done), .failure: break
        }
    }

    private func begin(_ channel: OpenedChannel, _ owner: isolated some ChannelOwner) -> Channel {
        let box = ChannelBox(channel)
        open[channel.id] = box
        owner.channelCounts.withLock { counts in
            counts.openedCount += 1
            counts.openCount += 1
        }
        owner.meter.channels.channelOpened()
        owner.meter.change(.openChannels, by: 1)
        tell(.allow(channel.id, count: ChannelBox.window), owner)
        return Channel(channel, box, keeper: owner)
    }

    // MARK: Ends

    /// The link of a device has ended, and with it all that was done over it.
    func linkEnded(_ peer: PeerIdentifier, _ error: ChannelError, _ owner: isolated some ChannelOwner) {
        for box in boxes where box.peer == peer {
            end(box, error, owner)
            endSending(over: box, error)
        }
        for completion in pending.drain(peer) { completion(.failure(error)) }
    }

    /// A device whose link stands has another identifier.
    func peerChanged(_ former: PeerIdentifier, to present: PeerIdentifier) {
        for box in open.values where box.peer == former { box.peer = present }
    }

    /// Everything has ended.
    func endAll(_ error: ChannelError, _ owner: isolated some ChannelOwner) {
        for box in boxes { end(box, error, owner) }
        for channels in published.values { channels.finish(error) }
        published = [:]
        for completion in pending.drain(nil) { completion(.failure(error)) }
    }

    /// The channels that are open, in the order of their opening.
    private var boxes: [ChannelBox] { open.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value) }

    private func end(_ box: ChannelBox, _ error: ChannelError, _ owner: isolated some ChannelOwner) {
        open[box.id] = nil
        countEnd(box.finish(error) ? error : nil, owner)
    }

    // MARK: Counts

    /// A channel has ended for its users; without an error where a side closed it.
    private func countEnd(_ error: ChannelError?, _ owner: isolated some ChannelOwner) {
        let end = ChannelMeter.End(error)
        owner.channelCounts.withLock { counts in
            counts.openCount -= 1
            if end == .lost { counts.lostCount += 1 }
            if end == .failed { counts.failedCount += 1 }
        }
        owner.meter.channels.channelEnded(end)
        owner.meter.change(.openChannels, by: -1)
    }

    private func count(_ unit: Bytes, _ direction: ChannelMeter.Direction, _ owner: isolated some ChannelOwner) {
        owner.channelCounts.withLock { $0.units.count(unit, direction) }
        owner.meter.channels.unit(direction, byteCount: unit.count)
    }

    private func endSending(over box: ChannelBox, _ error: ChannelError) {
        let lane = Table.Lane(peripheral: nil, generation: 0, kind: .channel(box.id))
        let (ended, _) = pending.drain(lane) { _ in true }
        for (_, completion) in ended { completion(.failure(error)) }
    }
}

extension ChannelOperation {
    /// The units of one channel go one after another, all else at once.
    fileprivate func lane(
        _ id: RequestID
    ) -> PendingTable<ChannelOperation, ChannelDesk.Completion>.Lane.Kind {
        if case .send(let channel, _) = self { .channel(channel) } else { .single(id) }
    }
}
