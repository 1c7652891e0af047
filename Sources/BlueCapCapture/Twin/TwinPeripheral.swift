// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

/// The services and the advertisement of a twin for a `PeripheralManager`: this machine becomes the device, on whatever
/// radio the manager uses.
///
/// ```swift
/// let device = TwinPeripheral(try Twin(json: json))
/// try await manager.add(device.services)
/// let leftOut = try await device.startAdvertising(on: manager)
/// await device.run(on: manager, clock: .continuous)
/// ```
///
/// The platform decides on the address and the handles; Generic Access and Generic Attribute are its own. A service is
/// offered behind those that it includes, since platforms ask for that order. Descriptors that platforms keep to
/// themselves (2900, 2902, 2903) are left out.
public struct TwinPeripheral: Sendable {
    /// The services, which are not added yet, each behind those that it includes.
    public let services: [MutableService]
    /// The advertisement, with each field in the packet or in the scan response, where it was heard; the name alone
    /// where the twin advertises nothing.
    ///
    /// The name is in the scan response, where all platforms put it. A platform that sends nothing else there, or has
    /// no room for all of it, refuses it: ``startAdvertising(on:timeout:)`` advertises what it takes.
    public let advertisement: Advertisement
    /// The PSMs on which ``run(on:clock:report:replayed:)`` takes channels: those of the twin from 128 through 255, as
    /// platforms offer no others, without those on which it refuses every central.
    public let channels: [TwinChannel]
    private let twin: Twin
    private let replay: TwinReplay
    private let notifications: [MutableCharacteristic: [TwinNotification]]
    private let responders: [MutableCharacteristic: TwinPeripheralResponder]

    /// Creates the services and the advertisement of a twin.
    ///
    /// - Parameters:
    ///   - twin: The device.
    ///   - replay: The way in which the values that it notified are sent again.
    public init(_ twin: Twin, replay: TwinReplay = .once) {
        self.replay = replay
        self.twin = twin
        channels = twin.channels.filter { $0.psm >= 0x80 && $0.refusal == nil }.map { channel in
            var channel = channel
            if replay == .never { channel.units = [] }
            return channel
        }
        advertisement = AdvertisementPlacing(twin, usesResponse: true) { _ in true }.advertisement
        var notifications: [MutableCharacteristic: [TwinNotification]] = [:]
        var made: [Int: MutableService] = [:]
        var services: [MutableService] = []
        let order = IncludeOrder(twin.services) { !$0.isOfStack }
        var places: [TwinRules.Place: MutableCharacteristic] = [:]
        for index in order.indices {
            let service = twin.services[index]
            let mutable = MutableService(uuid: service.uuid, isPrimary: service.isPrimary)
            mutable.characteristics = service.characteristics.enumerated().map { number, characteristic in
                let offered = MutableCharacteristic(characteristic)
                places[TwinRules.Place(service: index, characteristic: number)] = offered
                // A subscriber receives the values that are sent from then on, and no earlier ones.
                offered.updatePolicy = .none
                if replay != .never { notifications[offered] = characteristic.notifications }
                return offered
            }
            mutable.includedServices = order.includes[index].compactMap { made[$0] }
            made[index] = mutable
            services.append(mutable)
        }
        self.services = services
        self.notifications = notifications
        responders = TwinPeripheralResponder.responders(TwinRules(twin.services), places)
    }

    /// The characteristics of all services.
    public var characteristics: [MutableCharacteristic] { services.flatMap(\.characteristics) }

    /// Advertises on a manager's radio, with as many fields of the twin as it takes.
    ///
    /// Each field goes where it was heard. A platform that sends only the name in a scan response, as BlueZ does with
    /// most fields, has those of the scan response in the packet, behind its own.
    ///
    /// - Parameters:
    ///   - manager: The manager that offers the services.
    ///   - timeout: How long an attempt may take to get on the air; nil for as long as the platform waits. A second one
    ///     begins if the platform refuses the fields of the scan response.
    /// - Returns: The fields that the platform does not send, or that found no room.
    /// - Throws: As `PeripheralManager.startAdvertising(_:timeout:)`.
    @discardableResult
    public func startAdvertising(
        on manager: PeripheralManager, timeout: Duration? = nil
    ) async throws(PeripheralManagerError) -> PeripheralAdvertisements {
        let whole = await Self.place(twin, usesResponse: true, on: manager)
        do throws(PeripheralManagerError) {
            try await manager.startAdvertising(whole.advertisement, timeout: timeout)
            return whole.leftOut
        } catch {
            // Which fields a scan response may have shows on some platforms only when they are asked to send it.
            guard !whole.advertisement.scanResponse.isEmpty else { throw error }
            switch error {
            case .advertisingOptionNotSupported, .backend: break
            default: throw error
            }
        }
        let joined = await Self.place(twin, usesResponse: false, on: manager)
        try await manager.startAdvertising(joined.advertisement, timeout: timeout)
        return joined.leftOut
    }

