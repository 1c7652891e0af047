// SPDX-License-Identifier: MIT

/// What a caller waits for, of a service or an advertisement.
enum RegistrationGoal: Hashable {
    case present
    case updated(version: Int)
    case absent

    /// Some of the goals.
    enum Filter: Hashable {
        case all
        /// Those of callers that want it to be there.
        case standing
        case updates
        /// Those that are reached when the platform has this version.
        case reached(version: Int)
        case absence

        func matches(_ goal: RegistrationGoal) -> Bool {
            switch (self, goal) {
            case (.all, _), (.standing, .present), (.standing, .updated), (.updates, .updated), (.reached, .present),
                (.absence, .absent):
                true
            case (.reached(let version), .updated(let awaited)): awaited <= version
            case (.standing, .absent), (.updates, _), (.reached, .absent), (.absence, _): false
            }
        }
    }
}
