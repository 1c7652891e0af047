// SPDX-License-Identifier: MIT

#if Gateway
import BlueCapBeacon
import BlueCapCore
import BlueCapProfiles
import BlueCapRuntime
import Testing

@testable import BlueCapGateway

/// The actions of a device's life, and its next state, for each state and each event.
@Suite("The life of a device", .timeLimit(.minutes(60)))
struct DeviceLifeTests {
    private typealias Measurement = BlueCapGateway.Measurement

    enum Event: String, CaseIterable {
        case sighted
        case sightedWithFrame = "sighted with frame"
        /// The values of before have come.
        case heard
        /// Another value has come, two seconds later.
        case heardOther = "heard other"
        /// A value of another kind has come, two seconds later.
        case heardOtherKind = "heard other kind"
        case heardAgain = "heard again"
        case pressed
        /// The frame of a press has come twice.
        case pressedTwice = "pressed twice"
        /// The frame has come after the message of another gateway about it.
        case pressedByOther = "pressed by other"
        case linked
        case unlinked
        case stayedLinked = "stayed linked"
        case radioLost = "radio lost"
        case radioReturned = "radio returned"
        case tick
        /// The longest time between two states is over.
        case tickAfterLongest = "tick after longest"
        /// The state does not hold any more.
        case tickAfterExpiry = "tick after expiry"
        case lostByBroker = "lost by broker"
        case lostBySharedBroker = "lost by shared broker"
        /// Its rule keeps its values.
        case keepingLostByBroker = "keeping lost by broker"
        /// Its rule publishes its presence.
        case presentRadioLost = "present radio lost"
        case presentTickAfterExpiry = "present tick after expiry"
        /// A rule has come that publishes its presence, by a name or a service that came late.
        case heardPresent = "heard present"
        /// The rule of the next packet does not.
        case heardAbsent = "heard absent"
        /// The rule publishes its presence no more.
        case ruledAbsent = "ruled absent"
        /// The rule keeps its values no more.
        case ruledEnding = "ruled ending"
        case ruledTheSame = "ruled the same"
        /// The rule has another name.
        case ruled
        /// The rule names one of the two values.
        case narrowed
        /// The rule names neither of them.
        case emptied
        case ruledHidden = "ruled hidden"
        case unreadable
        case disconnectable
        case hidden
        /// Its rule does not publish it, nor can another one.
        case hiddenForGood = "hidden for good"
        case hiddenWithoutRoom = "hidden without room"
        case excluded
        case displaced
        case gained
        case gainedWithoutRoom = "gained without room"
        case gainedWithoutRadio = "gained without radio"
        case gainedAfterExpiry = "gained after expiry"
        case lost
        case foundNone = "found none"
        case foundOffline = "found offline"
        case foundOnline = "found online"
        case foundUnreadable = "found unreadable"
        /// The availability comes while this gateway owns the device and publishes nothing.
        case foundOnlineAsOwner = "found online as owner"
        case foundOfflineForNoRule = "found offline for no rule"
        case foundEarlierOffline = "found earlier offline"
        case foundEarlierOnline = "found earlier online"
        /// A rule may publish its presence.
        case foundEarlierPresent = "found earlier present"
        case foundEarlierWithoutRoom = "found earlier without room"
        case foundEarlierForNoRule = "found earlier for no rule"
        case connectionBegan = "connection began"
        case unheardSoon = "unheard soon"
        case unheard
        case unheardWithoutRadio = "unheard without radio"
        case unheardAfterExpiry = "unheard after expiry"
    }

    /// The event of a gateway that owns the device, or of one that does not.
    struct Case: Hashable {
        let event: Event
        let isOwner: Bool

        static let all = Event.allCases.flatMap { [Case(event: $0, isOwner: true), Case(event: $0, isOwner: false)] }

        var name: String { event.rawValue + (isOwner ? "" : " elsewhere") }

        static func named(_ name: String) throws -> Case { try #require(all.first { $0.name == name }) }
    }

    /// The way to each state of the table.
    static let ways: [String: [String]] = [
        "unknown": [], "kept": ["gained", "lost"], "silent": ["heard", "heard again", "radio lost"],
        "available": ["heard", "heard again"],
        "unknown unheard": ["gained without room"], "kept unheard": ["gained"],
        "silent unheard": ["gained", "heard", "heard again", "radio lost"],
        "available unheard": ["gained", "heard", "heard again"],
        "unknown linked": ["linked"], "kept linked": ["linked", "gained", "lost"],
        "silent linked": ["heard elsewhere", "linked elsewhere", "heard again elsewhere"],
        "available linked": ["linked", "heard", "heard again"],
        "unknown linked unheard": ["linked", "gained without room"], "kept linked unheard": ["linked", "gained"],
        "silent linked unheard": ["heard elsewhere", "linked elsewhere", "gained without radio"],
        "available linked unheard": ["linked", "gained", "heard", "heard again"],
    ]

