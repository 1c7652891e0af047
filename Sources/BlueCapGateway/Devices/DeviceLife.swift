// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapCore

/// The state machine of one device of a gateway, from its first packet until nothing is left of it on the broker.
///
/// Only a gateway that owns the device publishes anything of it; its values are kept also without that.
///
/// A life is a value that knows neither the broker nor the clock. Each method takes an event and returns the actions
/// for it, in their order.
struct DeviceLife {
    /// The last level of its topics.
    let topicLevel: String
    private var stage = Stage.unknown
    /// There in the stages `silent` and `available`.
    private(set) var values: DeviceValues?
    private var published = Description.due
    /// Whether it is connected, and is to stay so.
    private(set) var isLinked = false
    /// The last strength of a device that a rule connects to.
    private(set) var strength: Int?
    /// Since when this gateway owns it and does not hear it.
    private var unheardSince: Duration?
    /// When an entity was of another platform the last time; nil for never.
    private var otherPlatformAt: Duration?
    private var presses = PressLog()
    /// The buttons that Home Assistant knows, as far as this gateway has described them.
    private var describedButtons: Set<String> = []
    /// The entities beside those of its values that this gateway has described.
    private var describedAdditions: DeviceValues.Additions = []
    /// When presses may be published: Home Assistant or the gateways of the group need time before.
    private var pressesAt = Duration.zero

    /// Home Assistant subscribes within this time to the topic of a device that is described.
    private static let timeOfDescription = Duration.seconds(1)
    /// A device whose entities stay of a platform for less than this changes them all the time.
    private static let timeOfPlatform = Duration.seconds(60)
    /// The owner of before has published the presses that it heard within this time.
    private static let timeOfHandover = Duration.milliseconds(500)

    init(_ device: PeerIdentifier) { topicLevel = TopicText.device(device.text) }

    /// Whether nothing is to be known of it.
    var isOver: Bool { stage == .unknown && !isLinked && strength == nil && unheardSince == nil }

    var isKept: Bool { stage == .kept }

    /// Whether it waits for a packet, as a device that this gateway owns and does not hear.
    var isUnheard: Bool { unheardSince != nil }

    /// Whether a press waits to be published.
    var hasPresses: Bool { presses.isWaiting }

    /// Whether the values are so old that other gateways may take the device, at a moment that is soon.
    func isOutdated(at moment: Moment) -> Bool {
        guard let values else { return false }
        // A device that is not available may be another gateway's: values of before are not worth a claim.
        return stage == .available
            ? values.isOver(moment.pace, at: moment.time) : values.isSilent(moment.pace, at: moment.time)
    }

    // MARK: Packets

    /// It was seen, and a rule connects to it.
    ///
    /// - Parameter isFrame: Whether the packet has a frame, which comes next.
    mutating func sighted(rssi: Int?, isFrame: Bool) -> [Action] {
        strength = rssi
        return isFrame ? [] : [.claim(rssi: rssi)]
    }

    /// Values of it have come, in a packet or over a connection.
    mutating func heard(
        _ heard: [Measurement], of subject: GatewayRule.Subject, by rule: GatewayRule?, rssi: Int?, at moment: Moment
    ) -> [Action] {
        if values == nil {
            values = DeviceValues(subject, rule, at: moment.time)
            stage = .silent
            published = .due
        }
        let old = values?.subject
        let hasOtherPlatform = takePlatforms(of: heard, at: moment)
        let isOther = values?.hear(
            heard, of: subject, by: rule, rssi: rssi, moment.pace, at: moment.time, on: moment.date)
        let additions = values?.additions ?? []
        let isReduced = !describedAdditions.isSubset(of: additions) && subject.hasFrames(of: old)
        // Home Assistant would keep the entity of the other platform beside the new one.
        let isNarrowed = isReduced || hasOtherPlatform
        if isOther == true || isNarrowed || !additions.isSubset(of: describedAdditions) {
            outdateDescription(isNarrowed: isNarrowed, at: moment)
        }
        return announce(at: moment) + [.claim(rssi: rssi)]
    }

