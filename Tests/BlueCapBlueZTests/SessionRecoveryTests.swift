// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapPrivateBus
import BlueCapRuntime
import Testing

/// A backend of either role that records only its states.
private final class RadioStates: Sendable {
    enum Role: CaseIterable { case central, peripheral }

    let bus: PrivateBus
    let stub: StubBlueZ
    let clock = ManualClock()
    private let backend: any PairingBackend
    private let box = Mailbox<(state: ManagerState, failure: BackendFailure?), Never>(capacity: .unbounded)

    /// - Parameter holdsObjects: Whether `GetManagedObjects` waits for the test's answer.
    init(_ role: Role, on bus: PrivateBus, holdsObjects: Bool = true) async throws {
        self.bus = bus
        stub = try StubBlueZ(on: bus)
        await stub.run {
            $0.holdsObjects = holdsObjects
            $0.add(StubBlueZ.adapter, Stage.adapter())
        }
        try await stub.start()
        switch role {
        case .central:
            let backend = BlueZCentralBackend(bus: bus.address)
            self.backend = backend
            await activate(backend)
        case .peripheral:
            let backend = BlueZPeripheralBackend(bus: bus.address)
            self.backend = backend
            await activate(backend)
        }
    }

    private func activate(_ backend: isolated BlueZCentralBackend) {
        backend.activate(
            clock: clock.clock,
            sink: CentralEventSink { [box] in
                if case .stateChanged(let state, let failure) = $0 { box.push((state, failure)) }
            })
    }

    private func activate(_ backend: isolated BlueZPeripheralBackend) {
        backend.activate(
            clock: clock.clock,
            sink: PeripheralEventSink { [box] in
                if case .stateChanged(let state, let failure) = $0 { box.push((state, failure)) }
            })
    }

    var count: Int { box.count }

    func next() async throws -> (state: ManagerState, failure: BackendFailure?) {
        guard let change = await box.next() else { throw CancellationError() }
        return change
    }

    /// The next question for the objects.
    func question() async throws -> StubCall { try await stub.call("GetManagedObjects") }

    func answer(_ question: StubCall) async {
        await stub.run { question.reply($0.managed) }
    }

    /// Waits until the session is about to ask again, after the given time, and lets that pass.
    func passDelay(_ delay: Duration) async {
        let due = clock.clock.elapsed + delay
        while clock.nextDeadline != due, !Task.isCancelled { await Task.yield() }
        clock.advance(by: delay)
    }
}

extension OverABus {
    @Suite(.timeLimit(.minutes(60)))
    struct SessionRecoveryTests {
        @Test(arguments: RadioStates.Role.allCases)
        private func `objects that were refused once are asked for again`(role: RadioStates.Role) async throws {
            let radio = try await RadioStates(role, on: try PrivateBus())
            try await radio.question().fail("Failed", "not now")
            let (state, failure) = try await radio.next()
            #expect(state == .resetting)
            #expect(failure?.name == "org.bluez.Error.Failed")
            #expect(failure?.message.contains("not now") == true)
            await radio.passDelay(.milliseconds(250))
            await radio.answer(try await radio.question())
            try await #expect(radio.next().state == .poweredOn)
        }

        @Test(arguments: RadioStates.Role.allCases)
        private func `an answer that is no list of objects is asked for again`(role: RadioStates.Role) async throws {
            let radio = try await RadioStates(role, on: try PrivateBus())
            try await radio.question().reply(.string("none"))
            let (state, failure) = try await radio.next()
            #expect(state == .resetting)
            #expect(failure?.message.contains("GetManagedObjects") == true)
            await radio.passDelay(.milliseconds(250))
            await radio.answer(try await radio.question())
            try await #expect(radio.next().state == .poweredOn)
        }

        @Test(arguments: RadioStates.Role.allCases)
        private func `a process that may not ask is unauthorized, and is not once it may`(role: RadioStates.Role)
            async throws
        {
            let radio = try await RadioStates(role, on: try PrivateBus())
            try await radio.question().call.fail(ErrorName.accessDenied, "no")
            let (state, failure) = try await radio.next()
            #expect(state == .unauthorized)
            #expect(failure?.advice?.contains("bluetooth") == true)
            await radio.passDelay(.milliseconds(250))
            await radio.answer(try await radio.question())
            try await #expect(radio.next().state == .poweredOn)
        }

