// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

// Subscribers that leave, and those that the daemon does not name: whether such are there.
//
// The daemon keeps the subscriptions of a bonded central (`att_disconnected` in `src/gatt-database.c`). It calls
// nothing when that one is back, not even when it subscribes again, as that changes nothing (`gatt_ccc_write_cb`).
// Values sent until then are lost.
extension BlueZPeripheralBackend {
    /// How long after a link's end the daemon may need to know the remaining links.
    private static let settlingTime = Duration.milliseconds(200)
    /// How long after a link begins the daemon may need to send something over it, where it does not say that it can.
    private static let arrivalTime = Duration.seconds(1)

    /// A central left. Before 5.76 one socket serves all centrals, and only the first is named: when that one leaves
    /// and the socket stays, it still serves the others.
    func subscriberLeft(_ device: String) {
        takeArrival(of: device)
        let isKept = isBonded(device) && limits.withLock { $0.sockets } != .single
        for (attribute, notifier) in notifiers {
            notifier.left(device, isKept: isKept)
            for socket in notifier.sockets where socket.device == device {
                let number = socket.number
                after(Self.settlingTime) { $0.unname(attribute, number, device) }
            }
            reviewUnnamed(attribute)
        }
        releaseForgotten()
    }

    private func unname(_ attribute: AttributeID, _ number: Int, _ device: String) {
        guard let notifier = notifiers[attribute], let socket = notifier.socket(number), socket.device == device,
            !isConnected(device)
        else { return }
        notifier.unname(number)
        emit(.unsubscribed(attribute, socket.central))
        reviewUnnamed(attribute)
    }

    /// A central came, of which the daemon may have kept subscriptions. Before it has the link's ATT bearer, it sends
    /// nothing, and drops the values it gets; when it has read the central's services, it has one.
    func subscriberCame(_ device: String) {
        let concerned = notifiers.filter { $1.servesUnnamed || $1.returning.contains(device) }
        if concerned.isEmpty { return }
        let limit = after(Self.arrivalTime) { $0.finishArrival(of: device) }
        arrivals[device]?.limit.cancel()
        // For a central without a bond no subscription was kept, so the values went to others.
        let awaited = isBonded(device) ? concerned.compactMapValues(\.awaited) : [:]
        arrivals[device] = Arrival(attributes: Array(concerned.keys), awaited: awaited, limit: limit)
        if areServicesResolved(device) { finishArrival(of: device) }
    }

    /// The daemon sends to a central that came, or should by now. That central may have been away, though another
    /// device stood for it: an indication that was sent meanwhile was lost, and the values behind it can be sent.
    func finishArrival(of device: String) {
        guard let arrival = takeArrival(of: device) else { return }
        for attribute in arrival.attributes {
            let hadUnnamed = notifiers[attribute]?.hasUnnamed ?? false
            reviewUnnamed(attribute)
            guard let notifier = notifiers[attribute], hadUnnamed, notifier.hasUnnamed else { continue }
            if let awaited = arrival.awaited[attribute], notifier.awaited == awaited {
                confirm(notifier, .failure(.disconnected))
                emitAnswers()
            }
            emit(.subscribed(attribute, .allSubscribers))
        }
    }

    @discardableResult
    private func takeArrival(of device: String) -> Arrival? {
        let arrival = arrivals.removeValue(forKey: device)
        arrival?.limit.cancel()
        return arrival
    }

    /// The socket of a central has closed, at the end of its subscription or of its link. In the second case the daemon
    /// has taken note of the link's end before it closed the socket, as hang-ups have a lower priority in its main loop
    /// (`src/shared/io-glib.c`), be its signal on the way or not.
    func expectEnd(of device: String, _ attribute: AttributeID, _ notifier: Notifier) {
        guard isBonded(device), isConnected(device) else { return }
        let event = notifier.closed(device)
        let property = [BlueZInterface.device, Device1.connected.name].map(DBusValue.string)
        call(StandardInterface.properties, "Get", property, at: device) { backend, answer in
            if case .success(let message) = answer, (try? message.body()) == [.variant(.bool(false))] { return }
            backend.notifiers[attribute]?.unsubscribed(device, event)
            backend.forgetIfEmpty(attribute)
        }
    }

    // MARK: Forgotten centrals

    /// The daemon does not know a device any more, but keeps the subscriptions that it had while it was bonded.
    func subscriberForgotten(_ device: String, wasBonded: Bool) {
        takeArrival(of: device)
        for (attribute, notifier) in notifiers where notifier.maySubscribe(device, isBonded: wasBonded) {
            notifier.forget(device)
            reviewUnnamed(attribute)
        }
        releaseForgotten()
    }

    /// Makes the daemon drop the subscriptions of devices that it no longer knows, as it does when it has a value for
    /// them. When a service is removed before that, the daemon looks at them in memory that it has freed, and may crash
    /// (`service_free`, then `clear_ccc_state` in `src/gatt-database.c`). With them it ends the sockets of others
    /// (`match_client_att`), and the value goes to every subscriber: so it waits until no device is connected.
    private func releaseForgotten() {
        if hasConnectedDevice() { return }
        for (attribute, notifier) in notifiers where notifier.takeForgotten() {
            // Without a bus there is no daemon to have it.
            try? signal([], at: notifier.path)
            forgetIfEmpty(attribute)
        }
    }

    // MARK: Subscribers without a name

    /// Reports to the manager when subscribers without a name are there, and when they are not any more.
    ///
    /// - Parameters:
    ///   - attribute: The characteristic.
    ///   - isPresent: Whether such a subscriber is certainly connected.
    func reviewUnnamed(_ attribute: AttributeID, isPresent: Bool = false) {
        guard let notifier = notifiers[attribute] else { return }
        // A central that has only just come gets nothing yet, and is no subscriber; one that is a subscriber stays one.
        let arriving = notifier.hasUnnamed ? [] : Set(arrivals.keys)
        let isServed = notifier.servesUnnamed && (isPresent || hasConnectedDevice(besides: arriving))
        let isBack = notifier.returning.subtracting(arriving).contains(where: isConnected)
        let hasUnnamed = watch.state == .poweredOn && (isServed || isBack)
        if hasUnnamed != notifier.hasUnnamed {
            notifier.hasUnnamed = hasUnnamed
            if !hasUnnamed { confirm(notifier, .failure(.disconnected)) }
            emit(hasUnnamed ? .subscribed(attribute, .allSubscribers) : .unsubscribed(attribute, .allSubscribers))
        }
        forgetIfEmpty(attribute)
    }

    // MARK: Devices

    func isConnected(_ device: String) -> Bool {
        session?.tree[device, BlueZInterface.device].map { DeviceFacts($0).isConnected } ?? false
    }

    func isBonded(_ device: String) -> Bool {
        session?.tree[device, BlueZInterface.device].map { DeviceFacts($0).isBonded } ?? false
    }

    private func areServicesResolved(_ device: String) -> Bool {
        session?.tree[device, BlueZInterface.device].map { DeviceFacts($0).areServicesResolved } ?? false
    }

    private func hasConnectedDevice(besides others: Set<String> = []) -> Bool {
        guard let session, let path = watch.path else { return false }
        return session.tree.hasConnectedDevice(below: path, besides: others)
    }
}

/// A central that came, until the daemon can send something to it.
struct Arrival {
    /// The characteristics that it may be subscribed to.
    let attributes: [AttributeID]
    /// Those of their indications that had been sent before the central came.
    let awaited: [AttributeID: RequestID]
    let limit: ClockTimer
}
#endif
