// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
public import BlueCapVirtual

extension VirtualRadio {
    /// Puts a twin into the air as a virtual peripheral.
    ///
    /// ```swift
    /// let lamp = radio.add(twin: try Twin(json: json))
    /// ```
    ///
    /// It has the twin's address and advertisements, and has its database without Generic Access and Generic Attribute,
    /// each service at its handle where that is free. It keeps the values that are written to it. Once a central
    /// subscribes, the characteristic's notifications are sent on the radio's clock, until the last subscription ends;
    /// its value follows them.
    ///
    /// It is heard as strongly as the twin was, but with -110 dBm or more, the least that virtual radios receive. An
    /// address that another peripheral of the radio has is replaced.
    ///
    /// - Parameters:
    ///   - twin: The device.
    ///   - replay: How the values that it notified are sent again.
    /// - Returns: The peripheral, in the air.
    @discardableResult
    public func add(twin: Twin, replay: TwinReplay = .once) -> VirtualPeripheral {
        let isTaken = peripherals.contains { $0.identifier == twin.address }
        let peripheral = VirtualPeripheral(
            twin: isTaken ? twin.withoutAddress : twin, replay: replay)
        add(peripheral)
        return peripheral
    }
}

extension Twin {
    fileprivate var withoutAddress: Twin {
        var copy = self
        copy.address = nil
        return copy
    }
}

extension VirtualPeripheral {
    /// Creates a peripheral that is a twin; see `VirtualRadio.add(twin:replay:)`.
    ///
    /// - Parameters:
    ///   - twin: The device.
    ///   - replay: How the values that it notified are sent again.
    public convenience init(twin: Twin, replay: TwinReplay = .once) {
        let name = twin.displayName ?? "Twin"
        var connection = VirtualConnection()
        if let mtu = twin.mtu { connection.maximumTransmissionUnit = mtu }
        let services = TwinServices(twin, replay).services
        self.init(
            name: name, address: twin.address?.text, proximity: Self.proximity(twin.advertisement?.rssi),
            advertising: twin.advertisement.map(VirtualAdvertising.init(twin:)), connection: connection,
            services: services)
    }

    private static func proximity(_ rssi: Int?) -> VirtualProximity {
        // A device that was captured once must be heard.
        rssi.map { .rssi(max($0, -110)) } ?? .near
    }
}

extension VirtualAdvertising {
    fileprivate init(twin: TwinAdvertisement) {
        self.init(
            interval: twin.interval ?? .milliseconds(100), data: twin.data, scanResponse: twin.scanResponse,
            isConnectable: twin.isConnectable)
    }
}

/// The services of a twin as virtual ones.
private struct TwinServices {
    let services: [VirtualService]

    init(_ twin: Twin, _ replay: TwinReplay) {
        let order = IncludeOrder(twin.services) { !$0.isOfStack }
        var made = [VirtualService?](repeating: nil, count: twin.services.count)
        for index in order.indices {
            let service = twin.services[index]
            made[index] = VirtualService(
                service.uuid, isPrimary: service.isPrimary, handle: service.handle,
                includedServices: order.includes[index].compactMap { made[$0] },
                characteristics: service.characteristics.map { Self.characteristic($0, replay) })
        }
        services = made.compactMap { $0 }
    }

    private static func characteristic(_ twin: TwinCharacteristic, _ replay: TwinReplay) -> VirtualCharacteristic {
        let player = TwinPlayer(twin.notifications, replay)
        return VirtualCharacteristic(
            twin.uuid, properties: twin.properties, permissions: twin.permissions, value: twin.value ?? [],
            descriptors: twin.descriptors.map { VirtualDescriptor($0.uuid, value: $0.value ?? []) },
            onSubscribe: { characteristic, isOn in
                isOn ? player.start(on: characteristic) : player.stop(on: characteristic)
                return .success(())
            })
    }
}

extension TwinService {
    /// Whether platforms have it by themselves.
    fileprivate var isOfStack: Bool { uuid == .genericAccess || uuid == .genericAttribute }
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