    /// Whether an entity is of another platform now. Where that changes all the time, the entities stay as they are.
    private mutating func takePlatforms(of heard: [Measurement], at moment: Moment) -> Bool {
        guard values?.hasOtherPlatform(than: heard) == true else { return false }
        defer { otherPlatformAt = moment.time }
        return otherPlatformAt.map { moment.time - $0 > Self.timeOfPlatform } ?? true
    }

    /// A packet without new values has come: the device is there.
    mutating func heardAgain(rssi: Int?, at moment: Moment) -> [Action] {
        if values == nil { return [] }
        values?.hearAgain(rssi: rssi, at: moment.time)
        return setAvailable(true, at: moment) + [.claim(rssi: rssi)]
    }

    // MARK: Presses

    /// A frame with buttons has come, whose values were heard before.
    ///
    /// - Parameters:
    ///   - buttons: The buttons with their presses.
    ///   - number: The number of the packet, or the counter of the frame.
    ///   - isOld: Whether the device may have sent the frame for long.
    mutating func pressed(
        _ buttons: [PressLog.Entry], number: UInt64?, isOld: Bool, at moment: Moment
    ) -> [Action] {
        if values == nil { return [] }
        presses.take(buttons, number: number, isOld: isOld, at: moment.time)
        // Home Assistant has to know a new button before its first press, however far apart the states are.
        let isNew = stage == .available && values?.buttons.isSubset(of: describedButtons) == false
        return (isNew ? publish(at: moment) : []) + publishPresses(at: moment)
    }

    /// Another gateway of the group has published a press.
    mutating func pressedElsewhere(_ press: PressLog.Heard, at moment: Moment) -> [Action] {
        if values != nil { presses.take(published: press, at: moment.time) }
        return []
    }

    /// Publishes the presses whose time has come. A press that no gateway could publish soon enough is forgotten.
    mutating func publishPresses(at moment: Moment) -> [Action] {
        guard moment.isOwner, stage == .available, moment.time >= pressesAt else {
            presses.expire(at: moment.time)
            return []
        }
        return presses.takeWaiting(at: moment.time).map { .publishPress($0) }
    }

    // MARK: Connections

    /// It is connected, and is to stay so.
    mutating func linked(at moment: Moment) -> [Action] {
        isLinked = true
        values?.link(at: moment.time)
        return heardAgain(rssi: strength, at: moment)
    }

    mutating func unlinked(at moment: Moment) -> [Action] {
        isLinked = false
        return setAvailable(false, at: moment)
    }

    /// A second of its connection has passed, which counts as a packet.
    mutating func stayedLinked(at moment: Moment) -> [Action] {
        guard isLinked else { return [] }
        values?.hearAgain(rssi: strength, at: moment.time)
        return announce(at: moment) + [.claim(rssi: strength)]
    }

    // MARK: The radio and the time

    /// The radio is gone. A connection ends by itself then, and a device whose presence is published has the time of
    /// its rule.
    mutating func radioLost(at moment: Moment) -> [Action] {
        isLinked || values?.rule?.times.presence != nil ? [] : setAvailable(false, at: moment)
    }

    /// The radio is back. A device that is read comes back at its next reading, which may be far away.
    mutating func radioReturned(at moment: Moment) -> [Action] {
        values?.rule?.connection?.patience == nil || !isCurrent(at: moment) ? [] : announce(at: moment)
    }

    /// A second has passed.
    mutating func tick(at moment: Moment) -> [Action] {
        guard let values else { return [] }
        // The return of a device that is not available publishes all of it; until then its values are old.
        let actions = stage == .available ? publishIfDue(at: moment) : []
        return values.isSilent(moment.pace, at: moment.time) ? actions + setAvailable(false, at: moment) : actions
    }

    /// All is to be published again.
    ///
    /// - Parameter isShared: Whether another gateway may have published newer values of a device that is silent here.
    mutating func lostByBroker(isShared: Bool, at moment: Moment) -> [Action] {
        guard moment.isOwner, values != nil, stage == .available || !isShared else { return [] }
        outdateDescription(isNarrowed: false, at: moment)
        describedButtons = []
        let description = describe(at: moment)
        // The broker has forgotten values whose time was over.
        let state = stage == .available || values?.keepsValues == true ? publishState(at: moment) : []
        return description + [.publishAvailability(stage == .available)] + state
    }

    // MARK: Rules

