// SPDX-License-Identifier: MIT

/// The folder in which the programs of a platform keep their state.
enum StateFolder {
    case applicationSupport
    /// On tvOS an app may write to its caches alone, which the system empties where it needs the room.
    case caches
    /// The folder of the XDG Base Directory Specification.
    case stateHome

    /// The folder on this platform.
    static var own: Self {
        #if os(tvOS)
        .caches
        #elseif canImport(Darwin)
        .applicationSupport
        #else
        .stateHome
        #endif
    }

    /// The path, from the variables of the environment that are there; nil where they name no home.
    func path(_ variable: (String) -> String?) -> String? {
        func home(_ path: String) -> String? { variable("HOME").map { $0 + path } }
        return switch self {
        case .applicationSupport: home("/Library/Application Support")
        case .caches: home("/Library/Caches")
        case .stateHome: variable("XDG_STATE_HOME") ?? home("/.local/state")
        }
    }
}