    private static func place(
        _ twin: Twin, usesResponse: Bool, on manager: isolated PeripheralManager
    ) -> (advertisement: Advertisement, leftOut: PeripheralAdvertisements) {
        let placing = AdvertisementPlacing(twin, usesResponse: usesResponse) { manager.refusal(of: $0) == nil }
        return (placing.advertisement, placing.leftOut)
    }

    /// Accepts writes of centrals and answers them by the twin's rules, sends the values that it notified to subscribed
    /// centrals, and takes ``channels`` where the platform has them, until the task is cancelled. Call it before a
    /// central can do anything.
    ///
    /// - Parameters:
    ///   - manager: The manager that offers the services.
    ///   - clock: The clock on which the values are sent: that of the manager.
    ///   - report: Receives each write after it was accepted.
    ///   - replayed: Receives a characteristic, and the number of values, after all that the twin notified of it were
    ///     sent; with `TwinReplay.repeating` each time.
    public func run(
        on manager: PeripheralManager, clock: BlueCapClock,
        report: @escaping @Sendable (WriteRequest) -> Void = { _ in },
        replayed: @escaping @Sendable (MutableCharacteristic, Int) -> Void = { _, _ in }
    ) async {
        await run(on: manager, clock: clock, report: report, replayed: replayed) { _, _ in }
    }

    /// The same.
    ///
    /// - Parameter published: Receives each PSM of ``channels`` when it is published, or the error with which it was
    ///   not.
    package func run(
        on manager: PeripheralManager, clock: BlueCapClock, report: @escaping @Sendable (WriteRequest) -> Void,
        replayed: @escaping @Sendable (MutableCharacteristic, Int) -> Void,
        published: @escaping @Sendable (TwinChannel, ChannelError?) -> Void
    ) async {
        let (requests, subscriptions) = (manager.writeRequests(), manager.subscriptions())
        // Writes that an earlier call has not answered are over with it.
        let responders = responders.mapValues { $0.withoutWrites() }
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await request in requests {
                    if request.accept() {
                        // A part of a long value has changed the value already.
                        let value = request.offset == 0 ? request.value : request.characteristic.value ?? []
                        responders[request.characteristic]?.written(value)
                    }
                    report(request)
                }
            }
            for responder in responders.values { group.addTask { await responder.run(on: clock) } }
            for channel in channels {
                let channels = TwinPeripheralChannels(description: channel, clock: clock)
                group.addTask { await channels.run(on: manager, published: published) }
            }
            group.addTask { await follow(subscriptions, clock: clock, replayed) }
        }
    }

    private func follow(
        _ subscriptions: AsyncStream<SubscriptionEvent>, clock: BlueCapClock,
        _ replayed: @escaping @Sendable (MutableCharacteristic, Int) -> Void
    ) async {
        let runs = Locked<[MutableCharacteristic: Int]>([:])
        let counts = Locked<[MutableCharacteristic: Int]>([:])
        await withDiscardingTaskGroup { group in
            for await event in subscriptions {
                let characteristic = event.characteristic
                let isFirstOrLast = counts.withLock { counts in
                    let count = max(counts[characteristic, default: 0] + (event.kind == .subscribed ? 1 : -1), 0)
                    counts[characteristic] = count
                    return event.kind == .subscribed ? count == 1 : count == 0
                }
                guard isFirstOrLast, let values = notifications[characteristic], !values.isEmpty else { continue }
                let run = runs.withLock { runs in
                    runs[characteristic, default: 0] += 1
                    return runs[characteristic] ?? 0
                }
                guard event.kind == .subscribed else { continue }
                let isCurrent: @Sendable () -> Bool = { runs.withLock { $0[characteristic] == run } }
                group.addTask { await play(values, on: characteristic, clock: clock, while: isCurrent, replayed) }
            }
            group.cancelAll()
        }
    }

    private func play(
        _ values: [TwinNotification], on characteristic: MutableCharacteristic, clock: BlueCapClock,
        while isCurrent: @Sendable () -> Bool, _ replayed: @Sendable (MutableCharacteristic, Int) -> Void
    ) async {
        var start = clock.elapsed
        repeat {
            for value in values {
                do { try await clock.sleep(for: start + value.after - clock.elapsed) } catch { return }
                guard isCurrent() else { return }
                // Without a manager, which is about to end then, there is no one to send it to.
                try? characteristic.update(value.value)
            }
            replayed(characteristic, values.count)
            start = max(start + (values.last?.after ?? .zero), clock.elapsed) + .milliseconds(1)
        } while replay == .repeating
    }
}

extension MutableCharacteristic {
    /// The descriptors that platforms keep to themselves.
    private static let ownDescriptors: Set<BluetoothUUID> = ["2900", "2902", "2903"]

    fileprivate convenience init(_ twin: TwinCharacteristic) {
        self.init(uuid: twin.uuid, properties: twin.properties, permissions: twin.permissions, value: twin.value)
        descriptors = twin.descriptors.filter { !Self.ownDescriptors.contains($0.uuid) }.map {
            MutableDescriptor(uuid: $0.uuid, value: $0.value)
        }
    }
}
