// SPDX-License-Identifier: MIT

#if ESPHome
import BlueCapCore

/// The devices that the clients of a proxy use: their links, with the slots that they share, and the bonds that are
/// removed. A machine: requests and the fate of links in, steps out.
struct ProxyDevices {
    /// A task of the server.
    enum Step {
        /// Messages to a client, in one piece.
        case send([any APIMessage], to: Int)
        /// A link is to be made.
        case begin(LinkRun)
        case removeBond(UInt64)
        case linked(PeerIdentifier)
        case unlinked(PeerIdentifier)
        /// A link was refused; the answer follows.
        case refused
        /// News for the clients that watch the slots.
        case slots(SlotsResponse)
    }

    private var links: ProxyLinks
    private var runs: [UInt64: LinkRun] = [:]
    private var unpairings = ProxyUnpairings()

    init(slots: Int) { links = ProxyLinks(limit: slots) }

    var slots: SlotsResponse { links.slots }
    /// The numbers of links and bonds that are dealt with, by kind.
    var remains: [String: Int] {
        ["links": links.slots.allocated.count, "runs": runs.count, "unpairings": unpairings.count]
    }

    /// Takes a wish for a device.
    ///
    /// - Parameters:
    ///   - central: The radio of a new link.
    ///   - server: Learns of the fate of a new link.
    mutating func obey(
        _ request: DeviceRequest, of client: Int, _ central: CentralManager, _ server: ProxyServer
    ) -> [Step] {
        let address = request.address
        switch DeviceRequest.Kind(rawValue: request.kind) {
        case .connectWithCache:
            return connect(address, client) { LinkRun(address, $0, hasCache: true, central, server) }
        case .connectWithoutCache:
            return connect(address, client) { LinkRun(address, $0, hasCache: false, central, server) }
        case .connectOldStyle, nil: return [.send([DeviceConnectionResponse(address)], to: client)]
        case .disconnect:
            return letGo(address, client) ? [] : [.send([DeviceConnectionResponse(address)], to: client)]
        case .pair: return pass(.pair, address, of: client)
        case .unpair: return unpair(address, client)
        case .clearCache: return [.send([ClearCacheResponse(address, isDone: true)], to: client)]
        }
    }

    /// Hands a request to the link of the client, or answers that there is none.
    func pass(_ request: LinkRequest, _ address: UInt64, of client: Int) -> [Step] {
        guard links.isUp(address, for: client), let run = runs[address] else {
            return [.send([request.failure(address, ProxyCode.notConnected)], to: client)]
        }
        return run.take(request) ? [] : [.send([request.failure(address, ProxyCode.outOfMemory)], to: client)]
    }

    /// A client has left.
    mutating func letGo(allOf client: Int) {
        for address in links.addresses(of: client) { letGo(address, client) }
    }

    @discardableResult
    private mutating func letGo(_ address: UInt64, _ client: Int) -> Bool {
        guard links.disconnect(address, for: client) else { return false }
        runs[address]?.end()
        return true
    }

    // MARK: Links

    private mutating func connect(_ address: UInt64, _ client: Int, _ makeRun: (Int) -> LinkRun) -> [Step] {
        switch links.connect(address, for: client) {
        case .begin(let number):
            let run = makeRun(number)
            runs[address] = run
            return [.slots(links.slots), .begin(run)]
        case .isUp(let unit):
            return [.send([DeviceConnectionResponse(address, maximumTransmissionUnit: unit)], to: client)]
        case .waits: return []
        case .refused: return [.refused, .send([DeviceConnectionResponse(address)], to: client)]
        }
    }

    mutating func linkIsUp(_ run: LinkRun, maximumTransmissionUnit unit: UInt32) -> [Step] {
        guard let client = links.connected(run.address, run.number, maximumTransmissionUnit: unit) else { return [] }
        let response = DeviceConnectionResponse(run.address, maximumTransmissionUnit: unit)
        return [
            .linked(PeerIdentifier(address: run.address)), .send([response], to: client), .slots(links.slots),
        ]
    }

    mutating func linkEnded(_ run: LinkRun, _ code: Int32, unanswered: [LinkRequest]) -> [Step] {
        let (address, wasUp) = (run.address, links.hasBeenUp(run.address, run.number))
        guard let client = links.ended(address, run.number) else { return [] }
        runs[address] = nil
        var steps: [Step] = wasUp ? [.unlinked(PeerIdentifier(address: address))] : []
        steps += unanswered.map { .send([$0.failure(address, ProxyCode.notConnected)], to: client) }
        let (isHeld, answer) = unpairings.linkEnded(address, of: client, code)
        if !isHeld { steps.append(.send([DeviceConnectionResponse(address, error: code)], to: client)) }
        if let answer { steps.append(Self.step(answer, address)) }
        return steps + [.slots(links.slots)]
    }

    /// The client of a link, if the link is still there.
    func client(of run: LinkRun) -> Int? { links.client(of: run.address, run.number) }

    // MARK: Bonds

    private mutating func unpair(_ address: UInt64, _ client: Int) -> [Step] {
        guard links.client(of: address) ?? client == client, unpairings.begin(address, for: client) else {
            return [Self.step(ProxyUnpairings.Answer(client: client, isDone: false, end: nil), address)]
        }
        return [.removeBond(address)]
    }

    mutating func bondRemoved(_ address: UInt64, _ isDone: Bool) -> [Step] {
        let answer = unpairings.finished(address, isDone: isDone, linked: links.client(of: address))
        return answer.map { [Self.step($0, address)] } ?? []
    }

    /// In one piece: between two of them a client may begin its next request, which the end would fail.
    private static func step(_ answer: ProxyUnpairings.Answer, _ address: UInt64) -> Step {
        let response = UnpairingResponse(
            address, isDone: answer.isDone, error: answer.isDone ? 0 : ProxyCode.notConnected)
        let end = answer.end.map { DeviceConnectionResponse(address, error: $0) }
        return .send([response] + (end.map { [$0] } ?? []), to: answer.client)
    }
}
#endif
