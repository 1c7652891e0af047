// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
import BlueCapCore
import BlueCapRuntime

@testable import BlueCapGateway

extension DeviceLifeTests {
    /// A life, with the gateway that it is part of.
    struct Subject {
        private static let device = PeerIdentifier("A4:C1:38:00:00:01")
        private static let rssi = -60
        private static let heard = GatewayRule.Subject(
            identifier: device, name: "Cellar", services: [], isEncrypted: false)

        private var life = DeviceLife(Self.device)
        private var time = Duration.zero

        /// - Parameter way: The names of the events that lead to a state.
        init(_ way: [String]) throws {
            for name in way { _ = take(try Case.named(name)) }
            // The first value of a connection has had its time, and states still hold.
            time += .seconds(6)
        }

        var description: String { life.description }

        /// Takes an event, and returns the machine's actions in words.
        mutating func take(_ event: Case) -> [String] {
            time += Self.wait(before: event.event)
            let moment = DeviceLife.Moment(
                time: time, date: Timestamp(sinceEpoch: time), isOwner: event.isOwner,
                pace: DevicePace(shortest: .seconds(1), longest: .seconds(60)))
            return actions(event.event, moment).map(Self.word)
        }

        private static func wait(before event: Event) -> Duration {
            switch event {
            case .heardAgain: .seconds(1)
            case .heardOther, .heardOtherKind: .seconds(2)
            case .tickAfterLongest: .seconds(61)
            case .unheard, .unheardWithoutRadio: .seconds(101)
            case .tickAfterExpiry, .gainedAfterExpiry, .unheardAfterExpiry: .seconds(181)
            default: .zero
            }
        }

        private mutating func actions(_ event: Event, _ moment: DeviceLife.Moment) -> [DeviceLife.Action] {
            let limit = Duration.seconds(100)
            return switch event {
            case .sighted: life.sighted(rssi: Self.rssi, isFrame: false)
            case .sightedWithFrame: life.sighted(rssi: Self.rssi, isFrame: true)
            case .heard: hear(20, "°C", moment)
            case .heardOther: hear(21, "°C", moment)
            case .heardOtherKind: hear(20, "°F", moment)
            case .heardAgain: life.heardAgain(rssi: Self.rssi, at: moment)
            case .pressed: press(moment)
            case .pressedTwice: press(moment) + press(moment)
            case .pressedByOther: life.pressedElsewhere(Self.press, at: moment) + press(moment)
            case .linked: life.linked(at: moment)
            case .unlinked: life.unlinked(at: moment)
            case .stayedLinked: life.stayedLinked(at: moment)
            case .radioLost: life.radioLost(at: moment)
            case .radioReturned: life.radioReturned(at: moment)
            case .tick, .tickAfterLongest, .tickAfterExpiry: life.tick(at: moment)
            case .lostByBroker: life.lostByBroker(isShared: false, at: moment)
            case .lostBySharedBroker: life.lostByBroker(isShared: true, at: moment)
            case .keepingLostByBroker:
                Self.after(rule(moment) { $0.keepsValues = true }, life.lostByBroker(isShared: false, at: moment))
            case .presentRadioLost: Self.after(present(moment), life.radioLost(at: moment))
            case .presentTickAfterExpiry: Self.after(present(moment), life.tick(at: Self.later(moment)))
            case .heardPresent: hear(20, "°C", moment) { $0.times.presence = .seconds(30) }
            case .heardAbsent:
                Self.after(
                    hear(20, "°C", moment) { $0.times.presence = .seconds(300) }, hear(20, "°C", Self.later(moment)))
            case .ruledAbsent: Self.after(present(moment), rule(moment) { _ in })
            case .ruledEnding:
                Self.after(hear(20, "°C", moment) { $0.keepsValues = true }, rule(moment) { _ in })
            case .ruledTheSame: rule(moment) { _ in }
            case .ruled: rule(moment) { $0.name = "Freezer" }
            case .narrowed: rule(moment) { $0.values = ["temperature"] }
            case .emptied: rule(moment) { $0.values = ["battery"] }
            case .ruledHidden: rule(moment) { $0.isPublished = false }
            case .unreadable: rule(moment, isReadable: false) { _ in }
            case .disconnectable: life.disconnectable()
            case .hidden: life.hidden(Self.outlook(), at: moment)
            case .hiddenForGood: life.hidden(Self.outlook(mayBePublished: false), at: moment)
            case .hiddenWithoutRoom: life.hidden(Self.outlook(hasRoom: false), at: moment)
            case .excluded: life.excluded(at: moment)
            case .displaced: life.displaced(Self.outlook(), at: moment)
            case .gained, .gainedAfterExpiry: life.gained(isRadioOn: true, Self.outlook(), at: moment)
            case .gainedWithoutRoom: life.gained(isRadioOn: true, Self.outlook(hasRoom: false), at: moment)
            case .gainedWithoutRadio: life.gained(isRadioOn: false, Self.outlook(), at: moment)
            case .lost: life.lost()
            case .foundNone: find(.none, moment)
            case .foundOffline: find(.offline, moment)
            case .foundOnline: find(.online, moment)
            case .foundUnreadable: find(.unreadable, moment)
            case .foundOnlineAsOwner: life.found(.online, isOwn: true, Self.outlook(), at: moment)
            case .foundOfflineForNoRule:
                life.found(.offline, isOwn: moment.isOwner, Self.outlook(mayBePublished: false), at: moment)
            case .foundEarlierOffline: life.foundOfEarlierRun(.offline, Self.outlook(), at: moment)
            case .foundEarlierOnline: life.foundOfEarlierRun(.online, Self.outlook(), at: moment)
            case .foundEarlierPresent:
                life.foundOfEarlierRun(.online, Self.outlook(patience: .seconds(120)), at: moment)
            case .foundEarlierWithoutRoom: life.foundOfEarlierRun(.online, Self.outlook(hasRoom: false), at: moment)
            case .foundEarlierForNoRule:
                life.foundOfEarlierRun(.online, Self.outlook(mayBePublished: false), at: moment)
            case .connectionBegan: life.connectionBegan()
            case .unheardSoon, .unheard, .unheardAfterExpiry: life.unheard(for: limit, isRadioOn: true, at: moment)
            case .unheardWithoutRadio: life.unheard(for: limit, isRadioOn: false, at: moment)
            }
        }

