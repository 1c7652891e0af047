// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// Talks to the served device as a far device of the world does, and checks the results against the library's promises.
final class FarProgram: Sendable {
    private struct State {
        var registers: [ProgramRegister: RegisterHistory] = [:]
        /// The number of writes of long values that have begun, and of those that are not answered yet.
        var longWrites = (begun: 0, open: 0)
        /// The last number that came, by characteristic.
        var latest: [BluetoothUUID: UInt64] = [:]
    }

    private let central: any FarCentral
    private let served: ServedDevice
    private let journal: RunJournal
    private let missing: Set<SimulationAbility>
    private let state = Locked(State())

    init(_ central: any FarCentral, served: ServedDevice, journal: RunJournal, missing: Set<SimulationAbility>) {
        self.missing = missing
        self.central = central
        self.served = served
        self.journal = journal
    }

    /// Makes a call that is about the served device.
    func make(_ call: ProgramCall, _ makeNumber: () -> UInt64) async {
        switch call {
        case .connect, .reconnect, .discover, .policy: _ = await connect()
        case .disconnect, .forget: await attempt("disconnects") { try await self.central.disconnect() }
        case .read(_, let register, _, _): await read(register)
        case .write(_, let register, _, _): await write(makeNumber(), register)
        case .pair: await attempt("pairs") { try await self.central.pair() }
        case .command(_, let count, _): for _ in 0..<count { await command(makeNumber()) }
        case .listen(_, let listening): await listen(for: listening.duration, isIndicated: listening.isIndicated)
        case .hold(_, let duration): await listen(for: duration, isIndicated: false)
        case .send(_, let count, let isIndicated, let isSingle):
            let values = (0..<count).map { _ in Bytes(number: makeNumber()) }
            served.send(values, isIndicated: isIndicated, isSingle: isSingle)
        default: break
        }
    }

    /// Lets the far central perform an operation; nil if it fails, for example because the central's platform is away.
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

    private func characteristic(_ uuid: BluetoothUUID) async -> FarCharacteristic? {
        let central = central
        let services = await attempt("discovers") { try await central.discover() }
        return services?.first { $0.uuid == ProgramLayout.service }?.characteristics.first { $0.uuid == uuid }
    }

    private func handle(_ uuid: BluetoothUUID) async -> AttributeID? { await characteristic(uuid)?.id }

    private func handle(_ register: ProgramRegister) async -> AttributeID? {
        let characteristic = await characteristic(register.characteristic)
        return register == .descriptor ? characteristic?.descriptors[ProgramRegister.description] : characteristic?.id
    }

    // MARK: Values

    @discardableResult
    private func read(_ register: ProgramRegister) async -> UInt64? {
        guard let handle = await handle(register) else { return nil }
        let central = central
        let began = journal.moment()
        let writes = state.withLock { $0.longWrites }
        guard case .success(let value) = await attempt("reads", { try await central.read(handle) }) else { return nil }
        let ended = journal.moment()
        guard let number = register.number(value) else {
            // Each part is read for itself (Core Specification, Vol 3, Part G, 4.8.3): a write may come between them.
            let isMixed = state.withLock { $0.longWrites.begun > writes.begun || writes.open > 0 }
            if register != .long || !isMixed {
                journal.violate("the served device gave \(value), which nobody has written as the \(register) value")
            }
            return nil
        }
        state.withLock {
            $0.registers[register, default: RegisterHistory()].read(number, began: began, ended: ended)
        }
        return number
    }

    @discardableResult
    private func write(_ number: UInt64, _ register: ProgramRegister) async -> Bool {
        guard let handle = await handle(register) else { return false }
        let central = central
        let began = journal.moment()
        state.withLock { state in
            state.registers[register, default: RegisterHistory()].writeBegan(number, at: began)
            if register == .long { state.longWrites = (state.longWrites.begun + 1, state.longWrites.open + 1) }
        }
        let result = await attempt("writes \(number)") {
            try await central.write(register.bytes(number), to: handle, isCommand: false)
        }
        // A write that failed may still be carried out later.
        guard case .success = result else { return false }
        let ended = journal.moment()
        state.withLock { state in
            state.registers[register]?.writeWasDone(number, at: ended)
            if register == .long { state.longWrites.open -= 1 }
        }
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

    /// Checks the conditions that must hold when every fault has ended.
    func check(_ makeNumber: () -> UInt64) async {
        for (register, history) in state.withLock({ $0.registers }) {
            for problem in history.check() {
                journal.violate("the \(register) value of the served device is not linearizable: \(problem)")
            }
        }
        if !served.commands.isRising { journal.violate("the server took commands in the order \(served.commands)") }
        await attempt("disconnects") { try await self.central.disconnect() }
        guard await connect(), let notified = await handle(ProgramLayout.notified) else {
            return journal.violate("the served device cannot be found and connected to any more")
        }
        if !missing.contains(.pairing) {
            let isPaired = await attempt("pairs") { try await self.central.pair() } ?? false
            if !isPaired { journal.violate("the served device cannot be paired with any more") }
        }
        for register in ProgramRegister.allCases where !isMissing(register) { await check(register, makeNumber) }
        await checkNotifications(notified, makeNumber)
        await attempt("disconnects") { try await self.central.disconnect() }
    }

    private func isMissing(_ register: ProgramRegister) -> Bool {
        switch register {
        case .descriptor: missing.contains(.descriptors)
        case .encrypted: missing.contains(.pairing)
        case .plain, .long: false
        }
    }

    /// The app at the served device refuses a write now and then.
    private func check(_ register: ProgramRegister, _ makeNumber: () -> UInt64) async {
        for _ in 0..<20 {
            let number = makeNumber()
            guard await write(number, register) else { continue }
            if served.number(in: register) != number {
                journal.violate("the served device has another \(register) value than the \(number) written")
            }
            if await read(register) != number {
                journal.violate("the served device gives another \(register) value than the \(number) written")
            }
            return
        }
        journal.violate("the \(register) value of the served device cannot be written any more")
    }

    private func checkNotifications(_ notified: AttributeID, _ makeNumber: () -> UInt64) async {
        await take(notified, ProgramLayout.notified)
        let central = central
        await attempt("subscribes") { try await central.subscribe(to: notified, indications: false) }
        let sent = (0..<5).map { _ in makeNumber() }
        served.send(sent.map { Bytes(number: $0) }, isIndicated: false, isSingle: false)
        var heard: [UInt64] = []
        for _ in 0..<20 where heard.last != sent.last {
            try? await journal.clock.sleep(for: .milliseconds(500))
            heard += await take(notified, ProgramLayout.notified)
        }
        // Values sent while no central was subscribed may have been queued for the next subscriber, so only the end of
        // the list is compared.
        if Array(heard.suffix(sent.count)) != sent {
            journal.violate("the served device cannot be heard any more: \(heard) of \(sent)")
        }
    }
}
