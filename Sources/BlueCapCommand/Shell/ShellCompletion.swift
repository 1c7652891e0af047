// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTerminal

/// The completions of the words of a shell's line.
struct ShellCompletion: Sendable {
    let state: ShellState

    /// The completions of the text in front of the cursor.
    func complete(_ text: String) -> LineCompletion {
        let words = ShellWord.words(text)
        let isInWord = words.last.map { !$0.isClosed } ?? false || text.last.map { $0 != " " } ?? false
        let before = isInWord ? Array(words.dropLast()) : words
        let word = isInWord ? words.last?.text ?? "" : ""
        let start = isInWord ? words.last?.start ?? 0 : text.count
        let fitting = candidates(behind: before.map(\.text)).filter { $0.lowercased().hasPrefix(word.lowercased()) }
        return LineCompletion(start: start, candidates: fitting.map(ShellWord.quoted))
    }

    private func candidates(behind words: [String]) -> [String] {
        guard let first = words.first else { return ShellVerb.allCases.map(\.rawValue) }
        let characteristics = state.peer?.characteristics ?? []
        switch ShellVerb(word: first) {
        case .connect where words.count == 1:
            return unique(state.devices.map(\.name).filter { !$0.isEmpty }) + state.devices.map(\.row.id)
        case .read: return names(characteristics.filter { $0.properties.contains(.read) })
        case .subscribe:
            return names(characteristics.filter { !$0.properties.isDisjoint(with: [.notify, .indicate]) })
        case .unsubscribe: return names(characteristics.filter(\.isSubscribed))
        case .values: return names(characteristics)
        case .descriptors where words.count == 1: return names(characteristics)
        case .descriptors where words.count == 2:
            let found = try? state.peer?.characteristic(CharacteristicSelector(words[1]))
            return found?.descriptors.map(\.name) ?? []
        case .write where words.count == 1:
            return names(characteristics.filter { !$0.properties.isDisjoint(with: [.write, .writeWithoutResponse]) })
        case .write where words.count == 2: return values(of: words[1])
        case .help where words.count == 1: return ShellVerb.allCases.map(\.rawValue)
        default: return []
        }
    }

    /// The names that stand for one characteristic alone; for other characteristics, their handles.
    private func names(_ characteristics: [ShellCharacteristic]) -> [String] {
        let counts = Dictionary(characteristics.map { ($0.name, 1) }, uniquingKeysWith: +)
        return characteristics.map { counts[$0.name] == 1 ? $0.name : $0.id.description }
    }

    private func values(of text: String) -> [String] {
        let found = try? state.peer?.characteristic(CharacteristicSelector(text))
        guard let found, let profile = KnownProfiles.profile(found.uuid, in: found.service) else { return [] }
        return ProfilePart.choices(of: profile)
    }

    private func unique(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
    }
}

extension ProfilePart {
    /// The whole values that can be written; empty where a value has several parts.
    static func choices(of profile: CharacteristicProfile) -> [String] {
        let parts = parts(of: profile)
        return parts.count == 1 ? parts[0].choices : profile.stringValues
    }
}
