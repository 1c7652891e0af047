// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapTesting

/// A far central that keeps the values that come, so that a program can ask for those that are there by now, and that
/// gives up an attempt to connect after a while.
struct BufferedCentral: FarCentral {
    /// Takes the values of one subscription.
    private struct Taker {
        let number: Int
        var task: Task<Void, any Error>?
    }

    private struct State {
        var values: [AttributeID: [Bytes]] = [:]
        var takers: [AttributeID: Taker] = [:]
        var lastNumber = 0
    }

    private static let patience = Duration.seconds(20)

    let base: any FarCentral
    let world: StandInWorld
    private let state = Locked(State())

    init(_ base: any FarCentral, in world: StandInWorld) {
        self.base = base
        self.world = world
    }

    func hear(_ isWanted: @escaping @Sendable (PeripheralAdvertisements) -> Bool) async throws -> HeardDevice {
        try await base.hear(isWanted)
    }

    func listen(for duration: Duration) async throws -> [HeardDevice] { try await base.listen(for: duration) }

    func connect(to device: HeardDevice) async throws -> [FarService] {
        let (base, world) = (base, world)
        return try await withThrowingTaskGroup(of: [FarService].self) { group in
            group.addTask { try await base.connect(to: device) }
            group.addTask {
                try await world.elapse(Self.patience)
                throw PeripheralError.connectionTimeout
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
    }

    func discover() async throws -> [FarService] { try await base.discover() }

    func serviceChange() async throws -> ClosedRange<AttributeID>? { try await base.serviceChange() }

    func read(_ attribute: AttributeID) async throws -> Result<Bytes, ATTError> { try await base.read(attribute) }

    func write(
        _ value: Bytes, to attribute: AttributeID, isCommand: Bool
    ) async throws -> Result<Void, ATTError> {
        try await base.write(value, to: attribute, isCommand: isCommand)
    }

    /// Does nothing where there is a subscription, or one begins: each value is to come once.
    func subscribe(to attribute: AttributeID, indications: Bool) async throws {
        let number: Int? = state.withLock { state in
            guard state.takers[attribute] == nil else { return nil }
            state.lastNumber += 1
            state.takers[attribute] = Taker(number: state.lastNumber)
            return state.lastNumber
        }
        guard let number else { return }
        do { try await base.subscribe(to: attribute, indications: indications) } catch {
            endTaking(from: attribute, number)
            throw error
        }
        let (central, state) = (self, state)
        let task = world.start {
            while let came = try? await central.base.received(from: attribute, count: 1), !came.isEmpty {
                state.withLock { $0.values[attribute, default: []] += came }
            }
            central.endTaking(from: attribute, number)
        }
        let isOver = state.withLock { state in
            guard state.takers[attribute]?.number == number else { return true }
            state.takers[attribute]?.task = task
            return false
        }
        if isOver { task.cancel() }
    }

    func unsubscribe(from attribute: AttributeID) async throws {
        endTaking(from: attribute)
        try await base.unsubscribe(from: attribute)
    }

    /// Ends the task of a subscription.
    ///
    /// - Parameter number: The number of the only subscription that may be ended; nil for any.
    private func endTaking(from attribute: AttributeID, _ number: Int? = nil) {
        let taker = state.withLock { state in
            let isMeant = number == nil || state.takers[attribute]?.number == number
            return isMeant ? state.takers.removeValue(forKey: attribute) : nil
        }
        taker?.task?.cancel()
    }

    func received(from attribute: AttributeID, count: Int) async throws -> [Bytes] {
        while state.withLock({ $0.values[attribute]?.count ?? 0 }) < count {
            try await world.elapse(.milliseconds(50))
        }
        return state.withLock { $0.values.removeValue(forKey: attribute) ?? [] }
    }

    func pair() async throws -> Bool { try await base.pair() }

    func disconnect() async throws {
        for attribute in state.withLock({ Array($0.takers.keys) }) { endTaking(from: attribute) }
        try await base.disconnect()
    }
}
