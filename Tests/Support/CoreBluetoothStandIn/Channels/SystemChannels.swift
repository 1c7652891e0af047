// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import Foundation

/// The way of channels to the radio, for a manager of either role.
protocol ChannelSession: Sendable {
    var channelEvents: BackendSession<ChannelEvent> { get }
    func perform(_ request: ChannelRequest)
    func tell(_ command: ChannelCommand)
}

/// The channels of a manager, on its queue.
final class SystemChannels {
    typealias Answer = (Result<ChannelReply, ChannelError>) -> Void

    private let session: any ChannelSession
    let host: StandIn
    private weak var manager: CBManager?
    private var requests: [RequestID: Answer] = [:]
    private var pipes: [ChannelID: ChannelPipe] = [:]

    init(_ session: any ChannelSession, _ manager: CBManager) {
        self.session = session
        self.manager = manager
        host = manager.host
    }

    func perform(_ operation: ChannelOperation, then: @escaping Answer) {
        let request = ChannelRequest(id: session.channelEvents.makeRequest(), operation: operation)
        requests[request.id] = then
        session.perform(request)
    }

    func tell(_ command: ChannelCommand) { session.tell(command) }

    /// Calls `body` on the queue soon.
    func later(_ body: @escaping () -> Void) { manager?.later(body) }

    /// The object of a channel that the radio has opened.
    func object(_ channel: OpenedChannel, _ peer: CBPeer) -> CBL2CAPChannel {
        let pipe = ChannelPipe(channel, self)
        pipes[channel.id] = pipe
        return CBL2CAPChannel(peer: peer, pipe: pipe)
    }

    func forget(_ pipe: ChannelPipe) { pipes[pipe.id] = nil }

    // MARK: Events

    /// - Parameter accept: Takes a channel that another device has opened.
    func handle(_ event: ChannelEvent, accept: (OpenedChannel) -> Void) {
        switch event {
        case .accepted(let channel): accept(channel)
        case .received(let id, let unit): pipes[id]?.received(unit)
        case .closed(let id, let error):
            pipes[id]?.ended(
                error.map { NSError.bluetooth($0 == .disconnected ? .peripheralDisconnected : .unknown, host: host) })
        case .reply(let request, let result): requests.removeValue(forKey: request)?(result)
        }
    }

    /// The system closes the channels to a PSM (L1).
    func close(_ psm: UInt16) {
        for pipe in pipes.values where pipe.psm == psm {
            tell(.close(pipe.id))
            pipe.ended(nil)
        }
    }

    /// The radio is off.
    func drop() {
        requests = [:]
        for pipe in pipes.values { pipe.ended(NSError.bluetooth(.notConnected, host: host)) }
    }
}
