// SPDX-License-Identifier: MIT

#if ESPHome && BlueZ && os(Linux)
/// The life of an announcement at Avahi: events in, actions out.
struct AnnouncementMachine {
    enum Stage: Hashable, CaseIterable {
        /// Avahi is not there.
        case away
        /// Avahi is there, and not ready for services: it looks for a name of the machine that nobody else has.
        case starting
        /// Avahi was asked for an entry group, the container of the service's records.
        case asking
        /// The records are in the group, and Avahi asks the network whether another machine has them.
        case probing
        case announced
        /// Another machine has the name; Avahi was asked for another one.
        case renaming
        /// Something failed, and is tried again after a pause.
        case pausing
    }

    enum Event: Hashable {
        case appeared
        case disappeared
        /// The state of Avahi itself.
        case ready, unready
        case group(String)
        case established, collided
        case renamed(String)
        /// Avahi has refused a call, or the group has failed.
        case failed(String)
        case paused
    }

    enum Action: Hashable {
        case askState
        case askForGroup
        /// Puts the service into the group, by this name.
        case add(String, group: String)
        case free(String)
        case askForName(instead: String)
        case pause(Duration)
        case report(AnnouncementEvent)
    }

    /// The name under which the service is announced, or will be.
    private(set) var name: String
    private(set) var stage = Stage.away
    private var group: String?
    private var pause = Self.pauses.lowerBound

    private static let pauses: ClosedRange<Duration> = .seconds(1) ... .seconds(60)

    init(name: String) { self.name = name }

    mutating func take(_ event: Event) -> [Action] {
        switch (stage, event) {
        case (_, .disappeared):
            let wasThere = stage != .away
            (stage, group) = (.away, nil)
            return wasThere ? [.report(.withdrawn("Avahi has ended"))] : []
        case (.away, .appeared):
            stage = .starting
            return [.askState]
        case (.starting, .ready), (.pausing, .paused):
            stage = .asking
            return [.askForGroup]
        case (.away, _): return []
        // The name of the machine has changed, which the records hold.
        case (_, .unready):
            let wasAnnounced = stage == .announced
            stage = .starting
            return free() + (wasAnnounced ? [.report(.withdrawn("Avahi chooses a name for this machine"))] : [])
        case (.asking, .group(let path)):
            (stage, group) = (.probing, path)
            return [.add(name, group: path)]
        case (.probing, .established):
            (stage, pause) = (.announced, Self.pauses.lowerBound)
            return [.report(.announced(name))]
        case (.probing, .collided), (.announced, .collided):
            stage = .renaming
            return free() + [.askForName(instead: name)]
        case (.renaming, .renamed(let other)):
            (stage, name) = (.asking, other)
            return [.askForGroup]
        case (.starting, .failed(let reason)), (.asking, .failed(let reason)), (.probing, .failed(let reason)),
            (.announced, .failed(let reason)), (.renaming, .failed(let reason)):
            stage = .pausing
            defer { pause = min(pause * 2, Self.pauses.upperBound) }
            return free() + [.report(.withdrawn(reason)), .pause(pause)]
        case (_, .appeared), (_, .ready), (_, .group), (_, .established), (_, .collided), (_, .renamed), (_, .failed),
            (_, .paused):
            return []
        }
    }

    private mutating func free() -> [Action] { group.take().map { [.free($0)] } ?? [] }
}
#endif
