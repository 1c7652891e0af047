// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// The visits of the far central to the program, and the conditions that must hold in the end.
extension RestoredProgram {
    // MARK: The far central

    /// Looks now and then whether the service stands where it stood.
    func visit() async {
        while (try? await journal.clock.sleep(for: .seconds(7))) != nil {
            if let fixed = try? await visitOnce() { note(fixed) }
        }
    }

    private func note(_ fixed: Characteristic) {
        let place = state.withLock { state in
            state.place = state.place ?? fixed.id
            return state.place
        }
        if place != fixed.id { journal.violate("the service stands at \(fixed.id), not where it stood") }
    }

    @discardableResult
    private func visitOnce() async throws -> Characteristic {
        let peripheral = try await far.find("00:00:5E:00:53:02", timeout: .seconds(5))
        if !peripheral.isConnected { try await peripheral.connect(timeout: .seconds(5)) }
        try await peripheral.discover(timeout: .seconds(5))
        let fixed = try peripheral.characteristic(Self.fixed)
        let value = try await fixed.read(timeout: .seconds(5))
        if value != [7] { journal.violate("the far central read \(value)") }
        return fixed
    }

    // MARK: The end

    func check() async throws {
        journal.checkThatAllReturned()
        guard let life = state.withLock({ $0.life }) else { return journal.violate("the program does not live") }
        for device in devices.indices { await checkHearing(device) }
        await checkServing()
        let second = try await life.central.restoredState()
        if second != nil { journal.violate("what was restored is given a second time") }
        try await leave(life)
    }

    /// Every device is heard: a value that it sends from now on arrives.
    private func checkHearing(_ device: Int) async {
        let last = state.withLock { $0.lastNumber }
        for _ in 0..<40 where state.withLock({ $0.heard[device] ?? 0 }) <= last {
            try? await journal.clock.sleep(for: .milliseconds(500))
        }
        if state.withLock({ $0.heard[device] ?? 0 }) <= last {
            journal.violate("device \(device) is not heard any more")
        }
        if devices[device].connectionCount != 1 {
            journal.violate("device \(device) has \(devices[device].connectionCount ?? 0) links")
        }
    }

    /// The far central finds the service, writes a value, and is notified of the same value.
    private func checkServing() async {
        let result = await journal.call("visit the service at the end", timeout: .seconds(60)) {
            () async throws(CharacteristicError) -> Bytes? in
            guard let fixed = try? await self.visitOnce(), let peripheral = fixed.peripheral,
                let plain = try? peripheral.characteristic(ProgramRegister.plain.characteristic),
                let notified = try? peripheral.characteristic(ProgramLayout.notified)
            else { return nil }
            self.note(fixed)
            let notifications = try await notified.notifications(timeout: .seconds(5))
            let value = ProgramRegister.plain.bytes(self.makeNumber())
            try await plain.write(value, timeout: .seconds(5))
            for try await heard in notifications where heard == value { return try await plain.read() }
            return nil
        }
        guard case .success(.some) = result else {
            return journal.violate("the far central is not served any more: \(result)")
        }
    }

    /// Takes everything back: nothing may be left.
    private func leave(_ life: Life) async throws {
        await far.disconnectAllPeripherals(timeout: nil)
        await life.server.reset(timeout: nil)
        await life.central.reset(timeout: nil)
        try? await journal.clock.sleep(for: .seconds(1))
        for (what, count) in await life.server.remains {
            journal.violate("the peripheral manager is left with \(count) \(what)")
        }
        state.withLock { $0.life = nil }
    }
}
