// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Connecting", .timeLimit(.minutes(60)))
struct ConnectingTests {
    static let reason = BackendFailure(name: "org.bluez.Error.Failed", message: "le-connection-abort-by-local")

    @Test func `a connection is made, told, and remembered`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let events = Recorder(peripheral.connectionEvents(), on: world)
            let all = Recorder(world.central.connectionEvents(), on: world)
            let call = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            #expect(peripheral.state == .connecting)
            #expect(await world.backend.linkCalls == [.connect(.one)])
            await world.emit(.connected(.one, maximumTransmissionUnit: 185))
            #expect(call.value != nil)
            #expect(peripheral.state == .connected)
            #expect(peripheral.maximumTransmissionUnit == 185)
            #expect(peripheral.maximumWriteLength(for: .withoutResponse) == 182)
            #expect(events.all == [.connected])
            #expect(all.all.map(\.event) == [.connected])
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test func `connecting what is connected returns at once and asks nothing of the radio`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let call = await world.start { try await peripheral.connect() }
            #expect(call.value != nil)
            #expect(await world.backend.linkCalls == [.connect(.one)])
        }
    }

    @Test func `a timeout frees the caller at its time and takes the attempt back from the radio`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let events = Recorder(peripheral.connectionEvents(), on: world)
            let call = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            await world.advance(by: .milliseconds(4999))
            #expect(!call.isDone)
            await world.advance(by: .milliseconds(1))
            #expect(call.error as? PeripheralError == .connectionTimeout)
            #expect(await world.backend.linkCalls == [.connect(.one), .disconnect(.one)])
            #expect(peripheral.state == .disconnecting)
            await world.emit(.connectFailed(.one, .disconnected))
            #expect(peripheral.state == .disconnected)
            #expect(events.all == [.timedOut])
            #expect(peripheral.statistics.timeoutCount == 1)
            #expect(peripheral.statistics.disconnectionCount == 0)
        }
    }

    @Test func `a task that was cancelled before does not touch the radio`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let call = Call(on: world.executor) { try await peripheral.connect() }
            call.cancel()
            await world.idle()
            #expect(call.error as? PeripheralError == .cancelled)
            #expect(await world.backend.linkCalls == [])
        }
    }

    @Test func `a cancelled call ends at once and takes the attempt back`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let events = Recorder(peripheral.connectionEvents(), on: world)
            let call = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            await world.cancel(call)
            #expect(call.error as? PeripheralError == .cancelled)
            #expect(await world.backend.linkCalls == [.connect(.one), .disconnect(.one)])
            await world.emit(.connectFailed(.one, .disconnected))
            await world.advance(by: .seconds(60))
            #expect(events.all == [])
            #expect(peripheral.state == .disconnected)
        }
    }

    @Test func `a call that is cancelled behind the success has succeeded, and the connection stays`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let call = await world.start { try await peripheral.connect() }
            await world.backend.emit(.connected(.one, maximumTransmissionUnit: nil))
            call.cancel()
            await world.idle()
            #expect(call.value != nil)
            #expect(peripheral.isConnected)
        }
    }

    @Test func `a call that is cancelled before the success fails, and the late connection is ended`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let events = Recorder(peripheral.connectionEvents(), on: world)
            let call = await world.start { try await peripheral.connect() }
            await world.cancel(call)
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            #expect(call.error as? PeripheralError == .cancelled)
            #expect(!peripheral.isConnected)
            #expect(await world.backend.linkCalls == [.connect(.one), .disconnect(.one)])
            await world.emit(.disconnected(.one, nil))
            #expect(peripheral.state == .disconnected)
            #expect(events.all == [])
            #expect(peripheral.statistics.connectedAt == nil)
            try await world.connect(peripheral)
            #expect(peripheral.isConnected)
        }
    }

    @Test func `two callers share one attempt: one that leaves leaves it to the other`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let patient = await world.start { try await peripheral.connect() }
            let hasty = await world.start { try await peripheral.connect(timeout: .seconds(1)) }
            let cancelled = await world.start { try await peripheral.connect() }
            await world.cancel(cancelled)
            await world.advance(by: .seconds(1))
            #expect(hasty.error as? PeripheralError == .connectionTimeout)
            #expect(cancelled.error as? PeripheralError == .cancelled)
            #expect(!patient.isDone)
            #expect(await world.backend.linkCalls == [.connect(.one)])
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            #expect(patient.value != nil)
            #expect(peripheral.statistics.attemptCount == 1)
            #expect(peripheral.statistics.timeoutCount == 0)
        }
    }

    @Test func `when both callers have left, the attempt is taken back once`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let first = await world.start { try await peripheral.connect() }
            let second = await world.start { try await peripheral.connect() }
            first.cancel()
            second.cancel()
            await world.idle()
            #expect(first.error as? PeripheralError == .cancelled)
            #expect(second.error as? PeripheralError == .cancelled)
            #expect(await world.backend.linkCalls == [.connect(.one), .disconnect(.one)])
        }
    }

    @Test func `a call while an attempt is being taken back starts a new one as soon as that is done`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let first = await world.start { try await peripheral.connect() }
            await world.cancel(first)
            let second = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            #expect(await world.backend.linkCalls == [.connect(.one), .disconnect(.one)])
            await world.emit(.connectFailed(.one, .disconnected))
            #expect(await world.backend.linkCalls == [.connect(.one), .disconnect(.one), .connect(.one)])
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            #expect(second.value != nil)
            #expect(world.clock.timerCount == 0)
        }
    }

    @Test func `a call while the connection is being ended makes a new one as soon as that is done`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let events = Recorder(peripheral.connectionEvents(), on: world)
            let end = await world.start { await peripheral.disconnect() }
            let call = await world.start { try await peripheral.connect() }
            #expect(!end.isDone)
            await world.emit(.disconnected(.one, nil))
            #expect(end.isDone)
            #expect(!call.isDone)
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            #expect(call.value != nil)
            #expect(events.all == [.forcedDisconnect, .connected])
        }
    }

    @Test func `a call that times out while the attempt before it is still being taken back is freed`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let first = await world.start { try await peripheral.connect() }
            await world.cancel(first)
            let second = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            await world.advance(by: .seconds(5))
            #expect(second.error as? PeripheralError == .connectionTimeout)
            await world.emit(.connectFailed(.one, .disconnected))
            #expect(await world.backend.linkCalls == [.connect(.one), .disconnect(.one)])
            #expect(peripheral.state == .disconnected)
        }
    }

    @Test
    func `disconnecting fails those who wait for the connection, and returns when the attempt is taken back`()
        async throws
    {
        try await World.run { world in
            let peripheral = await world.meet()
            let events = Recorder(peripheral.connectionEvents(), on: world)
            let calls = [
                await world.start { try await peripheral.connect() },
                await world.start { try await peripheral.connect(timeout: .seconds(5)) },
            ]
            let end = await world.start { await peripheral.disconnect() }
            for call in calls { #expect(call.error as? PeripheralError == .forcedDisconnect) }
            #expect(!end.isDone)
            await world.emit(.connectFailed(.one, .disconnected))
            #expect(end.isDone)
            #expect(events.all == [])
            #expect(await world.backend.linkCalls == [.connect(.one), .disconnect(.one)])
        }
    }

    @Test func `disconnecting returns when the connection is down, to each of its callers`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let events = Recorder(peripheral.connectionEvents(), on: world)
            let first = await world.start { await peripheral.disconnect() }
            let second = await world.start { await peripheral.disconnect() }
            #expect(peripheral.state == .disconnecting)
            #expect(!first.isDone)
            await world.emit(.disconnected(.one, nil))
            #expect(first.isDone)
            #expect(second.isDone)
            #expect(events.all == [.forcedDisconnect])
            #expect(peripheral.statistics.disconnectionCount == 0)
            #expect(await world.backend.linkCalls == [.connect(.one), .disconnect(.one)])
            let third = await world.start { await peripheral.disconnect() }
            #expect(third.isDone)
        }
    }

    @Test func `a cancelled disconnect returns at once, and the connection goes down all the same`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let first = await world.start { await peripheral.disconnect() }
            let second = await world.start { await peripheral.disconnect() }
            await world.cancel(first)
            #expect(first.isDone)
            #expect(!second.isDone)
            #expect(await world.backend.count(.disconnect(.one)) == 1)
            await world.emit(.disconnected(.one, nil))
            #expect(second.isDone)
            #expect(peripheral.state == .disconnected)
        }
    }

    @Test
    func `a disconnect in a task that was cancelled before asks for the end and does not wait for it`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect()
            let call = Call(on: world.executor) { await peripheral.disconnect() }
            call.cancel()
            await world.idle()
            #expect(call.isDone)
            #expect(await world.backend.count(.disconnect(.one)) == 1)
            #expect(peripheral.state == .disconnecting)
        }
    }

    @Test func `an attempt that the platform fails throws its reason`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let events = Recorder(peripheral.connectionEvents(), on: world)
            let call = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            await world.emit(.connectFailed(.one, .backend(Self.reason)))
            #expect(call.error as? PeripheralError == .backend(Self.reason))
            #expect(events.all == [.disconnected(.backend(Self.reason))])
            #expect(peripheral.state == .disconnected)
            #expect(world.clock.timerCount == 0)
            #expect(peripheral.statistics.timeoutCount == 0)
        }
    }

    @Test func `a lost connection is told with the platform's reason, and nothing is done about it`() async throws {
        try await World.run { world in
            let peripheral = try await world.connect(maximumTransmissionUnit: 100)
            let events = Recorder(peripheral.connectionEvents(), on: world)
            await world.emit(.disconnected(.one, Self.reason))
            await world.emit(.disconnected(.one, Self.reason))
            await world.advance(by: .seconds(60))
            #expect(events.all == [.disconnected(.backend(Self.reason))])
            #expect(peripheral.statistics.disconnectionCount == 1)
            #expect(peripheral.maximumTransmissionUnit == nil)
            #expect(await world.backend.linkCalls == [.connect(.one)])
        }
    }

    @Test
    func `a connection is refused while the radio is off, with the platform's reason if it gave one`() async throws {
        try await World.run(state: .poweredOff) { world in
            let peripheral = await world.meet()
            let call = await world.start { try await peripheral.connect() }
            #expect(call.error as? PeripheralError == .poweredOff)
            await world.emit(.stateChanged(.unsupported, Self.reason))
            let hopeless = await world.start { try await peripheral.connect() }
            #expect(hopeless.error as? PeripheralError == .backend(Self.reason))
            #expect(await world.backend.linkCalls == [])
        }
    }

    @Test
    func `the radio going off fails attempts, tells lost connections, and ends the wait for a disconnect`() async throws
    {
        try await World.run { world in
            let connected = try await world.connect(.one)
            let ending = try await world.connect(.two)
            let connecting = await world.meet(.three)
            let all = Recorder(world.central.connectionEvents(), on: world)
            let end = await world.start { await ending.disconnect() }
            let call = await world.start { try await connecting.connect() }
            await world.emit(.stateChanged(.poweredOff, nil))
            #expect(end.isDone)
            #expect(call.error as? PeripheralError == .poweredOff)
            for peripheral in [connected, ending, connecting] { #expect(peripheral.state == .disconnected) }
            #expect(all.all.count == 2)
            #expect(all.all.first { $0.peripheral === connected }?.event == .disconnected(.poweredOff))
            #expect(all.all.first { $0.peripheral === ending }?.event == .forcedDisconnect)
            #expect(connected.statistics.disconnectionCount == 1)
            #expect(ending.statistics.disconnectionCount == 0)
            await world.emit(.connected(.three, maximumTransmissionUnit: nil))
            #expect(connecting.state == .disconnected)
        }
    }

    @Test func `events of the link that do not fit its state change nothing`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let events = Recorder(peripheral.connectionEvents(), on: world)
            await world.emit(.connected(.one, maximumTransmissionUnit: nil))
            await world.emit(.disconnected(.one, nil))
            await world.emit(.connectFailed(.one, .disconnected))
            await world.emit(.connected("unknown", maximumTransmissionUnit: nil))
            await world.emit(.disconnected("unknown", nil))
            await world.emit(.servicesChanged("unknown", invalidated: nil))
            #expect(peripheral.state == .disconnected)
            #expect(events.all == [])
            #expect(peripheral.statistics.attemptCount == 0)
        }
    }

    @Test(arguments: [Int.min, -1, 0, 22])
    func `an MTU that no link can have neither traps nor gives a length below 20`(_ value: Int) async throws {
        try await World.run { world in
            let peripheral = try await world.connect(maximumTransmissionUnit: value)
            #expect(peripheral.maximumWriteLength(for: .withoutResponse) == 20)
            await world.emit(.maximumTransmissionUnitChanged(.one, .max))
            #expect(peripheral.maximumWriteLength(for: .withoutResponse) == 512)
        }
    }

    @Test func `reconnecting waits for its delay and takes the timeout of the last call`() async throws {
        try await World.run { world in
            let peripheral = await world.meet()
            let first = await world.start { try await peripheral.connect(timeout: .seconds(5)) }
            await world.emit(.connectFailed(.one, .disconnected))
            #expect(first.error as? PeripheralError == .disconnected)
            let again = await world.start { try await peripheral.reconnect(after: .seconds(2)) }
            await world.advance(by: .milliseconds(1999))
            #expect(await world.backend.linkCalls.count == 1)
            await world.advance(by: .milliseconds(1))
            #expect(await world.backend.linkCalls.count == 2)
            await world.advance(by: .seconds(5))
            #expect(again.error as? PeripheralError == .connectionTimeout)
            let cancelled = await world.start { try await peripheral.reconnect(after: .seconds(2)) }
            await world.cancel(cancelled)
            #expect(cancelled.error as? PeripheralError == .cancelled)
        }
    }

    @Test
    func `every combination of calls that come and go on many threads ends, and the manager with it`() async throws {
        try await World.runThreaded { world in
            let peripheral = await world.meet()
            await world.backend.respond { call in
                switch call {
                case .connect(let id): .connected(id, maximumTransmissionUnit: nil)
                case .disconnect(let id): .disconnected(id, nil)
                default: nil
                }
            }
            await withTaskGroup(of: Void.self) { group in
                for caller in 0..<6 {
                    group.addTask {
                        for _ in 0..<20 {
                            let call = Task { try await peripheral.connect() }
                            if caller % 3 == 1 { call.cancel() }
                            if caller % 3 == 2 { await peripheral.disconnect() }
                            _ = await call.result
                        }
                    }
                }
            }
            await peripheral.disconnect()
            #expect(peripheral.state == .disconnected)
        }
    }
}
