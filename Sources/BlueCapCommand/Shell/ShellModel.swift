// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

/// The shell without its terminal: takes requests, runs them on the radio, and keeps their results.
///
/// ``run()`` has to run for as long as requests are made: notifications, the link and pairing are followed there.
final class ShellModel: Sendable {
    /// Takes each event once the state has it, with the device that it sighted for the first time. It is called from
    /// any thread, for one event after the other, in the order in which the state took them; while it waits, values
    /// wait, too. It must not ask the model for anything that notes an event.
    typealias Sink = @Sendable (ShellEvent, ShellDevice?) -> Void
    typealias Job = @Sendable () async -> Void

    struct Memory {
        var state = ShellState()
        var link: ShellLink?
        var subscriptions: [AttributeID: ShellSubscription] = [:]
        /// The open questions of pairing, the oldest first.
        var requests: [PairingRequest] = []
    }

    let central: CentralManager
    /// How long a step on the way may take.
    let timeout: Duration
    let clock: BlueCapClock
    private let start: Duration
    private let sink: Sink
    let memory = Locked(Memory())
    /// Held from the time that an event gets until it is delivered: events come from several threads.
    private let delivery = Locked(())
    private let jobs: AsyncStream<Job>
    let addJob: AsyncStream<Job>.Continuation
    private let pairing: AsyncStream<PairingRequest>

    /// A shell that knows no device.
    init(central: CentralManager, timeout: Duration, clock: BlueCapClock, sink: @escaping Sink) {
        (self.central, self.timeout, self.clock, self.sink) = (central, timeout, clock, sink)
        start = clock.elapsed
        (jobs, addJob) = AsyncStream.makeStream(of: Job.self)
        pairing = central.pairingRequests(capability: .keyboardDisplay)
    }

    var state: ShellState { memory.withLock { $0.state } }

    var now: Duration { clock.elapsed - start }