    /// The rules have changed.
    ///
    /// - Parameters:
    ///   - rule: The rule that fits it now.
    ///   - isReadable: Whether its frames are read by the keys of the rules.
    ///   - isSamePace: Whether the times of the plan have stayed the same.
    mutating func ruled(
        by rule: GatewayRule?, isReadable: Bool, isSamePace: Bool, _ outlook: Outlook, at moment: Moment
    ) -> [Action] {
        guard let old = values else { return [] }
        guard rule?.isPublished != false, isReadable, !old.hasOtherCharacteristics(than: rule) else {
            return hidden(outlook, at: moment)
        }
        if old.rule == rule, isSamePace { return [] }
        values?.adopt(rule)
        if values?.measurements.isEmpty == true, rule?.times.presence == nil { return hidden(outlook, at: moment) }
        let isNarrowed = old.hasOtherValues(than: rule) || values?.additions.isSuperset(of: old.additions) == false
        outdateDescription(isNarrowed: isNarrowed, at: moment)
        // The name, or how long a state holds: the state of the broker may end before the next one comes.
        return publish(at: moment)
    }

    /// No rule connects to it.
    mutating func disconnectable() -> [Action] {
        strength = nil
        return []
    }

    /// Its rule does not publish it.
    mutating func hidden(_ outlook: Outlook, at moment: Moment) -> [Action] {
        if values == nil { return [] }
        let actions = withdraw(outlook, at: moment) + [.report]
        return outlook.mayBePublished ? actions : actions + excluded(at: moment)
    }

    /// No rule can publish it: its owner removes what the broker keeps of it.
    mutating func excluded(at moment: Moment) -> [Action] {
        guard stage == .kept else { return [] }
        guard moment.isOwner else { return [.seekOwner(true)] }
        stage = .unknown
        unheardSince = nil
        return [.remove, .release, .report]
    }

    /// Another device has taken its place.
    mutating func displaced(_ outlook: Outlook, at moment: Moment) -> [Action] {
        values == nil ? [] : withdraw(outlook, at: moment)
    }

    private mutating func withdraw(_ outlook: Outlook, at moment: Moment) -> [Action] {
        values = nil
        presses = PressLog()
        (describedButtons, describedAdditions) = ([], [])
        stage = !moment.isOwner && outlook.hasRoom ? .kept : .unknown
        unheardSince = nil
        return moment.isOwner ? [.remove, .release] : [.release]
    }

    // MARK: Owners

    /// This gateway owns it from now on.
    mutating func gained(isRadioOn: Bool, _ outlook: Outlook, at moment: Moment) -> [Action] {
        becomeKept(outlook)
        pressesAt = max(pressesAt, moment.time + Self.timeOfHandover)
        let actions = isRadioOn && isCurrent(at: moment) ? announce(at: moment) : []
        // A gateway whose signs of life are late announces nothing.
        if stage != .available { unheardSince = unheardSince ?? moment.time }
        return actions
    }

    /// This gateway does not own it any more.
    mutating func lost() -> [Action] {
        if stage == .available { stage = .silent }
        published = .due
        unheardSince = nil
        return []
    }

    /// The broker has sent the availability that it keeps.
    ///
    /// - Parameter isOwn: Whether the device is this gateway's, also while that publishes nothing.
    mutating func found(
        _ availability: KeptAvailability, isOwn: Bool, _ outlook: Outlook, at moment: Moment
    ) -> [Action] {
        if availability != .none { becomeKept(outlook) } else if stage == .kept { stage = .unknown }
        let mayBeAvailable = availability == .online || availability == .unreadable
        if mayBeAvailable, isOwn, stage != .available { unheardSince = unheardSince ?? moment.time }
        let isLeft = availability != .none && !outlook.mayBePublished
        // A gateway that was the owner may have said less, later.
        let isWrong = moment.isOwner && values != nil && availability != (stage == .available ? .online : .offline)
        return [.seekOwner(mayBeAvailable || isLeft)] + (isWrong ? [.publishAvailability(stage == .available)] : [])
    }

