// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// Records a connected device as a twin: it reads all that can be read, subscribes to all that notifies, and listens.
///
/// ```swift
/// try await peripheral.connect(timeout: .seconds(10))
/// try await peripheral.discover(timeout: .seconds(10))
/// let twin = try await TwinRecorder(duration: .seconds(30)).record(peripheral)
/// ```
///
/// Nothing is written to the device but its client configurations. What it refuses for want of security is recorded as
/// that. Handles of characteristics and descriptors are not recorded, as platforms do not agree on them.
public struct TwinRecorder: Sendable {
    /// The time for which to listen to notifications; zero does not subscribe.
    public var duration: Duration
    /// The longest time that one request may take.
    public var timeout: Duration
    /// The number of notifications of each characteristic that are kept; more of it are not listened to.
    public var maximumCount: Int
    /// The clock of all times: that of the central's manager.
    public var clock: BlueCapClock
    /// A function that receives lines of progress.
    public var progress: @Sendable (String) -> Void

    /// Creates a recorder of devices.
    ///
    /// - Parameters:
    ///   - duration: The time for which to listen to notifications.
    ///   - timeout: The longest time that one request may take.
    ///   - maximumCount: The number of notifications of each characteristic that are kept.
    ///   - clock: The clock of all times: that of the central's manager.
    ///   - progress: Receives lines of progress.
    public init(
        duration: Duration = .seconds(10), timeout: Duration = .seconds(10), maximumCount: Int = 100_000,
        clock: BlueCapClock = .continuous, progress: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.duration = duration
        self.timeout = timeout
        self.maximumCount = min(max(maximumCount, 1), TwinLimits.notifications)
        self.clock = clock
        self.progress = progress
    }

    /// Records a device that is connected and discovered.
    ///
    /// A cancelled task ends the reading, and it or the end of the link ends the listening. The twin then has
    /// everything read and heard until that moment, and ``progress`` receives the UUIDs of the rest.
    ///
    /// - Throws: `CharacteristicError` when the link ends before everything was read.
    public func record(_ peripheral: Peripheral) async throws(CharacteristicError) -> Twin {
        let recorded = clock.date
        let services = peripheral.services
        let characteristics = services.map(\.characteristics)
        var twins: [TwinService] = []
        var unread: [BluetoothUUID] = []
        for (index, service) in services.enumerated() {
            var found: [TwinCharacteristic] = []
            for characteristic in characteristics[index] {
                var twin = TwinCharacteristic(characteristic.uuid, properties: characteristic.properties)
                let isWhole = try await read(characteristic, into: &twin)
                if !isWhole { unread.append(characteristic.uuid) }
                found.append(twin)
            }
            let included = service.includedServices
            twins.append(
                TwinService(
                    service.uuid, handle: UInt16(exactly: service.id.rawValue), isPrimary: service.isPrimary,
                    includes: included.compactMap { each in services.firstIndex { $0.id == each.id } }
                        .filter { $0 != index },
                    characteristics: found))
        }
        if !unread.isEmpty { progress("cancelled before it was read: \(Self.list(unread))") }
        if duration > .zero {
            let heard = await listen(to: characteristics)
            for (service, each) in heard.enumerated() {
                for (characteristic, notifications) in each.enumerated() {
                    twins[service].characteristics[characteristic].notifications = notifications
                }
            }
        }
        let twin = Twin(
            address: peripheral.identifier, name: peripheral.name,
            recorded: recorded,
            advertisement: TwinAdvertisement(whole: peripheral.advertisements, rssi: peripheral.rssi),
            mtu: peripheral.maximumTransmissionUnit, services: twins)
        let kept = twin.withinLimits()
        if let lost = twin.lost(in: kept) { progress("left out \(lost): a twin has no room for them") }
        return kept
    }

    // MARK: Reading

    /// Reads a characteristic and its descriptors.
    ///
    /// - Returns: Whether all was asked for; false in a task that was cancelled before.
    private func read(
        _ characteristic: Characteristic, into twin: inout TwinCharacteristic
    ) async throws(CharacteristicError) -> Bool {
        if Task.isCancelled { return false }
        do throws(CharacteristicError) {
            try await readAll(of: characteristic, into: &twin)
        } catch {
            if error == .cancelled { return false }
            throw error
        }
        return true
    }

    private func readAll(
        of characteristic: Characteristic, into twin: inout TwinCharacteristic
    ) async throws(CharacteristicError) {
        if characteristic.canRead {
            do throws(CharacteristicError) {
                twin.value = try await characteristic.read(timeout: timeout)
            } catch {
                twin.readSecurity = try security(error, "read \(characteristic.uuid)")
            }
        }
        let descriptors: [Descriptor]
        do throws(CharacteristicError) {
            descriptors = try await characteristic.discoverDescriptors(timeout: timeout)
        } catch {
            _ = try security(error, "find the descriptors of \(characteristic.uuid)")
            return
        }
        for descriptor in descriptors where descriptor.uuid != .clientConfiguration {
            var found = TwinDescriptor(descriptor.uuid)
            do throws(CharacteristicError) {
                found.value = try await descriptor.read(timeout: timeout)
            } catch {
                _ = try security(error, "read \(descriptor.uuid)")
            }
            twin.descriptors.append(found)
        }
    }

