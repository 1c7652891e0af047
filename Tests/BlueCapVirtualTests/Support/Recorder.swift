// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual

/// Plays a manager over one central backend: activates it, keeps its events with their times, and waits for them.
actor Recorder: RadioActor {
    struct Entry: Sendable {
        var time: Duration
        var event: CentralEvent
    }

    private let central: VirtualCentralBackend
    private let clock: BlueCapClock
    private(set) var entries: [Entry] = []
    private var read = 0
    private var waiter: CheckedContinuation<Void, Never>?
    private var lastRequest: UInt64 = 0

    nonisolated var executor: any BackendExecutor { central.executor }
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe central.executor.asUnownedSerialExecutor() }

    init(_ central: VirtualCentralBackend) {
        self.central = central
        clock = central.radio.clock
    }

    /// A recorder over a central that has reported that its radio is on.
    static func on(_ central: VirtualCentralBackend) async -> Recorder {
        let recorder = Recorder(central)
        await recorder.start()
        _ = await recorder.next { if case .stateChanged = $0 { true } else { false } }
        return recorder
    }

    func start() async {
        let sink = CentralEventSink { event in self.onExecutor { $0.took(event) } }
        await central.activate(clock: clock, sink: sink)
        await central.setPairingCapability(.noInputNoOutput)
    }

    private func took(_ event: CentralEvent) {
        if case .pairingRequested(let prompt) = event {
            central.onExecutor { $0.answerPairing(prompt.id, .accept) }
        }
        entries.append(Entry(time: clock.elapsed, event: event))
        waiter?.resume()
        waiter = nil
    }

    /// The next event, from where the last call ended, that fits; those before it are passed over.
    func next(_ fits: @Sendable (CentralEvent) -> Bool) async -> Entry {
        while true {
            while read < entries.count {
                read += 1
                if fits(entries[read - 1].event) { return entries[read - 1] }
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    if Task.isCancelled { continuation.resume() } else { waiter = continuation }
                }
            } onCancel: {
                Task { await self.wake() }
            }
            if Task.isCancelled { return Entry(time: clock.elapsed, event: .stateChanged(.unknown, nil)) }
        }
    }

    private func wake() {
        waiter?.resume()
        waiter = nil
    }

    // MARK: Commands

    func scan(_ request: ScanRequest?) async { await central.scan(request) }

    func sighting(of name: String) async -> Sighting? {
        let entry = await next { if case .sighted(let sighting) = $0 { sighting.name == name } else { false } }
        if case .sighted(let sighting) = entry.event { return sighting }
        return nil
    }

    /// Connects; nil when it succeeded.
    func connect(_ peripheral: PeerIdentifier) async -> OperationFailure? {
        await central.connect(peripheral)
        let entry = await next {
            switch $0 {
            case .connected(peripheral, _), .connectFailed(peripheral, _): true
            default: false
            }
        }
        if case .connectFailed(_, let failure) = entry.event { return failure }
        return nil
    }

    func begin(connecting peripheral: PeerIdentifier) async { await central.connect(peripheral) }

    func disconnect(_ peripheral: PeerIdentifier) async { await central.disconnect(peripheral) }

    func disconnection(of peripheral: PeerIdentifier) async -> (time: Duration, failure: BackendFailure?) {
        let entry = await next { if case .disconnected(peripheral, _) = $0 { true } else { false } }
        if case .disconnected(_, let failure) = entry.event { return (entry.time, failure) }
        return (entry.time, nil)
    }

    func begin(_ operation: CentralOperation) async -> RequestID {
        lastRequest += 1
        let id = RequestID(rawValue: lastRequest)
        await central.perform(CentralRequest(id: id, operation: operation))
        return id
    }

    func reply(to id: RequestID) async -> Result<CentralReply, OperationFailure> {
        let entry = await next { if case .reply(id, _) = $0 { true } else { false } }
        if case .reply(_, let result) = entry.event { return result }
        return .failure(.disconnected)
    }

    func perform(_ operation: CentralOperation) async -> Result<CentralReply, OperationFailure> {
        let id = await begin(operation)
        return await reply(to: id)
    }

    func value(of attribute: AttributeID) async -> Bytes? {
        let entry = await next { if case .valueChanged(_, attribute, _) = $0 { true } else { false } }
        if case .valueChanged(_, _, let value) = entry.event { return value }
        return nil
    }

    func invalidate() async { await central.invalidate() }

    // MARK: Recorded events

    /// The events as text, with their times.
    var trace: [String] { entries.map { "\($0.time) \($0.event.summary)" } }

    func count(_ fits: (CentralEvent) -> Bool) -> Int { entries.count { fits($0.event) } }

    /// All values that came of a characteristic, in order.
    func values(of attribute: AttributeID) -> [Bytes] {
        entries.compactMap { entry in
            if case .valueChanged(_, attribute, let value) = entry.event { value } else { nil }
        }
    }
}

extension CentralEvent {
    /// The event in a form that is the same in every process: no dictionary is printed.
    var summary: String {
        switch self {
        case .restored: "restored"
        case .stateChanged(let state, _): "state \(state)"
        case .sighted(let sighting):
            "sighted \(sighting.peripheral) \(sighting.name ?? "-") \(sighting.rssi.map(String.init) ?? "-")"
        case .sightingsCoalesced(let isOn): "coalesced \(isOn)"
        case .scanFailed(let failure): "scan failed \(failure)"
        case .matched(let sighting, let mode): "matched \(sighting.peripheral) of \(mode)"
        case .matchLost(let peripheral, let mode): "match lost \(peripheral) of \(mode)"
        case .scanModeRefused(let mode, let failure): "mode \(mode) refused \(failure.name)"
        case .peripheralHeard(let peripheral): "heard \(peripheral)"
        case .connected(let peripheral, let unit): "connected \(peripheral) \(unit ?? 0)"
        case .connectFailed(let peripheral, let failure): "connect failed \(peripheral) \(failure)"
        case .disconnected(let peripheral, let failure): "disconnected \(peripheral) \(failure?.name ?? "-")"
        case .maximumTransmissionUnitChanged(let peripheral, let unit): "mtu \(peripheral) \(unit)"
        case .nameChanged(let peripheral, let name): "name \(peripheral) \(name)"
        case .servicesChanged(let peripheral, let invalidated):
            "services \(peripheral) \(invalidated?.description ?? "all")"
        case .valueChanged(let peripheral, let attribute, let value): "value \(peripheral) \(attribute) \(value)"
        case .notifyingStopped(let peripheral, let attribute, _): "stopped \(peripheral) \(attribute)"
        case .valuesDropped(let peripheral, let attribute, let count): "dropped \(peripheral) \(attribute) \(count)"
        case .bondChanged(let peripheral, let isBonded): "bonded \(peripheral) \(isBonded)"
        case .pairingRequested(let prompt): "pairing \(prompt.peer) \(prompt.kind)"
        case .pairingRequestEnded(let id): "pairing ended \(id)"
        case .pairingUnavailable(let failure): "pairing unavailable \(failure)"
        case .reply(let id, let result): "reply \(id) \(result)"
        }
    }
}