        private mutating func hear(
            _ temperature: Double, _ unit: String, _ moment: DeviceLife.Moment,
            _ change: (inout GatewayRule) -> Void = { _ in }
        ) -> [DeviceLife.Action] {
            var rule = GatewayRule()
            change(&rule)
            let values = [("temperature", temperature), ("humidity", 50)].map { key, value in
                Measurement(key: key, name: key, kind: EntityKind(unit: unit), value: .number(value))
            }
            return life.heard(values, of: Self.heard, by: rule, rssi: Self.rssi, at: moment)
        }

        /// The actions of the second event alone.
        private static func after(
            _ first: [DeviceLife.Action], _ second: [DeviceLife.Action]
        ) -> [DeviceLife.Action] { second }

        private mutating func present(_ moment: DeviceLife.Moment) -> [DeviceLife.Action] {
            rule(moment) { $0.times.presence = .seconds(300) }
        }

        /// A moment at which another device would have been silent for too long.
        private static func later(_ moment: DeviceLife.Moment) -> DeviceLife.Moment {
            var moment = moment
            moment.time += .seconds(200)
            return moment
        }

        private static let press = PressLog.Heard(press: SensorEvent(.button, 1, .press), number: 7)

        private mutating func press(_ moment: DeviceLife.Moment) -> [DeviceLife.Action] {
            let button = PressLog.Entry(key: Self.press.press.key, press: Self.press.press)
            return life.pressed([button], number: Self.press.number, isOld: false, at: moment)
        }

        private mutating func rule(
            _ moment: DeviceLife.Moment, isReadable: Bool = true, _ change: (inout GatewayRule) -> Void
        ) -> [DeviceLife.Action] {
            var rule = GatewayRule()
            change(&rule)
            return life.ruled(by: rule, isReadable: isReadable, isSamePace: true, Self.outlook(), at: moment)
        }

        private mutating func find(
            _ availability: DeviceLife.KeptAvailability, _ moment: DeviceLife.Moment
        ) -> [DeviceLife.Action] {
            life.found(availability, isOwn: moment.isOwner, Self.outlook(), at: moment)
        }

        private static func outlook(
            mayBePublished: Bool = true, hasRoom: Bool = true, patience: Duration? = nil
        ) -> DeviceLife.Outlook {
            DeviceLife.Outlook(mayBePublished: mayBePublished, hasRoom: hasRoom, patience: patience)
        }

        private static func word(of action: DeviceLife.Action) -> String {
            switch action {
            case .describe: "describe"
            case .publishAvailability(let isAvailable): isAvailable ? "online" : "offline"
            case .publishState: "state"
            case .publishPress: "press"
            case .remove: "remove"
            case .claim(let rssi): rssi == nil ? "claim without strength" : "claim"
            case .release: "release"
            case .seekOwner(let isNeeded): isNeeded ? "seek owner" : "seek none"
            case .report: "report"
            }
        }
    }
}
#endif