    /// The first of some characteristics, and how many there are beside them.
    private static func list(_ uuids: [BluetoothUUID]) -> String {
        let shown = uuids.prefix(24).map(\.description).joined(separator: ", ")
        return uuids.count > 24 ? "\(shown) and \(uuids.count - 24) more" : shown
    }

    /// The security that a refusal demands; nil where it demands nothing of the link.
    ///
    /// - Throws: The error, where nothing else can be asked after it.
    private func security(_ error: CharacteristicError, _ action: String) throws(CharacteristicError) -> TwinSecurity? {
        switch error {
        case .disconnected, .cancelled, .poweredOff, .invalidated: throw error
        case .att(.insufficientAuthentication), .att(.insufficientEncryption), .att(.insufficientEncryptionKeySize):
            return .encrypted
        default:
            progress("could not \(action): \(error)")
            return nil
        }
    }

    // MARK: Listening

    private func listen(to characteristics: [[Characteristic]]) async -> [[[TwinNotification]]] {
        let heard = Locked(characteristics.map { $0.map { _ in [TwinNotification]() } })
        let (clock, maximumCount, duration, progress) = (clock, maximumCount, duration, progress)
        var subscribed = 0
        // Those that nothing was asked of, since the task was cancelled or the link ended before.
        var left: [BluetoothUUID] = []
        var end: CharacteristicError? = Task.isCancelled ? .cancelled : nil
        // Each child task returns whether the time is up.
        await withTaskGroup(of: Bool.self) { group in
            for (service, each) in characteristics.enumerated() {
                for (index, characteristic) in each.enumerated() where characteristic.canNotify {
                    if end != nil {
                        left.append(characteristic.uuid)
                        continue
                    }
                    let notifications: Notifications
                    do throws(CharacteristicError) {
                        notifications = try await characteristic.notifications(
                            capacity: .newest(maximumCount), timeout: timeout)
                    } catch {
                        switch error {
                        case .disconnected, .cancelled, .poweredOff, .invalidated:
                            end = error
                            left.append(characteristic.uuid)
                        default: progress("could not subscribe to \(characteristic.uuid): \(error)")
                        }
                        continue
                    }
                    subscribed += 1
                    let start = clock.elapsed
                    group.addTask {
                        do throws(CharacteristicError) {
                            for try await value in notifications {
                                let sent = TwinNotification(after: max(clock.elapsed - start, .zero), value: value)
                                let count = heard.withLock { heard in
                                    heard[service][index].append(sent)
                                    return heard[service][index].count
                                }
                                if count >= maximumCount {
                                    progress(
                                        "left out what \(characteristic.uuid) notifies after \(count) times: "
                                            + "more of one characteristic is not kept")
                                    break
                                }
                            }
                        } catch {
                            // The link has ended, or the characteristic is gone; the notifications so far stay.
                        }
                        return false
                    }
                }
            }
            if let end {
                if !left.isEmpty { progress("did not subscribe to \(Self.list(left)): \(end)") }
                return group.cancelAll()
            }
            guard subscribed > 0 else { return }
            progress("listening to \(subscribed) of the characteristics for \(duration)")
            group.addTask {
                try? await clock.sleep(for: duration)
                return true
            }
            // One characteristic of which there is enough leaves the others; a link that is lost ends them all.
            while subscribed > 0, await group.next() == false { subscribed -= 1 }
            group.cancelAll()
        }
        return heard.withLock { $0 }
    }
}

extension Twin {
    /// The parts cut away when the twin was brought within the limits, such as `2 services, 1 notification`; nil where
    /// nothing was. The parts of a service or a characteristic that is cut away are not counted beside it.
    func lost(in kept: Twin) -> String? {
        var (characteristics, descriptors, values, notifications, answers) = (0, 0, 0, 0, 0)
        for (service, keptService) in zip(services, kept.services) {
            characteristics += service.characteristics.count - keptService.characteristics.count
            for (each, keptOne) in zip(service.characteristics, keptService.characteristics) {
                descriptors += each.descriptors.count - keptOne.descriptors.count
                notifications += each.notifications.count - keptOne.notifications.count
                answers += each.answers.count - keptOne.answers.count
                if each.value != nil, keptOne.value == nil { values += 1 }
                for (one, keptOne) in zip(each.descriptors, keptOne.descriptors)
                where one.value != nil && keptOne.value == nil {
                    values += 1
                }
            }
        }
        let counts = [
            (services.count - kept.services.count, "service"), (characteristics, "characteristic"),
            (descriptors, "descriptor"), (values, "value"), (notifications, "notification"), (answers, "rule"),
            (channels.count - kept.channels.count, "channel"),
        ]
        let lost = counts.filter { $0.0 > 0 }.map { count, noun in "\(count) \(noun)\(count == 1 ? "" : "s")" }
        return lost.isEmpty ? nil : lost.joined(separator: ", ")
    }
}
