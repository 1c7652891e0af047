// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual

/// A peripheral manager of the library's own as a far device of the random program.
final class ServedDevice: ProgramDevice {
    private struct State {
        var commands: [UInt64] = []
        var generator: SeededGenerator
        /// The advertisement that was last put beside the main one.
        var other: AdvertisementHandle?
        /// The centrals that are connected, according to the manager's events.
        var centrals: Set<PeerIdentifier> = []
    }

    let manager: PeripheralManager
    let identifier: PeerIdentifier
    let service = MutableService(uuid: ProgramLayout.service)
    private let plain = MutableCharacteristic(
        uuid: ProgramRegister.plain.characteristic, properties: [.read, .write], value: ProgramRegister.plain.bytes(0))
    private let description = MutableDescriptor(
        uuid: ProgramRegister.description, permissions: [.readable, .writeable],
        value: ProgramRegister.descriptor.bytes(0))
    private let long = MutableCharacteristic(
        uuid: ProgramRegister.long.characteristic, properties: [.read, .write], value: ProgramRegister.long.bytes(0))
    private let encrypted = MutableCharacteristic(
        uuid: ProgramRegister.encrypted.characteristic, properties: [.read, .write],
        permissions: [.readEncryptionRequired, .writeEncryptionRequired], value: ProgramRegister.encrypted.bytes(0))
    private let notified = MutableCharacteristic(uuid: ProgramLayout.notified, properties: .notify)
    private let indicated = MutableCharacteristic(uuid: ProgramLayout.indicated, properties: .indicate)
    private let commanded = MutableCharacteristic(uuid: ProgramLayout.commanded, properties: .writeWithoutResponse)
    let journal: RunJournal
    /// The channels that were taken.
    let channels = Locked<[ChannelLog]>([])
    private let state: Locked<State>

    init(_ manager: PeripheralManager, identifier: PeerIdentifier, seed: UInt64, journal: RunJournal) {
        self.manager = manager
        self.identifier = identifier
        self.journal = journal
        state = Locked(State(generator: SeededGenerator(seed: seed, name: "served device")))
        plain.descriptors = [description]
        service.characteristics = [plain, notified, indicated, commanded, long, encrypted]
    }

    func number(in register: ProgramRegister) -> UInt64? {
        let value =
            switch register {
            case .plain: plain.value
            case .long: long.value
            case .descriptor: description.value
            case .encrypted: encrypted.value
            }
        return value.flatMap(register.number)
    }

    var commands: [UInt64] { state.withLock { $0.commands } }
    var connectionCount: Int? { manager.centrals().count }

    func subscriberCount(of uuid: BluetoothUUID) -> Int {
        service.characteristics.first { $0.uuid == uuid }?.subscribers.count ?? 0
    }

    func send(_ values: [Bytes], isIndicated: Bool, isSingle: Bool) {
        let characteristic = isIndicated ? indicated : notified
        for value in values {
            if isSingle, let first = characteristic.subscribers.first {
                try? characteristic.update(value, for: first)
            } else {
                try? characteristic.update(value)
            }
        }
    }

    func greet(_ values: [Bytes]) {}

    /// Takes everything back.
    func reset() async {
        let manager = manager
        _ = await journal.call("reset the peripheral manager") { () async throws(PeripheralManagerError) in
            await manager.reset()
        }
    }

    // MARK: Centrals

    /// Checks the manager's events against each other: a link is made once, and ends once.
    func followCentrals() async {
        for await event in manager.centralEvents() {
            guard let identifier = event.central.identifier else { continue }
            let problem = state.withLock { state -> String? in
                switch event.kind {
                case .connected:
                    return state.centrals.insert(identifier).inserted ? nil : "connected twice without an end between"
                case .changed:
                    let known = event.previousIdentifier ?? identifier
                    guard state.centrals.remove(known) != nil else { return "changed though it was not connected" }
                    state.centrals.insert(identifier)
                    return nil
                case .disconnected:
                    return state.centrals.remove(identifier) == nil ? "left though it was not connected" : nil
                case .refused: return "was refused though there is no limit"
                }
            }
            if let problem { journal.violate("the central \(identifier) \(problem)") }
            if case .disconnected = event.kind { checkThatChannelsEnded(of: identifier) }
        }
    }

