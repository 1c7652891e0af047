// SPDX-License-Identifier: MIT

import BlueCap

/// A parsed line of the shell.
enum ShellLine: Sendable {
    /// Nothing: it is empty, or a comment.
    case nothing
    /// Something is done on the radio.
    case request(ShellRequest)
    /// The devices found are listed, as far as a text is in them.
    case devices(String)
    /// The services and characteristics of the device are shown.
    case tree(String)
    case values(CharacteristicSelector)
    case log(String)
    /// The commands are listed, or one is explained.
    case help(ShellVerb?)
    case quit

    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` and the accepted lines.
    init(_ line: String) throws(CommandFailure) {
        let words = ShellWord.words(line)
        guard let first = words.first, !first.text.hasPrefix("#") else {
            self = .nothing
            return
        }
        if let open = words.last, !open.isClosed {
            throw CommandFailure(.usage, "a quote is not closed in: \(TextLayout.printable(line))")
        }
        guard let verb = ShellVerb(word: first.text) else {
            throw Self.unknown(first.text)
        }
        self = try Self.parse(verb, words.dropFirst().map(\.text))
    }

    private static func parse(_ verb: ShellVerb, _ arguments: [String]) throws(CommandFailure) -> ShellLine {
        let text = arguments.joined(separator: " ")
        let selectors = arguments.map { CharacteristicSelector($0) }
        switch verb {
        case .scan:
            guard arguments.count <= 1 else { throw misuse(verb) }
            guard let argument = arguments.first else { return .request(.scan(.seconds(5))) }
            guard let seconds = Seconds(argument: argument) else { throw misuse(verb) }
            return .request(.scan(seconds.duration))
        case .wait:
            guard arguments.count == 1, let seconds = Seconds(argument: arguments[0]) else { throw misuse(verb) }
            return .request(.wait(seconds.duration))
        // A name with blanks need not be quoted where nothing follows it.
        case .connect where !text.isEmpty: return .request(.connect(text))
        case .read where !arguments.isEmpty: return .request(.read(selectors))
        case .subscribe where !arguments.isEmpty: return .request(.subscribe(selectors))
        case .unsubscribe: return .request(.unsubscribe(selectors))
        case .values where arguments.count == 1: return .values(selectors[0])
        case .write: return .request(try write(arguments))
        case .devices: return .devices(text)
        case .tree: return .tree(text)
        case .log: return .log(text)
        case .disconnect where arguments.isEmpty: return .request(.disconnect)
        case .descriptors where arguments.count == 1: return .request(.descriptors(selectors[0], reads: false))
        case .descriptors where arguments.count == 2:
            return .request(.readDescriptor(selectors[0], arguments[1]))
        case .descriptors where arguments.count > 2: return .request(try writeDescriptor(arguments))
        case .rssi where arguments.isEmpty: return .request(.signal)
        case .pair where arguments.isEmpty: return .request(.pair)
        case .quit where arguments.isEmpty: return .quit
        case .help:
            guard let argument = arguments.first else { return .help(nil) }
            guard arguments.count == 1 else { throw misuse(.help) }
            guard let verb = ShellVerb(word: argument) else { throw unknown(argument) }
            return .help(verb)
        default: throw misuse(verb)
        }
    }

    private static func write(_ arguments: [String]) throws(CommandFailure) -> ShellRequest {
        let options = arguments.filter { $0.hasPrefix("--") }
        let words = arguments.filter { !$0.hasPrefix("--") }
        let unknown = options.first { !["--text", "--command", "--long"].contains($0) }
        guard unknown == nil, words.count == 2 else { throw misuse(.write) }
        let writing = ShellWriting(isCommand: options.contains("--command"), isLong: options.contains("--long"))
        if writing.isCommand, writing.isLong {
            throw CommandFailure(.usage, "a Write Command is one packet: leave out --long or --command")
        }
        return .write(
            CharacteristicSelector(words[0]), TypedValue(text: words[1], isText: options.contains("--text")), writing)
    }

    private static func writeDescriptor(_ arguments: [String]) throws(CommandFailure) -> ShellRequest {
        let words = arguments.filter { $0 != "--text" }
        guard words.count == 3, !words.contains(where: { $0.hasPrefix("--") }) else { throw misuse(.descriptors) }
        let value = TypedValue(text: words[2], isText: words.count < arguments.count)
        return .writeDescriptor(CharacteristicSelector(words[0]), words[1], value)
    }

    private static func misuse(_ verb: ShellVerb) -> CommandFailure {
        CommandFailure(.usage, "usage: \(verb.usage) ('help \(verb.rawValue)' says more)")
    }

    /// There is no such command, or there are several that begin so.
    private static func unknown(_ text: String) -> CommandFailure {
        let word = TextLayout.printable(text)
        let all = ShellVerb.allCases.map(\.rawValue)
        let meant = word.isEmpty ? [] : all.filter { $0.hasPrefix(word.lowercased()) }
        if meant.count > 1 {
            return CommandFailure(
                .usage, "'\(word)' is the beginning of several commands: \(meant.joined(separator: ", "))")
        }
        let advice = Suggestion.question(word, among: all, advice: "'help' lists those that there are")
        return CommandFailure(.usage, "there is no command '\(word)': \(advice)")
    }
}
