// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

/// Offers services that the library has profiles of, moves their values, and prints the accesses of centrals.
struct EmulateServicesSession: EmulationSession {
    /// The services to offer, and the format of the events.
    struct Plan: Sendable {
        /// Names or UUIDs.
        var services: [String]
        /// The name to advertise; nil for that of the service.
        var name: String?
        /// The services to advertise; empty for as many as there is room for.
        var advertised: [BluetoothUUID] = []
        var values: [SetArgument] = []
        var moves: [MoveArgument] = []
        /// Whether nothing moves that ``moves`` does not.
        var isStill = false
        /// How long; nil for no end.
        var duration: Duration?
        var seed: UInt64 = 1
        /// Whether the services of the preceding program are restored; the manager has a journal then.
        var restores = false
        /// Whether a central that pairs is to type a passkey that is shown here.
        var showsPasskey = false
        var isJSON = false
    }

    let manager: PeripheralManager
    let plan: Plan
    let output: any LineOutput
    let clock: BlueCapClock
    /// Lines that set values while it runs: `battery level=50`.
    let edits: AsyncStream<String>
    /// Takes lines of progress and trouble.
    var progress: @Sendable (String) -> Void = { report($0) }
    /// Who types the passkey that is shown, in a virtual world.
    var typist: PasskeyTypist?

    private var accesses: AccessReport { AccessReport(isJSON: plan.isJSON, output: output) }

    /// Offers and advertises.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage``, before anything is offered, where the plan is
    ///   impossible.
    func serve() async throws {
        var profiles: [ServiceProfile] = []
        for name in plan.services { profiles.append(try EmulatedServices.profile(named: name)) }
        let wanted = EmulatedServices(profiles)
        for value in plan.values {
            let characteristic = try wanted.characteristic(value.name)
            characteristic.value = try value.bytes(for: characteristic)
        }
        let advertisement = try advertisement(of: wanted)
        // A number that cannot be moved is refused before a service is restored or removed.
        _ = try moves(of: wanted)
        let restored = plan.restores ? try await restored(like: wanted, advertisement) : nil
        let device = restored ?? wanted
        let moves = try self.moves(of: device)
        // A run that finds no radio leaves the restored services to the next one.
        let isKept = { @Sendable (error: any Error) in
            restored != nil && (error as? CommandFailure)?.status == .noRadio
        }
        try await manager.serve(for: plan.duration, on: clock, unless: isKept) {
            try await offer(device, advertisement, moves, isThere: restored != nil)
        }
    }

    func stopped() throws(OutputClosed) { try accesses.stopped() }

    private func moves(of device: EmulatedServices) throws(CommandFailure) -> [(MovedValue, ValueGenerator)] {
        if !plan.moves.isEmpty {
            return try plan.moves.map { (move) throws(CommandFailure) in (try device.moved(move), move.generator) }
        }
        if plan.isStill { return [] }
        // A value that the command line sets does not move.
        let set = try plan.values.map { (value) throws(CommandFailure) in try device.characteristic(value.name) }
        return device.usualMoves.filter { !set.contains($0.0.characteristic) }
    }

    private func advertisement(of device: EmulatedServices) throws(CommandFailure) -> Advertisement {
        let name = plan.name ?? (device.services.count == 1 ? device.services[0].name : "BlueCap")
        var advertisement = Advertisement(localName: Self.shortened(name))
        let uuids = device.services.map(\.uuid)
        for uuid in plan.advertised where !uuids.contains(uuid) {
            throw CommandFailure(.usage, "\(KnownProfiles.service(uuid)) cannot be advertised: it is not offered")
        }
        for uuid in plan.advertised.isEmpty ? uuids : plan.advertised
        where !advertisement.serviceUUIDs.contains(uuid) {
            advertisement.serviceUUIDs.append(uuid)
            // A packet has 31 bytes.
            if advertisement.packetByteCount > 31 { advertisement.serviceUUIDs.removeLast() }
        }
        return advertisement
    }

    /// The part of a name that fits into a packet beside its length and type.
    private static func shortened(_ name: String) -> String {
        var name = name
        while name.utf8.count > 29 { name.removeLast() }
        return name
    }

