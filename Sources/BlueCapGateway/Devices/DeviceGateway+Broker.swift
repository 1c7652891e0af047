// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore

/// The connection to the broker, with the messages that it keeps, and of other gateways of a group.
extension DeviceGateway {
    /// Takes a connection to the broker, which may have lost everything.
    package func brokerIsBack() {
        guard ownership.isShared else { return publishAgain() }
        publisher.beginConnection()
        connectionBegan()
        changeAll { life, _ in life.connectionBegan() }
        publish(plan.status(isOnline: true))
        act(on: ownership.connect(at: clock.elapsed))
    }

    /// Takes the loss of the broker: within a group no device is this gateway's until the broker has said so again.
    package func brokerIsLost() { act(on: ownership.disconnect()) }

    /// Takes a message of ``GatewayPlan/filters``.
    ///
    /// An availability that the broker has kept is of a device that an earlier run has published. The device is removed
    /// if no rule can publish it any more, and is not available until it is heard. Within a group its owner does that,
    /// which one of the gateways becomes, and which leaves the others time to hear it.
    package func find(_ message: BrokerMessage) {
        if ownership.isShared { return act(on: ownership.take(message)) }
        guard message.isRetained, !message.payload.isEmpty, let device = plan.device(available: message.topic)
        else { return }
        let outlook = outlook(of: device)
        change(device, isBeginning: true) {
            $0.foundOfEarlierRun(DeviceLife.KeptAvailability(message.payload), outlook, at: $1)
        }
    }

    // MARK: A group

    /// Publishes the claims and the sign of life that are due; to be called ten times a second within a group.
    package func tendGroup() {
        act(on: ownership.tend(at: clock.elapsed))
        publishPresses()
    }

    /// The topics of a group that the broker has accepted and does not send; nil where it does.
    package var unansweredFilter: String? { ownership.unansweredFilter }

    /// How many messages were not of a gateway, or of too many; nil without a group.
    package var ignoredMessages: Int? { ownership.ignoredCount }

    func act(on effects: [GatewayGroup.Effect]) {
        for effect in effects {
            switch effect {
            case .publish(let message): publish(message)
            case .gained(let device):
                let (outlook, isRadioOn) = (outlook(of: device), isRadioOn)
                change(device, isBeginning: true) { $0.gained(isRadioOn: isRadioOn, outlook, at: $1) }
            case .lost(let device): change(device) { life, _ in life.lost() }
            case .pressed(let device, let press): take(press, of: device)
            case .availability(let device, let payload):
                let (outlook, isOwn) = (outlook(of: device), ownership.isOwn(device))
                change(device, isBeginning: true) {
                    $0.found(DeviceLife.KeptAvailability(payload), isOwn: isOwn, outlook, at: $1)
                }
            }
        }
    }

    /// Publishes that devices are not available which this gateway owns, and does not hear, and removes those that no
    /// rule can publish.
    func tickInGroup() {
        excludeKept(isOwn: true)
        // The values of a device with a connection do not come with its packets: they are no older where these are
        // missed.
        for device in lives.devices where plan.rules.connections[device] == nil {
            let isOutdated = lives[device]?.isOutdated(at: moment(of: device, after: Ownership.grace)) == true
            if isOutdated { ownership.deafen(to: device) }
        }
        if isRadioGone { changeAll { $0.radioLost(at: $1) } }
    }

    /// Publishes that devices are not available which were to be heard by now.
    func tickUnheard() {
        let isRadioOn = isRadioOn
        for device in lives.devices(where: \.isUnheard) {
            let limit = max(plan.pace.expiry, plan.rules.patience(with: device) ?? .zero)
            change(device) { $0.unheard(for: limit, isRadioOn: isRadioOn, at: $1) }
        }
    }
}
#endif
