// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe

extension VirtualPeripheral {
    /// Creates a peripheral that is a twin; see `VirtualRadio.add(twin:replay:)`.
    ///
    /// - Parameters:
    ///   - twin: The device.
    ///   - replay: How the values that it notified are sent again.
    ///   - isAdvertising: Whether the peripheral advertises as soon as it is in the air.
    ///   - pairing: The behaviour when a central wants to encrypt the link.
    public convenience init(
        twin: Twin, replay: TwinReplay = .once, isAdvertising: Bool = true, pairing: VirtualPairing = .justWorks
    ) {
        self.init(
            twin: twin, replay: replay, isAdvertising: isAdvertising, pairing: pairing,
            connection: VirtualConnection())
    }

    /// The same with other parameters of its connections, but for the MTU of a twin that has one.
    package convenience init(
        twin: Twin, replay: TwinReplay, isAdvertising: Bool, pairing: VirtualPairing, connection: VirtualConnection
    ) {
        var connection = connection
        if let mtu = twin.mtu { connection.maximumTransmissionUnit = mtu }
        self.init(
            name: twin.displayName ?? "Twin", address: twin.address?.text,
            proximity: Self.proximity(twin.advertisement?.rssi),
            advertising: twin.advertisement.map(VirtualAdvertising.init(twin:)), isAdvertising: isAdvertising,
            connection: connection, pairing: pairing, services: VirtualService.services(twin.services, replay))
        for channel in twin.channels {
            var channel = channel
            if replay == .never { channel.units = [] }
            publish(channel)
        }
    }

    private static func proximity(_ rssi: Int?) -> VirtualProximity {
        // A device that was captured once must be heard.
        rssi.map { .rssi(max($0, -110)) } ?? .near
    }
}

extension VirtualAdvertising {
    /// Creates the advertising of a twin.
    package init(twin: TwinAdvertisement) {
        self.init(
            interval: twin.interval ?? .milliseconds(100), data: twin.data, scanResponse: twin.scanResponse,
            isConnectable: twin.isConnectable)
    }
}

extension VirtualService {
    /// Returns the services of a twin without those of the stack, each made behind the services that it includes.
    package static func services(_ twins: [TwinService], _ replay: TwinReplay = .never) -> [VirtualService] {
        let order = IncludeOrder(twins) { !$0.isOfStack }
        let rules = TwinRules(twins)
        var made = [VirtualService?](repeating: nil, count: twins.count)
        var responders: [TwinResponder] = []
        for index in order.indices {
            let service = twins[index]
            made[index] = VirtualService(
                service.uuid, isPrimary: service.isPrimary, handle: service.handle,
                includedServices: order.includes[index].compactMap { made[$0] },
                characteristics: service.characteristics.enumerated().map { number, characteristic in
                    let place = TwinRules.Place(service: index, characteristic: number)
                    let responder = rules.has(place) ? TwinResponder(rules, place) : nil
                    if let responder { responders.append(responder) }
                    return VirtualCharacteristic(twin: characteristic, replay, responder)
                })
        }
        for responder in responders { responder.attach(to: made) }
        return made.compactMap { $0 }
    }
}

extension VirtualCharacteristic {
    fileprivate convenience init(twin: TwinCharacteristic, _ replay: TwinReplay, _ responder: TwinResponder?) {
        let player = TwinPlayer(twin.notifications, replay)
        self.init(
            twin.uuid, properties: twin.properties, permissions: twin.permissions, value: twin.value ?? [],
            descriptors: twin.descriptors.map { VirtualDescriptor($0.uuid, value: $0.value ?? []) },
            onWrite: { characteristic, value in
                responder?.written(value, to: characteristic)
                return .success(())
            },
            onSubscribe: { characteristic, isOn in
                isOn ? player.start(on: characteristic) : player.stop(on: characteristic)
                return .success(())
            })
    }
}

/// Sends the values of a characteristic while there are subscriptions.
private final class TwinPlayer: Sendable {
    private struct State {
        /// A step of a replay that has ended finds another number here.
        var run: UInt64 = 0
        var isPlaying = false
    }

    private let notifications: [TwinNotification]
    private let replay: TwinReplay
    private let state = Locked(State())

    init(_ notifications: [TwinNotification], _ replay: TwinReplay) {
        self.notifications = replay == .never ? [] : notifications
        self.replay = replay
    }

    /// A central has subscribed. A central that subscribes while another is served joins in.
    func start(on characteristic: VirtualCharacteristic) {
        guard !notifications.isEmpty else { return }
        // The count does not have the new subscription yet.
        let isFirst = characteristic.subscriptionCount == 0
        let run = state.withLock { state -> UInt64? in
            if state.isPlaying, !isFirst { return nil }
            state.isPlaying = true
            state.run += 1
            return state.run
        }
        if let run { play(0, after: notifications[0].after, run, on: characteristic) }
    }

    /// A central is not subscribed any more; the last one ends the replay.
    func stop(on characteristic: VirtualCharacteristic) {
        // The count still has the subscription that ends.
        guard characteristic.subscriptionCount <= 1 else { return }
        state.withLock { state in
            state.isPlaying = false
            state.run += 1
        }
    }

    private func play(_ index: Int, after delay: Duration, _ run: UInt64, on characteristic: VirtualCharacteristic) {
        characteristic.schedule(after: max(delay, .zero)) { [self] in
            guard state.withLock({ $0.isPlaying && $0.run == run }) else { return }
            // The end of a lost link is not reported to the handler of subscriptions.
            guard characteristic.subscriptionCount > 0 else { return stop(on: characteristic) }
            characteristic.update(notifications[index].value)
            if index + 1 < notifications.count {
                let gap = notifications[index + 1].after - notifications[index].after
                play(index + 1, after: gap, run, on: characteristic)
            } else if replay == .repeating {
                play(0, after: max(notifications[0].after, .milliseconds(1)), run, on: characteristic)
            } else {
                state.withLock { $0.isPlaying = false }
            }
        }
    }
}