    private func offer(
        _ device: EmulatedServices, _ advertisement: Advertisement, _ moves: [(MovedValue, ValueGenerator)],
        isThere: Bool
    ) async throws {
        // Before a central can do anything: restored services are there as soon as the radio is on.
        let display = plan.showsPasskey ? PasskeyDisplay(manager, accesses, typist) : nil
        let (events, failures) = (manager.advertisingEvents(), manager.registrationFailures())
        let laterFailures = manager.registrationFailures()
        let writes = manager.writeRequests()
        let subscriptions = manager.subscriptions()
        let reads = device.characteristics.filter { $0.propertyEnabled(.read) }.map { ($0, $0.readRequests()) }
        try await manager.requireRadio()
        if isThere { try await advertiseAgain(advertisement, following: events, failures) }
        for service in device.services where !isThere || manager.services.contains(service) {
            if !isThere { try await manager.add(service, timeout: .seconds(10)) }
            try accesses.offered(service, isRestored: isThere)
        }
        if !isThere { try await manager.startAdvertising(advertisement, timeout: .seconds(10)) }
        try accesses.advertising(advertisement)

        let movements = Movements(of: moves.map(\.0.characteristic))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await request in writes { try answer(request) }
            }
            group.addTask { try await accesses.follow(reads, subscriptions) }
            group.addTask { try await display.run(on: clock) }
            for (moved, generator) in moves {
                group.addTask { try await move(moved, by: generator, movements) }
            }
            group.addTask {
                for await line in edits { try edit(line, device, movements) }
                // The end of the input is not the end of the device.
                try await clock.sleepUntilCancelled()
            }
            group.addTask { try await manager.watch(laterFailures) { try accesses.state($0) } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    // MARK: Values

    /// Answers a write: a value must not be empty, and must be valid where a profile knows the valid values.
    private func answer(_ request: WriteRequest) throws(OutputClosed) {
        let profile = request.characteristic.offeredProfile
        var answer = ATTError.success
        if request.offset != 0 {
            answer = .invalidOffset
        } else if request.value.isEmpty {
            answer = .invalidAttributeValueLength
        } else if profile.declaresValues, profile.stringValue(request.value) == nil {
            answer = .valueNotAllowed
        }
        if answer == .success {
            request.accept()
        } else {
            // BlueZ has no word for 0x13; 0x80 is the first that a profile may give a meaning of its own.
            if !answer.isSendable(on: manager) { answer = ATTError(rawValue: 0x80) }
            request.respond(answer)
        }
        try accesses.written(request, answer: answer)
    }

    /// Which characteristics move: one that the user sets stays as it was set.
    private final class Movements: Sendable {
        private let moving: Locked<Set<MutableCharacteristic>>

        init(of characteristics: [MutableCharacteristic]) { moving = Locked(Set(characteristics)) }

        /// Calls `set`, unless the characteristic does not move any more.
        ///
        /// - Returns: Whether it moves.
        func step(_ characteristic: MutableCharacteristic, _ set: () -> Void) -> Bool {
            moving.withLock { moving in
                guard moving.contains(characteristic) else { return false }
                set()
                return true
            }
        }

        /// Calls `set`, and has the characteristic not move any more.
        ///
        /// - Returns: Whether it moved before.
        func stop(_ characteristic: MutableCharacteristic, _ set: () -> Void) -> Bool {
            moving.withLock { moving in
                set()
                return moving.remove(characteristic) != nil
            }
        }
    }

    /// Moves a number until the user sets the value, and waits for the task's end then.
    private func move(_ moved: MovedValue, by generator: ValueGenerator, _ movements: Movements) async throws {
        var number: Double?
        for step in 0... {
            let next = generator.number(step, after: number, seed: plan.seed)
            number = next
            let isMoving = movements.step(moved.characteristic) {
                if let bytes = moved.bytes(for: next) { Self.set(moved.characteristic, bytes) }
            }
            if !isMoving { break }
            try await clock.sleep(for: generator.period)
        }
        // The end of a movement is not the end of the device.
        try await clock.sleepUntilCancelled()
    }

    private func edit(
        _ line: String, _ device: EmulatedServices, _ movements: Movements
    ) throws(OutputClosed) {
        if line.allSatisfy(\.isWhitespace) { return }
        guard let set = SetArgument(argument: line) else {
            return progress("write NAME=VALUE, such as: \(device.characteristics.first?.offeredName ?? "2A19")=01")
        }
        let (characteristic, bytes): (MutableCharacteristic, Bytes)
        do throws(CommandFailure) {
            characteristic = try device.characteristic(set.name)
            bytes = try set.bytes(for: characteristic)
        } catch {
            return progress(error.message)
        }
        let hasMoved = movements.stop(characteristic) { Self.set(characteristic, bytes) }
        try accesses.set(characteristic)
        if hasMoved { progress("\(characteristic.offeredName) stays so: what is set does not move any more") }
    }

    /// Notifies a value where that is possible, and keeps it otherwise.
    private static func set(_ characteristic: MutableCharacteristic, _ bytes: Bytes) {
        if characteristic.canNotify, (try? characteristic.update(bytes)) != nil { return }
        characteristic.value = bytes
    }
}

extension EmulateServicesSession {
    /// Emulates on a virtual radio, with a central on the same radio that reads the device and listens to it.
    static func run(
        on radio: VirtualRadio, plan: Plan, output: any LineOutput, edits: AsyncStream<String>
    ) async throws {
        let typist = plan.showsPasskey ? PasskeyTypist() : nil
        let adapter = VirtualAdapter.Configuration(name: plan.name ?? "BlueCap")
        try await run(on: radio, as: adapter, output: output) { manager, output in
            EmulateServicesSession(
                manager: manager, plan: plan, output: output, clock: radio.clock, edits: edits, typist: typist)
        } beside: { central, output in
            try await TwinVisit(
                central: central, isJSON: plan.isJSON, output: output, clock: radio.clock, typist: typist
            ).run()
        }
    }
}
