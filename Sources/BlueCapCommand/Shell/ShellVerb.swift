// SPDX-License-Identifier: MIT

/// The commands of a shell.
enum ShellVerb: String, CaseIterable, Sendable {
    case scan, devices, connect, disconnect, tree, read, write, subscribe, unsubscribe, values, descriptors, rssi, wait
    case pair, log
    case help, quit

    /// The command that a word means, in capitals or not: its name, its name in other tools, or an unambiguous
    /// beginning.
    init?(word: String) {
        let word = word.lowercased()
        if let verb = ShellVerb(rawValue: word) ?? Self.aliases[word] {
            self = verb
            return
        }
        let begun = Self.allCases.filter { $0.rawValue.hasPrefix(word) }
        guard begun.count == 1, !word.isEmpty else { return nil }
        self = begun[0]
    }

    private static let aliases: [String: ShellVerb] = [
        "?": .help, "exit": .quit, "q": .quit, "r": .read, "w": .write, "notify": .subscribe, "watch": .subscribe,
        "info": .tree, "ls": .tree,
    ]

    /// The arguments, as the usage shows them.
    var arguments: String {
        switch self {
        case .scan: "[SECONDS]"
        case .wait: "SECONDS"
        case .connect: "N|NAME|ID"
        case .devices, .tree, .log: "[TEXT]"
        case .read, .subscribe: "X …"
        case .unsubscribe: "[X …]"
        case .write: "X VALUE"
        case .values: "X"
        case .help: "[COMMAND]"
        case .descriptors: "X [D [VALUE]]"
        case .disconnect, .rssi, .pair, .quit: ""
        }
    }

    /// The effect, in a few words.
    var summary: String {
        switch self {
        case .scan: "look for devices, for 5 s or as long as you say"
        case .devices: "list what was found, or what TEXT is in"
        case .connect: "connect, and discover what the device has"
        case .disconnect: "end the connection"
        case .tree: "the device's services and characteristics"
        case .read: "read characteristics"
        case .write: "write a value: a choice, parts, or hex digits"
        case .subscribe: "print values as they come"
        case .unsubscribe: "end that, for X or for all"
        case .values: "the values that went to and fro, and their curve"
        case .descriptors: "list X's descriptors; read or write D of them"
        case .rssi: "measure the strength of the link"
        case .wait: "let values come; scripts need it"
        case .pair: "pair with the connected device, and keep the keys"
        case .log: "all that happened, with its time in seconds"
        case .help: "this, or more on one command"
        case .quit: "disconnect and leave; so does Ctrl-D"
        }
    }

    /// More on it, with examples.
    var details: [String] {
        switch self {
        case .scan: ["Ctrl-C ends it early. The numbers in front are what 'connect' takes.", "  scan 20"]
        case .devices: ["  devices heart"]
        case .connect:
            [
                "N is a number of the list, NAME the whole name or a beginning that only",
                "one device of the list has; of a name that several have, all are listed.",
                "A name that was not seen is scanned for.", "  connect 2",
                "  connect \"Heart Strap\"", "  connect C0:DE:00:00:00:02",
            ]
        case .tree: ["A star marks what is subscribed to.", "  tree battery"]
        case .read, .subscribe, .unsubscribe, .values:
            [
                "X is a characteristic: its name, its UUID, service/characteristic, or its",
                "handle as 'tree' shows it.", "  \(rawValue) \"Battery Level\"", "  \(rawValue) 2A19",
                "  \(rawValue) battery/battery-level", "  \(rawValue) 0x1a",
            ]
        case .write:
            TypedValue.help.split(separator: "\n").map(String.init) + [
                "With --text the value is UTF-8 as it stands, with --command the device is not",
                "asked to answer, and with --long the value may take several packets.",
                "  write \"Heart Rate Control Point\" \"Reset Energy Expended\"", "  write 2A39 01",
                "  write fff1 \"Hello there\" --text",
            ]
        case .descriptors:
            [
                "X is a characteristic as for 'read', and D a descriptor of it: its name, its",
                "UUID or its handle. A value is hex digits, or with --text as it stands.",
                "  descriptors \"Body Sensor Location\"", "  descriptors 2A38 2901",
                "  descriptors fff1 \"Characteristic User Description\" Lamp --text",
            ]
        case .pair: ["What pairing has to know is asked; the next line is the answer."]
        case .wait: ["  printf 'connect Strap\\nsubscribe 2A37\\nwait 10\\n' | bluecap shell"]
        case .log: ["  log battery"]
        case .disconnect, .rssi, .help, .quit: []
        }
    }

    static var rows: [String] {
        let width = allCases.map { $0.usage.count }.max() ?? 0
        return allCases.map { "  \(TextLayout.pad($0.usage, to: width))  \($0.summary)" }
    }

    /// The list of all commands, and the rules for all of them.
    static var list: [String] {
        rows + [
            "", "A beginning that only one command has is enough. Ctrl-C interrupts a command.",
            "X is a name, a UUID, service/characteristic, or a handle as 'tree' shows it.",
        ]
    }

    /// The help text of this command alone.
    var page: [String] { [usage + ": " + summary] + details }

    var usage: String { arguments.isEmpty ? rawValue : "\(rawValue) \(arguments)" }
}
