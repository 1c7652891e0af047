// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// Holds a manager and its backend to the contract between them (``CentralBackend``), and keeps the values that pass.
final class SeamWatch: Sendable {
    /// A characteristic of a peripheral.
    struct Key: Hashable, Sendable {
        let peripheral: PeerIdentifier
        let attribute: AttributeID
    }

    private enum LinkPhase {
        case connecting
        case connected
        case ending
    }

    private struct State {
        var isPoweredOn = false
        var isEnded = false
        var links: [PeerIdentifier: LinkPhase] = [:]
        var sent: Set<RequestID> = []
        var requests: [RequestID: (operation: CentralOperation, lane: Lane?)] = [:]
        var lanes: [Lane: RequestID] = [:]
        var passages: [Key: Passage] = [:]
        /// The service of each characteristic that was discovered on the link that stands.
        var services: [Key: AttributeID] = [:]
        /// The type of each characteristic that was ever discovered.
        var types: [Key: BluetoothUUID] = [:]
        /// Characteristics whose notifications may be on at a peer although the manager considers them off: they were
        /// not switched off, or the request to switch them was abandoned. Only the link's end, or the answer to another
        /// such request, decides it.
        var leftOn: [PeerIdentifier: Set<BluetoothUUID>] = [:]
        var pairing: PairingWatch

        mutating func notifyingWasAsked(_ key: Key) {
            var passage = passages[key] ?? Passage()
            passage.isActive = true
            passage.firstAsked = passage.firstAsked ?? passage.values.count
            passages[key] = passage
        }

        /// The manager takes requests for failed: replies that come all the same are late.
        mutating func giveUp(where isMeant: (CentralOperation) -> Bool) {
            for (id, request) in requests where isMeant(request.operation) {
                requests[id] = nil
                if let lane = request.lane, lanes[lane] == id { lanes[lane] = nil }
                if case .setNotifying(let peripheral, let attribute, _, _) = request.operation {
                    mayBeLeftOn(Key(peripheral: peripheral, attribute: attribute))
                }
            }
        }

        mutating func mayBeLeftOn(_ key: Key) {
            if let type = types[key] { leftOn[key.peripheral, default: []].insert(type) }
        }

        mutating func characteristicsWereFound(_ operation: CentralOperation, _ found: [DiscoveredCharacteristic]) {
            guard case .discoverCharacteristics(let peripheral, let service, _) = operation else { return }
            for one in found {
                let key = Key(peripheral: peripheral, attribute: one.id)
                services[key] = service
                types[key] = one.uuid
                passages[key, default: Passage()].isIndicated = one.properties.contains(.indicate)
            }
        }
    }

    private let journal: RunJournal
    let channels: ChannelWatch
    private let state: Locked<State>

    /// - Parameters:
    ///   - journal: The journal for requests, events and broken rules.
    ///   - identity: Returns the same identifier for all addresses of a device.
    init(
        journal: RunJournal, identity: @escaping @Sendable (PeerIdentifier) -> PeerIdentifier = { $0 }
    ) {
        self.journal = journal
        channels = ChannelWatch(journal: journal)
        state = Locked(State(pairing: PairingWatch(identity: identity)))
    }

    /// The values that have come for a characteristic so far.
    func passage(_ key: Key) -> Passage { state.withLock { $0.passages[key] ?? Passage() } }

    /// The values that have come for all characteristics so far.
    var passages: [Key: Passage] { state.withLock { $0.passages } }

    func isDiscovered(_ key: Key) -> Bool { state.withLock { $0.services[key] != nil } }

    /// Whether notifications may be on at a peer though the manager takes them for off.
    func mayBeLeftOn(_ type: BluetoothUUID, of peripheral: PeerIdentifier) -> Bool {
        state.withLock { $0.leftOn[peripheral]?.contains(type) ?? false }
    }

    // MARK: Calls to the backend

    func told(_ what: @autoclosure @escaping @Sendable () -> String) { journal.note("> \(what())") }

    func toldToConnect(_ peripheral: PeerIdentifier) {
        told("connect \(peripheral)")
        let (link, isOn) = state.withLock { state in
            defer { state.links[peripheral] = .connecting }
            return (state.links[peripheral], state.isPoweredOn)
        }
        if let link { journal.violate("the manager connects to \(peripheral), which is \(link)") }
        if !isOn { journal.violate("the manager connects to \(peripheral) while the radio is off") }
    }

    func toldToDisconnect(_ peripheral: PeerIdentifier) {
        told("disconnect \(peripheral)")
        state.withLock { state in
            if state.links[peripheral] != nil { state.links[peripheral] = .ending }
        }
    }

    func toldToPerform(_ request: CentralRequest) {
        told("\(request.id) \(request.operation)")
        let lane = Lane(of: request.operation)
        let (isNew, other) = state.withLock { state in
            let isNew = state.sent.insert(request.id).inserted
            let other = lane.flatMap { state.lanes[$0] }
            state.requests[request.id] = (request.operation, lane)
            if let lane { state.lanes[lane] = request.id }
            if case .setNotifying(let peripheral, let attribute, _, _) = request.operation {
                state.notifyingWasAsked(Key(peripheral: peripheral, attribute: attribute))
            }
            if case .pair(let peripheral) = request.operation {
                state.pairing.appAsked(peripheral, by: request.id)
            }
            return (isNew, other)
        }
        if !isNew { journal.violate("\(request.id) is sent twice") }
        if let other { journal.violate("\(request.id) is sent while \(other) of the same lane is under way") }
    }

    func toldPairingCapability(_ capability: PairingCapability?) {
        told("asked about pairing as \(capability.map { "\($0)" } ?? "nobody")")
        check { $0.capabilityWasSet(capability) }
    }

