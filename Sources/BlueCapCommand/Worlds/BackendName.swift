// SPDX-License-Identifier: MIT

import ArgumentParser

/// Which radio a command uses.
enum BackendName: ExpressibleByArgument, Hashable, Sendable {
    case bluez
    /// A simulated world: one that the program brings with it or a file, or nil for the usual one.
    case virtual(String?)
    /// The virtual radio that another program shares at a path.
    case shared(String)

    static let forms = ["bluez", "virtual", "virtual:WORLD", "virtual:SOCKET"]
    /// The names that a shell offers.
    static let choices = ["bluez", "virtual"] + ShippedWorlds.names.map { "virtual:" + $0 }

    init?(argument: String) {
        switch argument {
        case "bluez": self = .bluez
        case "virtual": self = .virtual(nil)
        default:
            guard argument.hasPrefix("virtual:"), argument.utf8.count > 8 else { return nil }
            let name = String(argument.dropFirst(8))
            self = Self.isSocket(name) ? .shared(name) : .virtual(name)
        }
    }

    /// The text that it is read from again.
    var text: String {
        switch self {
        case .bluez: "bluez"
        case .virtual(nil): "virtual"
        case .virtual(let world?): "virtual:" + world
        case .shared(let path): "virtual:" + path
        }
    }

    /// Whether a name is that of a socket, as its file is or, where it is not there, as its end says.
    private static func isSocket(_ name: String) -> Bool {
        ToolFile.isSocket(name) || !ToolFile.exists(name) && (name.hasSuffix(".sock") || name.hasSuffix(".socket"))
    }

    /// The same radio, with the world's file or the socket by its path from the root.
    var fromEveryFolder: BackendName {
        if case .shared(let path) = self { return .shared(ToolFile.absolute(path)) }
        guard case .virtual(let world?) = self, ShippedWorlds.text(world) == nil, WorldFile.isFile(world) else {
            return self
        }
        return .virtual(ToolFile.absolute(world))
    }

    /// Whether the radio is in this program.
    var isVirtual: Bool { if case .virtual = self { true } else { false } }
}
