// SPDX-License-Identifier: MIT

import ArgumentParser

/// Which radio a command uses.
enum BackendName: ExpressibleByArgument, Hashable, Sendable {
    case bluez
    /// A simulated world: one that the program brings with it or a file, or nil for the usual one.
    case virtual(String?)

    static let forms = ["bluez", "virtual", "virtual:WORLD"]
    /// The names that a shell offers.
    static let choices = ["bluez", "virtual"] + ShippedWorlds.names.map { "virtual:" + $0 }

    init?(argument: String) {
        switch argument {
        case "bluez": self = .bluez
        case "virtual": self = .virtual(nil)
        default:
            guard argument.hasPrefix("virtual:"), argument.utf8.count > 8 else { return nil }
            self = .virtual(String(argument.dropFirst(8)))
        }
    }

    /// The text that it is read from again.
    var text: String {
        switch self {
        case .bluez: "bluez"
        case .virtual(nil): "virtual"
        case .virtual(let world?): "virtual:" + world
        }
    }

    /// The same radio, with the world's file by its path from the root.
    var fromEveryFolder: BackendName {
        guard case .virtual(let world?) = self, ShippedWorlds.text(world) == nil, WorldFile.isFile(world) else {
            return self
        }
        return .virtual(ToolFile.absolute(world))
    }

    var isVirtual: Bool { self != .bluez }
}
