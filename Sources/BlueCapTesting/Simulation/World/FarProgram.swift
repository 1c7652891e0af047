// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// Talks to the served device as a far device of the world does, and holds what comes of it to the library's promises.
final class FarProgram: Sendable {
    private struct State {
        var register = RegisterHistory()
        /// The last number that came, by characteristic.
        var latest: [BluetoothUUID: UInt64] = [:]
    }

    private let central: any FarCentral
    private let served: ServedDevice
    private let journal: Journal
    private let state = Locked(State())

    init(_ central: any FarCentral, served: ServedDevice, journal: Journal) {
        self.central = central
        self.served = served
        self.journal = journal
    }

    /// Makes a call that is about the served device.
    func make(_ call: ProgramCall, _ makeNumber: () -> UInt64) async {
        switch call {
        case .connect, .discover, .policy: _ = await connect()
        case .disconnect, .forget: await attempt("disconnects") { try await self.central.disconnect() }
        case .read: await read()
        case .write: await write(makeNumber())
        case .command(_, let count): for _ in 0..<count { await command(makeNumber()) }
        case .listen(_, let listening): await listen(for: listening.duration, isIndicated: listening.isIndicated)
        case .hold(_, let duration): await listen(for: duration, isIndicated: false)
        case .send(_, let count, let isIndicated):
            served.send((0..<count).map { _ in Bytes(number: makeNumber()) }, isIndicated: isIndicated)
        default: break
        }
    }

    /// Has the far central do something; nil where it cannot, as its platform is away.
    @discardableResult
    private func attempt<Value: Sendable>(
        _ what: String, _ body: @escaping @Sendable () async throws -> Value
    ) async -> Value? {
        let result = await journal.call("the far central \(what)", timeout: .seconds(30)) {
            () async throws(CentralManagerError) -> Value? in
            try? await body()
        }
        return (try? result.get()) ?? nil
    }

    private func connect() async -> Bool {
        let central = central
        let isDone = await attempt("connects") {
            let heard = try await central.listen(for: .seconds(1)).first {
                $0.advertisements.serviceUUIDs.contains(ProgramLayout.service)
            }
            guard let heard else { return false }
            _ = try await central.connect(to: heard)
            return true
        }
        return isDone ?? false
    }

    private func handle(_ uuid: BluetoothUUID) async -> AttributeID? {
        let central = central
        let services = await attempt("discovers") { try await central.discover() }
        return services?.first { $0.uuid == ProgramLayout.service }?.characteristics.first { $0.uuid == uuid }?.id
    }

    // MARK: Values

    private func read() async {
        guard let register = await handle(ProgramLayout.register) else { return }
        let central = central
        let began = journal.moment()
        guard case .success(let value) = await attempt("reads", { try await central.read(register) }) else { return }
        let ended = journal.moment()
        guard let number = value.number else { return journal.violate("the served device gave \(value)") }
        state.withLock { $0.register.read(number, began: began, ended: ended) }
    }

    @discardableResult
    private func write(_ number: UInt64) async -> Bool {
        guard let register = await handle(ProgramLayout.register) else { return false }
        let central = central
        let began = journal.moment()
        state.withLock { $0.register.writeBegan(number, at: began) }
        let result = await attempt("writes \(number)") {
            try await central.write(Bytes(number: number), to: register, isCommand: false)
        }
        guard case .success = result else { return false }
        let ended = journal.moment()
        state.withLock { $0.register.writeWasDone(number, at: ended) }
        return true
    }

    private func command(_ number: UInt64) async {
        guard let commanded = await handle(ProgramLayout.commanded) else { return }
        let central = central
        await attempt("commands \(number)") {
            _ = try await central.write(Bytes(number: number), to: commanded, isCommand: true)
        }
    }

    private func listen(for duration: Duration, isIndicated: Bool) async {
        let uuid = ProgramLayout.counter(isIndicated: isIndicated)
        guard let handle = await handle(uuid) else { return }
        let central = central
        await attempt("subscribes") { try await central.subscribe(to: handle, indications: isIndicated) }
        try? await journal.clock.sleep(for: duration)
        await take(handle, uuid)
        await attempt("unsubscribes") { try await central.unsubscribe(from: handle) }
    }

    /// Takes the values that came: numbers were sent in order, and must have come in order, none twice.
    @discardableResult
    private func take(_ handle: AttributeID, _ uuid: BluetoothUUID) async -> [UInt64] {
        let central = central
        let values = await attempt("takes what came") { try await central.received(from: handle, count: 0) } ?? []
        let numbers = values.compactMap(\.number)
        state.withLock { state in
            if !([state.latest[uuid] ?? 0] + numbers).isRising {
                journal.violate("\(uuid) of the served device came in the order \(numbers)")
            }
            state.latest[uuid] = numbers.last ?? state.latest[uuid]
        }
        return numbers
    }

    // MARK: The end

    /// What must be true when every fault was taken back.
    func check(_ makeNumber: () -> UInt64) async {
        for problem in state.withLock({ $0.register }).check() {
            journal.violate("the served register is not linearizable: \(problem)")
        }
        if !served.commands.isRising { journal.violate("the server took commands in the order \(served.commands)") }
        await attempt("disconnects") { try await self.central.disconnect() }
        guard await connect(), let notified = await handle(ProgramLayout.notified) else {
            return journal.violate("the served device cannot be found and connected to any more")
        }
        await checkRegister(makeNumber)
        await checkNotifications(notified, makeNumber)
        await attempt("disconnects") { try await self.central.disconnect() }
    }

    /// The app at the served device refuses a write now and then.
    private func checkRegister(_ makeNumber: () -> UInt64) async {
        for _ in 0..<20 {
            let number = makeNumber()
            guard await write(number) else { continue }
            if served.register != number {
                journal.violate("the served device has \(served.register), not the \(number) written")
            }
            return
        }
        journal.violate("the served device cannot be written any more")
    }

    private func checkNotifications(_ notified: AttributeID, _ makeNumber: () -> UInt64) async {
        await take(notified, ProgramLayout.notified)
        let central = central
        await attempt("subscribes") { try await central.subscribe(to: notified, indications: false) }
        let sent = (0..<5).map { _ in makeNumber() }
        served.send(sent.map { Bytes(number: $0) }, isIndicated: false)
        var heard: [UInt64] = []
        for _ in 0..<20 where heard.last != sent.last {
            try? await journal.clock.sleep(for: .milliseconds(500))
            heard += await take(notified, ProgramLayout.notified)
        }
        // What was sent before to nobody has waited for somebody.
        if Array(heard.suffix(sent.count)) != sent {
            journal.violate("the served device cannot be heard any more: \(heard) of \(sent)")
        }
    }
}