    /// The broker has sent the availability that an earlier run of a gateway without a group has published.
    mutating func foundOfEarlierRun(
        _ availability: KeptAvailability, _ outlook: Outlook, at moment: Moment
    ) -> [Action] {
        if values != nil { return [] }
        stage = .kept
        if !outlook.hasRoom || !outlook.mayBePublished { return excluded(at: moment) }
        if availability == .offline { return [] }
        // No device has gone away because the gateway was started again.
        if outlook.patience != nil {
            unheardSince = moment.time
            return []
        }
        return [.publishAvailability(false)]
    }

    /// A connection has begun, over which the broker sends again what it keeps.
    mutating func connectionBegan() -> [Action] {
        describedButtons = []
        // Another gateway may have published them while this one could not hear of it.
        presses.forgetWaiting()
        if stage == .kept { stage = .unknown }
        return []
    }

    /// A second has passed in which this gateway owned it and did not hear it.
    ///
    /// - Parameter limit: How long it may be available without that.
    mutating func unheard(for limit: Duration, isRadioOn: Bool, at moment: Moment) -> [Action] {
        guard let since = unheardSince, moment.time - since > limit, moment.isOwner else { return [] }
        unheardSince = nil
        let actions = isRadioOn && isCurrent(at: moment) ? announce(at: moment) : []
        return stage == .available ? actions : [.publishAvailability(false)]
    }

    private mutating func becomeKept(_ outlook: Outlook) {
        if stage == .unknown, outlook.hasRoom { stage = .kept }
    }

    // MARK: Publishing

    private func isCurrent(at moment: Moment) -> Bool {
        values.map { !$0.isSilent(moment.pace, at: moment.time) } ?? false
    }

    /// All of a device that was not available before, and else a state that is due.
    private mutating func announce(at moment: Moment) -> [Action] {
        guard moment.isOwner, values != nil else { return [] }
        if stage == .available { return publishIfDue(at: moment) }
        return describe(at: moment) + setAvailable(true, at: moment) + publishState(at: moment)
    }

    private mutating func publishIfDue(at moment: Moment) -> [Action] {
        let isOther = if case .published = published { false } else { true }
        let isDue = values?.isDue(isOther: isOther, moment.pace, at: moment.time) ?? false
        return isDue ? publish(at: moment) : []
    }

    private mutating func publish(at moment: Moment) -> [Action] {
        guard moment.isOwner else { return [] }
        let description = describe(at: moment)
        let isRemoved = description.first == .remove
        return description + (isRemoved ? [.publishAvailability(stage == .available)] : [])
            + publishState(at: moment)
    }

    private mutating func publishState(at moment: Moment) -> [Action] {
        values?.publish(at: moment.time)
        return [.publishState]
    }

    /// Describes it, unless Home Assistant has that description.
    private mutating func describe(at moment: Moment) -> [Action] {
        guard let expiry = values?.expiry(moment.pace) else { return [] }
        if case .published(let old) = published, old >= expiry { return [] }
        // Home Assistant keeps an entity that a description leaves out.
        let removal: [Action] = if case .narrowed = published { [.remove] } else { [] }
        if !removal.isEmpty { describedButtons = [] }
        published = .published(expiry: expiry)
        describedAdditions = values?.additions ?? []
        let buttons = values?.buttons ?? []
        if !buttons.isSubset(of: describedButtons) {
            describedButtons = buttons
            pressesAt = max(pressesAt, moment.time + Self.timeOfDescription)
        }
        return removal + [.describe]
    }

    /// Takes a change after which Home Assistant needs another description.
    ///
    /// - Parameter isNarrowed: Whether there are fewer entities.
    private mutating func outdateDescription(isNarrowed: Bool, at moment: Moment) {
        if case .narrowed = published { return }
        published = isNarrowed && moment.isOwner ? .narrowed : .due
    }

    private mutating func setAvailable(_ isAvailable: Bool, at moment: Moment) -> [Action] {
        guard moment.isOwner, stage == (isAvailable ? .silent : .available) else { return [] }
        stage = isAvailable ? .available : .silent
        return [.publishAvailability(isAvailable)]
    }
}

extension DeviceLife: CustomStringConvertible {
    /// Its stage, and whether it is linked or unheard.
    var description: String {
        let words = [stage.rawValue, isLinked ? "linked" : nil, isUnheard ? "unheard" : nil]
        return words.compactMap(\.self).joined(separator: " ")
    }
}
#endif