    @Test func `has one row for each pair of a state and an event`() {
        #expect(Self.table.doubles.isEmpty)
        #expect(Set(Self.table.rows.keys) == Set(Self.ways.keys))
        for (state, rows) in Self.table.rows {
            #expect(Set(rows.keys).symmetricDifference(Case.all.map(\.name)).isEmpty, "\(state)")
        }
    }

    @Test(arguments: ways.keys.sorted())
    func `takes the actions of the table, and the state behind them`(state: String) throws {
        for event in Case.all {
            var subject = try Subject(try #require(Self.ways[state]))
            #expect(subject.description == state)
            let row = try #require(Self.table.rows[state]?[event.name])
            #expect(subject.take(event) == row.actions, "\(event.name) when \(state)")
            #expect(subject.description == row.after, "\(event.name) when \(state)")
        }
    }

    @Test func `comes by no event to a state that is not in the table`() throws {
        for (state, way) in Self.ways {
            for event in Case.all {
                var subject = try Subject(way)
                _ = subject.take(event)
                #expect(Self.ways[subject.description] != nil, "\(event.name) when \(state)")
            }
        }
    }

    @Test func `publishes no press before its entity is described again over a new connection to the broker`() {
        var life = DeviceLife("A4:C1:38:00:00:01")
        var moment = DeviceLife.Moment(
            time: .zero, date: Timestamp(sinceEpoch: .zero), isOwner: true,
            pace: DevicePace(shortest: .seconds(1), longest: .seconds(60)))
        let button = Measurement(
            key: "button", name: "button", kind: EntityKind(part: .button), value: .press(nil))
        let subject = GatewayRule.Subject(identifier: "A4:C1:38:00:00:01", name: nil, services: [], isEncrypted: false)
        _ = life.heard([button], of: subject, by: nil, rssi: nil, at: moment)
        moment.time = .seconds(20)
        _ = life.lost() + life.connectionBegan()
        let outlook = DeviceLife.Outlook(mayBePublished: true, hasRoom: true, patience: nil)
        #expect(life.gained(isRadioOn: true, outlook, at: moment).first == .describe)
        let press = PressLog.Entry(key: "button", press: SensorEvent(.button, 1, .press))
        moment.time = .milliseconds(20_900)
        #expect(life.pressed([press], number: 5, isOld: false, at: moment).isEmpty)
        moment.time = .seconds(21)
        #expect(life.publishPresses(at: moment).count == 1)
    }

    @Test func `is removed before it is described with an entity of another platform, but not again and again`() {
        var life = DeviceLife("A4:C1:38:00:00:01")
        var moment = DeviceLife.Moment(
            time: .zero, date: Timestamp(sinceEpoch: .zero), isOwner: true,
            pace: DevicePace(shortest: .seconds(1), longest: .seconds(60)))
        let subject = GatewayRule.Subject(identifier: "A4:C1:38:00:00:01", name: nil, services: [], isEncrypted: false)
        func hear(_ value: Measurement.Value, after seconds: Int) -> [DeviceLife.Action] {
            moment.time += .seconds(seconds)
            let isBinary = if case .state = value { true } else { false }
            let battery = Measurement(
                key: "battery", name: "battery", kind: EntityKind(isBinary: isBinary), value: value)
            return life.heard([battery], of: subject, by: nil, rssi: nil, at: moment)
        }
        _ = hear(.number(90), after: 0)
        #expect(hear(.state(true), after: 2).prefix(3) == [.remove, .describe, .publishAvailability(true)])
        #expect(hear(.number(90), after: 59).first == .describe)
        #expect(hear(.state(true), after: 59).first == .describe)
        #expect(hear(.number(90), after: 61).first == .remove)
    }

    @Test func `is published again as soon as the radio is back, where it is read seldom, and its values hold`() {
        var life = DeviceLife("A4:C1:38:00:00:01")
        var rule = GatewayRule()
        rule.connection = ConnectionRule()
        rule.connection?.interval = .seconds(600)
        var moment = DeviceLife.Moment(
            time: .zero, date: Timestamp(sinceEpoch: .zero), isOwner: true,
            pace: DevicePace(shortest: .seconds(1), longest: .seconds(60)))
        let values = [Measurement(key: "battery", name: "battery", kind: EntityKind(), value: .number(90))]
        let subject = GatewayRule.Subject(identifier: "A4:C1:38:00:00:01", name: nil, services: [], isEncrypted: false)
        _ = life.heard(values, of: subject, by: rule, rssi: nil, at: moment)
        #expect(life.radioLost(at: moment) == [.publishAvailability(false)])
        var other = life
        moment.time = .seconds(1800)
        #expect(life.radioReturned(at: moment) == [.publishAvailability(true), .publishState])
        moment.time = .seconds(1801)
        #expect(other.radioReturned(at: moment).isEmpty)
    }
}
#endif
