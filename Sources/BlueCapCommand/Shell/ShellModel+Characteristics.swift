// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapRuntime

/// A shell's requests for the characteristics of the connected device.
extension ShellModel {
    func pick(
        _ selector: CharacteristicSelector, _ purpose: CharacteristicSelector.Purpose, _ peripheral: Peripheral
    ) throws(CommandFailure) -> Characteristic {
        try selector.pick(for: purpose, in: peripheral.services, of: peripheral)
    }

    func write(_ value: TypedValue, to selector: CharacteristicSelector, _ writing: ShellWriting) async throws {
        let peripheral = try connected()
        let characteristic = try pick(selector, .write, peripheral)
        // The full screen has no way to ask for a command where only that is possible.
        let isCommand = writing.isCommand || !characteristic.properties.contains(.write)
        let bytes = try await peripheral.write(
            value, to: characteristic, isCommand: isCommand, isLong: writing.isLong, timeout: timeout)
        note(bytes, .written, of: characteristic)
    }

    func subscribe(_ characteristic: Characteristic) async throws(CharacteristicError) {
        let id = characteristic.id
        let name = KnownProfiles.characteristic(characteristic.uuid, in: characteristic.service?.uuid)
        if memory.withLock({ $0.subscriptions[id] != nil }) { return note(.subscribed(id, name: name)) }
        let notifications = try await characteristic.notifications(timeout: timeout)
        let subscription = ShellSubscription()
        memory.withLock { $0.subscriptions[id] = subscription }
        note(.subscribed(id, name: name))
        addJob.yield { [weak self] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    // How a link ends is followed elsewhere.
                    try? await self?.follow(notifications, of: characteristic)
                }
                group.addTask { await subscription.wait() }
                await group.next()
                group.cancelAll()
            }
            let wasOn = self?.memory.withLock { memory in
                // A later subscription is another's.
                guard memory.subscriptions[id] === subscription else { return false }
                memory.subscriptions[id] = nil
                return true
            }
            if wasOn == true { self?.note(.unsubscribed(id, name: name)) }
            if notifications.droppedCount > 0 {
                self?.note(.dropped(name: name, count: notifications.droppedCount))
            }
        }
    }

    private func follow(_ notifications: Notifications, of characteristic: Characteristic) async throws {
        for try await value in notifications { note(value, .notified, of: characteristic) }
    }

    func unsubscribe(_ id: AttributeID) {
        guard let subscription = memory.withLock({ $0.subscriptions.removeValue(forKey: id) }) else { return }
        subscription.end()
        note(.unsubscribed(id, name: state.peer?.characteristic(id)?.name ?? id.description))
    }
}