    /// Follows notifications, the link and pairing, until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { for await request in self.pairing { self.ask(request) } }
            for await job in jobs { group.addTask { await job() } }
            group.cancelAll()
        }
    }

    /// Runs a request.
    ///
    /// - Throws: ``CommandFailure`` and the library's errors. The shell goes on all the same.
    func perform(_ request: ShellRequest) async throws {
        // A question that the request led to may have been given up with it.
        defer { dropClosed() }
        do {
            try await fulfil(request)
        } catch {
            if !Task.isCancelled { note(.failed(CommandFailure(error).message)) }
            throw error
        }
    }

    private func fulfil(_ request: ShellRequest) async throws {
        switch request {
        case .scan(let duration): try await scan(duration)
        case .wait(let duration): try await clock.sleep(for: duration)
        case .connect(let device): try await connect(device)
        case .disconnect: await disconnect(try requireLink())
        case .read(let selectors):
            let peripheral = try connected()
            for characteristic in try selectors.map({ try pick($0, .read, peripheral) }) {
                let value = try await characteristic.read(timeout: timeout)
                note(value, .read, of: characteristic)
            }
        case .write(let selector, let value, let writing):
            try await write(value, to: selector, writing)
        case .subscribe(let selectors):
            let peripheral = try connected()
            for characteristic in try selectors.map({ try pick($0, .notify, peripheral) }) {
                try await subscribe(characteristic)
            }
        case .unsubscribe(let selectors):
            let peripheral = try connected()
            let chosen = try selectors.map { try pick($0, .notify, peripheral).id }
            let all = memory.withLock { $0.subscriptions.keys.sorted() }
            for id in selectors.isEmpty ? all : chosen { unsubscribe(id) }
        case .descriptors(let selector, let reads): try await descriptors(of: selector, reads: reads)
        case .readDescriptor(let selector, let text): try await readDescriptor(text, of: selector)
        case .writeDescriptor(let selector, let text, let value):
            try await writeDescriptor(text, of: selector, value)
        case .signal: try await measureSignal()
        case .pair:
            let peripheral = try connected()
            if !peripheral.isBonded { try await peripheral.pair(timeout: .seconds(60)) }
            note(.paired)
        }
    }

    /// Takes an answer to the oldest question of pairing.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` where nothing is asked.
    func answer(_ text: String) throws(CommandFailure) {
        guard let request = memory.withLock({ $0.requests.first }) else {
            throw CommandFailure(.usage, "nothing is asked")
        }
        guard request.isOpen else { return close(request, "the question is over: no answer came in time") }
        switch PairingQuestion(request).answer(text) {
        case .accepted: close(request, "accepted")
        case .rejected: close(request, "refused")
        case .again(let question): note(.asked(question))
        }
    }

    /// Refuses the oldest question of pairing, if there is one.
    func refuse() {
        guard let request = memory.withLock({ $0.requests.first }) else { return }
        request.reject()
        close(request, "refused")
    }

    // MARK: Events

    func note(_ kind: ShellEvent.Kind) {
        delivery.withLock { _ in
            let event = ShellEvent(time: now, kind: kind)
            let device = memory.withLock { $0.state.apply(event) }
            sink(event, device)
        }
    }

    func note(_ value: Bytes, _ source: ShellValue.Source, of characteristic: Characteristic) {
        let event = ValueEvent(value, of: characteristic, index: 1, date: clock.date)
        note(.value(characteristic.id, ShellValue(source: source, event: event)))
    }

    // MARK: Devices

    private func scan(_ duration: Duration?) async throws(CentralManagerError) {
        note(.scanBegan)
        defer { note(.scanEnded) }
        var options = ScanOptions()
        // The list shows how strong each device is now.
        options.allowsDuplicates = true
        do throws(CentralManagerError) {
            for try await discovery in central.scan(options: options, timeout: duration) {
                if discovery.kind == .lost {
                    note(.lost(id: discovery.peripheral.identifier.text))
                } else {
                    note(.sighted(ScanRow(discovery, before: nil, now: now)))
                }
            }
        } catch {
            // A scan that sighted nothing is no failure where no device was looked for.
            if error != .serviceScanTimeout { throw error }
        }
    }

    private func connect(_ text: String) async throws {
        let peripheral = try await device(text)
        if let current = memory.withLock({ $0.link }) { await disconnect(current) }
        note(.progress("connecting to \(peripheral.label)"))
        let events = peripheral.connectionEvents()
        do {
            try await peripheral.connect(timeout: timeout)
            try await peripheral.discover(timeout: timeout)
        } catch {
            await peripheral.disconnect(timeout: timeout)
            throw error
        }
        let (peer, link) = (ShellPeer(peripheral), ShellLink(to: peripheral))
        memory.withLock { $0.link = link }
        note(.connected(peer))
        addJob.yield { [weak self] in
            for await event in events {
                switch event {
                case .disconnected(let error): return self?.end(link, error.message) ?? ()
                case .forcedDisconnect: return self?.end(link, nil) ?? ()
                default: continue
                }
            }
        }
    }

    private func disconnect(_ link: ShellLink) async {
        await link.peripheral.disconnect(timeout: timeout)
        end(link, nil)
    }

    /// The link is down. Only the first call for a link counts.
    private func end(_ link: ShellLink, _ reason: String?) {
        let (isNews, subscriptions) = memory.withLock { memory in
            guard memory.link === link else { return (false, [ShellSubscription]()) }
            defer { (memory.link, memory.subscriptions) = (nil, [:]) }
            return (true, Array(memory.subscriptions.values))
        }
        for subscription in subscriptions { subscription.end() }
        if isNews { note(.disconnected(reason: reason)) }
    }

    /// The device that is connected.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` where none is.
    func connected() throws(CommandFailure) -> Peripheral { try requireLink().peripheral }

    private func requireLink() throws(CommandFailure) -> ShellLink {
        if let link = memory.withLock({ $0.link }) { return link }
        throw CommandFailure(.usage, "no device is connected: 'scan' finds devices, and 'connect' connects to one")
    }

    // MARK: Pairing

    private func ask(_ request: PairingRequest) {
        let question = PairingQuestion(request)
        guard let prompt = question.prompt else { return note(.passkey(question.digits ?? "")) }
        dropClosed()
        let isFirst = memory.withLock { memory in
            memory.requests.append(request)
            return memory.requests.count == 1
        }
        if isFirst { note(.asked(prompt)) }
    }

    /// Removes a question that cannot be answered any more.
    private func dropClosed() {
        guard let request = memory.withLock({ $0.requests.first }), !request.isOpen else { return }
        close(request, "the question is over: no answer came in time")
    }

    /// A question is over; the next is asked, if there is one.
    private func close(_ request: PairingRequest, _ outcome: String) {
        let next = memory.withLock { memory in
            memory.requests.removeAll { $0 === request || !$0.isOpen }
            return memory.requests.first
        }
        note(.answered(outcome))
        if let prompt = next.flatMap({ PairingQuestion($0).prompt }) { note(.asked(prompt)) }
    }
}

/// A connection of a shell, distinct from a later one to the same device.
final class ShellLink: Sendable {
    let peripheral: Peripheral

    init(to peripheral: Peripheral) { self.peripheral = peripheral }
}

/// A subscription of a shell: ends its loop, and is distinct from a later one to the same characteristic.
final class ShellSubscription: Sendable {
    private let ends: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (ends, continuation) = AsyncStream.makeStream(of: Void.self) }

    func end() { continuation.finish() }

    /// Returns once it was ended, or the task is cancelled.
    func wait() async { for await _ in ends {} }
}
