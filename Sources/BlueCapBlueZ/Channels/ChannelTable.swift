// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapKernel
import BlueCapLoop
import BlueCapRuntime
import BlueCapSerDe

/// The channels of one backend, of either role: its sockets at the kernel, and the names under which its manager knows
/// them. Loop only.
final class ChannelTable {
    /// The maximum number of channels on a link: the kernel's numbers for its ends are 0x40 through 0x7F.
    private static let maximumPerLink = 64
    /// How long the kernel may take to open a channel. It reports nothing where the peer wants another security than
    /// the link has, and the pairing was refused.
    private static let patience = Duration.seconds(30)
    /// How long an end that may come from the link's is held back, so that the link's is reported instead: bluetoothd
    /// on its way out takes its time to report it.
    private static let grace = Duration.seconds(2)

    private struct Entry {
        var peer: PeerIdentifier
        let psm: UInt16
        let receiveLength: Int
        var socket: ChannelSocket?
        /// The request that opens it, until it is answered.
        var opening: RequestID?
        /// The request of the unit that waits.
        var sending: RequestID?
        var limit: ClockTimer?
    }

    private var sink: ChannelEventSink?
    private var entries: [ChannelID: Entry] = [:]
    private var listeners: [UInt16: ChannelListener] = [:]
    private var replies: [(RequestID, Result<ChannelReply, ChannelError>)] = []
    private var lastID: UInt64 = 0

    // MARK: Life

    func activate(_ sink: ChannelEventSink) { self.sink = sink }

    /// Ends everything without a word.
    func stop() {
        for entry in entries.values { close(entry) }
        for listener in listeners.values { listener.close() }
        (entries, listeners) = ([:], [:])
    }

    /// The manager is gone.
    func end() {
        stop()
        (sink, replies) = (nil, [])
    }

    /// The link to a device has ended; what had arrived over it before is still delivered.
    func linkEnded(_ peer: PeerIdentifier) {
        for (id, entry) in entries where entry.peer == peer {
            entry.socket?.drain()
            if let entry = entries.removeValue(forKey: id) { close(entry) }
        }
    }

    /// A device whose link stands has another identifier.
    func peerChanged(_ former: PeerIdentifier, to present: PeerIdentifier) {
        for (id, entry) in entries where entry.peer == former { entries[id]?.peer = present }
    }

    private func close(_ entry: Entry) {
        entry.socket?.close()
        entry.limit?.cancel()
    }

    // MARK: Requests

    /// Answers soon, for answers that are known inside a request.
    func reply<Role: ChannelRole>(
        _ id: RequestID, _ result: Result<ChannelReply, ChannelError>, _ backend: isolated Role
    ) {
        replies.append((id, result))
        if replies.count == 1 { backend.later { $0.channels.emitReplies() } }
    }

    private func emitReplies() {
        let due = replies
        replies = []
        for (id, result) in due { sink?(.reply(id, result)) }
    }

    func open<Role: ChannelRole>(
        _ request: RequestID, _ terms: ChannelTerms, to address: KernelAddress, of peer: PeerIdentifier,
        at place: ChannelPlace, _ backend: isolated Role
    ) {
        guard entries.values.count(where: { $0.peer == peer }) < Self.maximumPerLink else {
            return reply(request, .failure(.tooManyChannels), backend)
        }
        do throws(LoopError) {
            let descriptor = try place.sockets.connect(terms, to: address)
            let length = Int(terms.receiveLength)
            let id = makeID()
            let socket = try makeSocket(descriptor, id, isOpening: true, length, place, backend)
            entries[id] = Entry(
                peer: peer, psm: terms.psm, receiveLength: length, socket: socket, opening: request,
                limit: backend.after(Self.patience) { $0.channels.overdue(id) })
        } catch {
            reply(request, .failure(ChannelError(opening: error)), backend)
        }
    }

    /// Takes channels on a PSM, nil for one that the kernel chooses.
    func publish<Role: ChannelRole>(
        _ request: RequestID, psm: UInt16?, _ terms: ChannelTerms, at place: ChannelPlace, _ backend: isolated Role
    ) {
        do throws(LoopError) {
            let length = Int(terms.receiveLength)
            let listener = try ChannelListener(terms, at: place) { [weak backend] descriptor, channel in
                guard let backend else { return }
                let descriptor = descriptor.release()
                backend.onExecutor { $0.channels.accept(FileDescriptor(owning: descriptor), channel, length, $0) }
            }
            listeners[listener.psm] = listener
            reply(request, .success(.published(psm: listener.psm)), backend)
        } catch {
            reply(request, .failure(ChannelError(publishing: psm, error)), backend)
        }
    }

    func send<Role: ChannelRole>(
        _ unit: Bytes, over id: ChannelID, _ request: RequestID, _ backend: isolated Role
    ) {
        guard let entry = entries[id] else { return reply(request, .failure(.closed), backend) }
        // The end of one without a socket is reported soon, and ends the request.
        guard let socket = entry.socket else { return }
        switch socket.send(unit) {
        case .sent: reply(request, .success(.done), backend)
        case .waits: entries[id]?.sending = request
        case .refused(let code) where ChannelError.mayBeOfLink(code):
            entries[id]?.sending = request
            notSent(id, code, backend)
        case .refused(let code): reply(request, .failure(ChannelError(sending: code)), backend)
        }
    }