        @Test(arguments: RadioStates.Role.allCases)
        private func `a bluetoothd that does not answer is asked again after 25 s`(role: RadioStates.Role) async throws
        {
            let radio = try await RadioStates(role, on: try PrivateBus())
            let first = try await radio.question()
            await radio.passDelay(.seconds(25))
            let (state, failure) = try await radio.next()
            #expect(state == .resetting)
            #expect(failure?.name == ErrorName.noReply)
            await radio.passDelay(.milliseconds(250))
            let second = try await radio.question()
            // The late answer to the first question is ignored; the second question's answer counts.
            first.reply(.string("late"))
            await radio.answer(second)
            try await #expect(radio.next().state == .poweredOn)
        }

        @Test func `the time between two questions doubles, and begins anew after an answer`() async throws {
            let radio = try await RadioStates(.central, on: try PrivateBus())
            for delay in [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000] {
                try await radio.question().fail("Failed")
                await radio.passDelay(.milliseconds(delay))
            }
            await radio.answer(try await radio.question())
            try await #expect(radio.next().state == .resetting)
            try await #expect(radio.next().state == .poweredOn)
            await radio.stub.kill()
            try await #expect(radio.next().state == .resetting)
            try await radio.stub.start()
            try await radio.question().fail("Failed")
            await radio.passDelay(.milliseconds(250))
            await radio.answer(try await radio.question())
        }

        @Test(arguments: RadioStates.Role.allCases)
        private func `signals that the bus refuses to deliver keep the radio from being ready until it agrees`(
            role: RadioStates.Role
        ) async throws {
            let bus = try PrivateBus(configuration: Self.rules(1))
            let radio = try await RadioStates(role, on: bus, holdsObjects: false)
            let (state, failure) = try await radio.next()
            #expect(state == .resetting)
            #expect(failure?.name == ErrorName.limitsExceeded)
            try bus.configure(Self.rules(16))
            try await radio.stub.reloadBus()
            await radio.passDelay(.milliseconds(250))
            try await #expect(radio.next().state == .poweredOn)
        }

        @Test func `a bus that refuses to say who owns org.bluez is asked again`() async throws {
            let bus = try PrivateBus(configuration: Self.rules(0))
            let radio = try await RadioStates(.central, on: bus, holdsObjects: false)
            try await #expect(radio.next().state == .resetting)
            try bus.configure(Self.rules(16))
            try await radio.stub.reloadBus()
            await radio.passDelay(.milliseconds(250))
            try await #expect(radio.next().state == .poweredOn)
        }

        @Test func `a bus that ends before it has answered for its signals is opened again once`() async throws {
            let opened = Mailbox<Int, Never>(capacity: .unbounded)
            let count = Locked(0)
            let bus = try FakeBus { client in
                client.welcome()
                // The rule for the daemon's name, the question for its owner, and the rules for its signals.
                for _ in 0..<5 { _ = client.readMessage() }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                opened.push(number)
                if number > 1 { client.waitForEnd() }
            }
            let (backend, clock, log) = (BlueZCentralBackend(bus: bus.address), ManualClock(), EventLog())
            await run(backend) { $0.activate(clock: clock.clock, sink: log.sink) }
            try await #expect(log.state() == .unsupported)
            // Jobs that follow from the end of the connection run before this one.
            await run(backend) { _ in }
            #expect(clock.timerCount == 1)
            #expect(clock.nextDeadline == .milliseconds(250))
            #expect(await opened.next() == 1)
            clock.advance(by: .milliseconds(250))
            #expect(await opened.next() == 2)
            // The time that the bus has for its answer, and no third connection.
            #expect(clock.timerCount == 1)
            #expect(clock.nextDeadline == .milliseconds(25_250))
            withExtendedLifetime(bus) {}
        }

        private func run(
            _ backend: isolated BlueZCentralBackend, _ body: @Sendable (isolated BlueZCentralBackend) -> Void
        ) { body(backend) }

        @Test(arguments: RadioStates.Role.allCases)
        private func `a bus that ends while the objects are read is opened again once`(role: RadioStates.Role)
            async throws
        {
            let radio = try await RadioStates(role, on: try PrivateBus())
            let question = try await radio.question()
            radio.bus.killDaemon()
            try #require(try await radio.next().state == .unsupported)
            withExtendedLifetime(question) {}
            await radio.passDelay(.milliseconds(250))
            await radio.passDelay(.milliseconds(500))
        }

        private static func rules(_ count: Int) -> String {
            #"<limit name="max_match_rules_per_connection">\#(count)</limit>"#
        }
    }
}
#endif