    /// Ends the links of the centrals that are connected.
    func dismissCentrals() async {
        let manager = manager
        for central in manager.centrals() {
            _ = await journal.call("end the link of \(central)", timeout: .seconds(5)) {
                () async throws(PeripheralManagerError) in
                try await manager.disconnect(central, timeout: .seconds(5))
            }
        }
    }

    /// The manager's links, its events and its counts agree.
    func checkCentrals() {
        let present = Set(manager.centrals().compactMap(\.identifier))
        let followed = state.withLock { $0.centrals }
        if followed != present { journal.violate("\(present) are connected, and the events said \(followed)") }
        let counts = manager.centralLinkStatistics
        let standing = counts.connectionCount - counts.disconnectionCount - counts.forcedDisconnectionCount
        if standing != present.count {
            journal.violate("\(present.count) centrals are connected, and the statistics say \(counts)")
        }
    }

    // MARK: The app

    /// Answers the writes of centrals, until the task is cancelled: most of them at once, some late, with an error, or
    /// not at all.
    func answerWrites() async {
        await withTaskGroup { group in
            for await request in manager.writeRequests() {
                if request.characteristic === commanded {
                    if let number = request.value.number { state.withLock { $0.commands.append(number) } }
                    request.respond(.success)
                    continue
                }
                let choice = state.withLock { Int.random(in: 0..<20, using: &$0.generator) }
                switch choice {
                case 0: request.respond(.insufficientResources)
                case 1: continue
                case 2, 3:
                    let clock = journal.clock
                    group.addTask {
                        try? await clock.sleep(for: .milliseconds(700 * choice))
                        request.accept()
                    }
                default: request.accept()
                }
            }
        }
    }

    func serve(_ isOn: Bool) async {
        let (manager, service) = (manager, service)
        if isOn {
            _ = await journal.call("add the service") { () async throws(PeripheralManagerError) in
                try await manager.add(service)
            }
        } else {
            _ = await journal.call("remove the service") { () async throws(PeripheralManagerError) in
                try await manager.remove(service)
            }
        }
    }

    /// Advertises another advertisement besides, for the given time.
    func advertiseMore(_ duration: Duration) async {
        let (manager, state) = (manager, state)
        _ = await journal.call("advertise something else") { () async throws(PeripheralManagerError) in
            let other = try await manager.advertise(Advertisement(localName: "More", timeout: duration))
            state.withLock { $0.other = other }
        }
        await advertiseAgainIfHealed()
    }

    /// A start that the platform did not answer may have outlived the faults. Until it failed, it kept others off the
    /// air where there is room for one, and its failure was that of each later call for the same advertisement.
    private func advertiseAgainIfHealed() async {
        if journal.isHealed { await advertiseAgain() }
    }

    /// Puts the advertisement on the air again that the manager could not, after the faults: one that it brings back by
    /// itself is refused to the app as it is wanted already, and may fail later.
    func followFailures() async {
        for await failure in manager.registrationFailures() {
            if case .advertisement = failure.subject, journal.isHealed { await advertiseAgain() }
        }
    }

    /// Advertises, where a platform with room for one advertisement may still have the other one.
    func advertiseAgain() async {
        let other = state.withLock { state in
            defer { state.other = nil }
            return state.other
        }
        if let other { try? await other.stop() }
        await startAdvertising()
    }

    func advertise(_ isOn: Bool) async {
        let manager = manager
        if isOn {
            await startAdvertising()
            await advertiseAgainIfHealed()
        } else {
            _ = await journal.call("stop advertising") { () async throws(PeripheralManagerError) in
                try await manager.stopAdvertising()
            }
        }
    }

    private func startAdvertising() async {
        let manager = manager
        _ = await journal.call("start advertising") { () async throws(PeripheralManagerError) in
            try await manager.startAdvertising("Served", serviceUUIDs: [ProgramLayout.service])
        }
    }
}