    func toldToAnswer(_ id: PairingPromptID, _ answer: PairingAnswer) {
        told("\(id) \(answer)")
        check { $0.answered(id, answer) }
    }

    /// Updates the record of pairing, and reports a broken rule.
    private func check(_ body: (inout PairingWatch) -> String?) {
        if let problem = state.withLock({ body(&$0.pairing) }) { journal.violate(problem) }
    }

    func ended() {
        state.withLock { $0.isEnded = true }
        journal.note("> the end")
    }

    // MARK: Events of the backend

    func saw(_ event: CentralEvent) {
        if case .sighted = event {} else { journal.note("< \(event)") }
        if state.withLock({ $0.isEnded }) { return journal.violate("the backend tells \(event) after its end") }
        switch event {
        case .stateChanged(let new, _):
            state.withLock { $0.isPoweredOn = new == .poweredOn }
            if new != .poweredOn { endAll() }
        case .connected(let peripheral, _):
            let link = state.withLock { state in
                defer { if state.links[peripheral] == .connecting { state.links[peripheral] = .connected } }
                return state.links[peripheral]
            }
            if link == nil || link == .connected {
                journal.violate("\(peripheral) is connected, which was not asked for")
            }
        case .connectFailed(let peripheral, _), .disconnected(let peripheral, _): end(peripheral)
        case .servicesChanged(let peripheral, let gone):
            let services = state.withLock { $0.services }
            let isGone: (Key) -> Bool = { key in
                guard key.peripheral == peripheral, let gone else { return key.peripheral == peripheral }
                return services[key].map(gone.contains) ?? !gone.isEmpty
            }
            interrupt(where: isGone)
            state.withLock { state in
                state.giveUp { $0.peripheral == peripheral && Self.isFor($0, gone, isGone) }
                state.services = state.services.filter { !isGone($0.key) }
            }
        case .notifyingStopped(let peripheral, let attribute, _):
            interrupt { $0 == Key(peripheral: peripheral, attribute: attribute) }
        case .valueChanged(let peripheral, let attribute, let value):
            let key = Key(peripheral: peripheral, attribute: attribute)
            state.withLock { $0.passages[key, default: Passage()].values.append(value) }
        case .reply(let id, let result): answered(id, result)
        case .pairingRequested(let prompt): check { $0.requested(prompt) }
        case .pairingRequestEnded(let id): check { $0.ended(id) }
        // Of other devices another manager may be asked.
        case .bondChanged(let peripheral, let isBonded) where state.withLock({ $0.links[peripheral] != nil }):
            check { $0.bondChanged(peripheral, isBonded) }
        default: break
        }
    }

    private func answered(_ id: RequestID, _ result: Result<CentralReply, OperationFailure>) {
        state.withLock { state in
            state.pairing.answered(id)
            // Late replies, of a link that has ended, belong to no request.
            guard let (operation, lane) = state.requests.removeValue(forKey: id) else { return }
            if let lane, state.lanes[lane] == id { state.lanes[lane] = nil }
            if case .success(.characteristics(let found)) = result { state.characteristicsWereFound(operation, found) }
            guard case .setNotifying(let peripheral, let attribute, let isOn, _) = operation else { return }
            let key = Key(peripheral: peripheral, attribute: attribute)
            let isDone = if case .success = result { true } else { false }
            state.passages[key]?.isActive = isOn && isDone
            if isOn, !isDone { state.passages[key]?.wasRefused = true }
            if isDone, let type = state.types[key] {
                state.leftOn[peripheral]?.remove(type)
            } else if !isOn {
                state.mayBeLeftOn(key)
            }
        }
    }

    private func end(_ peripheral: PeerIdentifier) {
        state.withLock { state in
            state.links[peripheral] = nil
            state.giveUp { $0.peripheral == peripheral }
            state.leftOn[peripheral] = nil
            state.pairing.linkEnded(peripheral)
        }
        interrupt { $0.peripheral == peripheral }
        state.withLock { state in state.services = state.services.filter { $0.key.peripheral != peripheral } }
        channels.linkEnded(peripheral)
        journal.linkEnded(peripheral)
    }

    private func endAll() {
        state.withLock { state in
            state.links = [:]
            state.requests = [:]
            state.lanes = [:]
            state.services = [:]
            state.leftOn = [:]
            state.pairing.linkEnded(nil)
        }
        interrupt { _ in true }
        channels.linkEnded(nil)
        journal.linkEnded(nil)
    }

    private func interrupt(where isMeant: (Key) -> Bool) {
        state.withLock { state in
            for key in state.passages.keys where isMeant(key) {
                let count = state.passages[key]?.values.count ?? 0
                state.passages[key]?.breaks.append(count)
                state.passages[key]?.isActive = false
            }
        }
    }
}

extension SeamWatch {
    struct Passage: Sendable {
        var values: [Bytes] = []
        /// The places in the values at which a link, or the characteristic, ended.
        var breaks: [Int] = []
        /// Whether notifications are on, or being switched.
        var isActive = false
        /// The number of values that had come when notifications were first asked for; nil before that.
        var firstAsked: Int?
        /// Whether switching notifications on ever failed.
        var wasRefused = false
        var isIndicated = false

        /// The values without repetitions: an indication that was not confirmed on one link comes again on the next
        /// one.
        var withoutRepetitions: [Bytes] {
            if !isIndicated { return values }
            let repetitions = Set(breaks.filter { 0 < $0 && $0 < values.count && values[$0 - 1] == values[$0] })
            return values.indices.filter { !repetitions.contains($0) }.map { values[$0] }
        }
    }
}