    /// A unit does not go out at the end of a channel. It may be the link's, which is reported soon, and ends the
    /// request.
    private func notSent<Role: ChannelRole>(_ id: ChannelID, _ code: Int32, _ backend: isolated Role) {
        guard let request = entries[id]?.sending else { return }
        backend.after(Self.grace) { backend in
            guard let entry = backend.channels.entries[id], entry.sending == request else { return }
            let error = backend.hasLink(to: entry.peer) ? ChannelError(sending: code) : .disconnected
            backend.channels.answerSending(id, .failure(error))
        }
    }

    // MARK: Commands

    func command(_ command: ChannelCommand) {
        switch command {
        case .allow(let id, let count): entries[id]?.socket?.allow(count)
        case .close(let id): if let entry = entries.removeValue(forKey: id) { close(entry) }
        case .withdraw(let psm): listeners.removeValue(forKey: psm)?.close()
        }
    }

    // MARK: Sockets

    private func makeID() -> ChannelID {
        lastID += 1
        return ChannelID(rawValue: lastID)
    }

    private func makeSocket<Role: ChannelRole>(
        _ descriptor: consuming FileDescriptor, _ id: ChannelID, isOpening: Bool, _ length: Int, _ place: ChannelPlace,
        _ backend: isolated Role
    ) throws(LoopError) -> ChannelSocket {
        try ChannelSocket(
            descriptor, isOpening: isOpening, unitLength: length, at: place,
            onUnit: backend.callback { backend, unit in backend.channels.sink?(.received(id, unit)) },
            onEvent: backend.callback { backend, event in backend.channels.handle(event, of: id, backend) })
    }

    private func handle<Role: ChannelRole>(
        _ event: ChannelSocket.Event, of id: ChannelID, _ backend: isolated Role
    ) {
        switch event {
        case .opened(let lengths): opened(id, lengths)
        case .sent: answerSending(id, .success(.done))
        case .notSent(let code) where ChannelError.mayBeOfLink(code): notSent(id, code, backend)
        case .notSent(let code): answerSending(id, .failure(ChannelError(sending: code)))
        case .ended(let end): ended(id, end, backend)
        }
    }

    private func opened(_ id: ChannelID, _ lengths: ChannelLengths) {
        guard let request = entries[id]?.opening, let channel = opened(id, lengths.sent) else { return }
        sink?(.reply(request, .success(.opened(channel))))
    }

    private func opened(_ id: ChannelID, _ sendLength: Int) -> OpenedChannel? {
        guard let entry = entries[id] else { return nil }
        entry.limit?.cancel()
        entries[id]?.limit = nil
        entries[id]?.opening = nil
        return OpenedChannel(
            id: id, peer: entry.peer, psm: entry.psm, maximumSendLength: sendLength,
            maximumReceiveLength: entry.receiveLength)
    }

    private func accept<Role: ChannelRole>(
        _ descriptor: consuming FileDescriptor, _ channel: AcceptedChannel, _ length: Int, _ backend: isolated Role
    ) {
        guard let (place, _) = backend.channelPlace else { return }
        let id = makeID()
        guard let socket = try? makeSocket(descriptor, id, isOpening: false, length, place, backend) else { return }
        entries[id] = Entry(
            peer: PeerIdentifier(channel.peer.text), psm: channel.psm, receiveLength: length, socket: socket)
        guard let opened = opened(id, channel.lengths.sent) else { return }
        backend.channelOpened(by: opened.peer)
        sink?(.accepted(opened))
    }

    private func answerSending(_ id: ChannelID, _ result: Result<ChannelReply, ChannelError>) {
        guard let request = entries[id]?.sending else { return }
        entries[id]?.sending = nil
        sink?(.reply(request, result))
    }

    // MARK: Ends

    private func ended<Role: ChannelRole>(_ id: ChannelID, _ end: ChannelSocket.End, _ backend: isolated Role) {
        guard let entry = entries[id] else { return }
        entry.limit?.cancel()
        entries[id]?.limit = nil
        entries[id]?.socket = nil
        let error =
            switch end {
            case .closedByPeer: entry.opening == nil ? nil : ChannelError.disconnected
            case .failed(let code): entry.opening == nil ? ChannelError(ending: code) : ChannelError(opening: code)
            }
        guard case .failed(let code) = end, ChannelError.mayBeOfLink(code) else { return report(id, error) }
        entries[id]?.limit = backend.after(Self.grace) { backend in
            guard let peer = backend.channels.entries[id]?.peer else { return }
            backend.channels.report(id, backend.hasLink(to: peer) ? error : .disconnected)
        }
    }

    /// The kernel has taken too long to open a channel.
    private func overdue(_ id: ChannelID) {
        entries[id]?.socket?.close()
        report(id, .openTimeout)
    }

    /// Reports the end of a channel, or that it is not opened.
    private func report(_ id: ChannelID, _ error: ChannelError?) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        if let request = entry.opening {
            sink?(.reply(request, .failure(error ?? .disconnected)))
        } else {
            sink?(.closed(id, error))
        }
    }
}
#endif
