// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapTerminal

/// A line of text that a shell's screen asks for.
struct ShellPrompt: Sendable {
    enum Purpose: Sendable, Hashable {
        /// A text by which the lines of a page are filtered.
        case search
        case write(AttributeID)
        /// A descriptor of a characteristic, and a value for it.
        case writeDescriptor(AttributeID)
        case answer
    }

    let purpose: Purpose
    let label: String
    /// The accepted values, for people; empty where any text is accepted.
    let hint: String
    /// The texts that Tab puts in, one after the other.
    let choices: [String]
    var field: EditField

    /// A search, which begins with the preceding search text.
    static func search(_ text: String) -> ShellPrompt {
        ShellPrompt(
            purpose: .search, label: "search: ", hint: "enter keep · esc show all", choices: [], field: EditField(text))
    }

    static func write(_ characteristic: ShellCharacteristic) -> ShellPrompt {
        let profile = KnownProfiles.profile(characteristic.uuid, in: characteristic.service)
        let choices = profile.map(ProfilePart.choices) ?? []
        let parts = profile.map(ProfilePart.parts) ?? []
        let form =
            !choices.isEmpty
            ? "tab " + choices.joined(separator: ", ")
            : parts.isEmpty ? "" : parts.map { "\($0.name)=…" }.joined(separator: ",")
        return ShellPrompt(
            purpose: .write(characteristic.id), label: "write \(characteristic.name): ",
            hint: (form.isEmpty ? "" : form + " · ") + "hex digits · \"text\" · enter write · esc cancel",
            choices: choices, field: EditField())
    }

    static func writeDescriptor(_ characteristic: ShellCharacteristic) -> ShellPrompt {
        let known = characteristic.descriptors.filter { $0.uuid != Descriptor.clientConfiguration }
        return ShellPrompt(
            purpose: .writeDescriptor(characteristic.id), label: "write descriptor: ",
            hint: "2901 \"text\" · 2901 hex digits · enter write · esc cancel",
            choices: known.map { "\($0.uuid) " }, field: EditField())
    }

    static func answer(_ question: String) -> ShellPrompt {
        ShellPrompt(
            purpose: .answer, label: question + " ", hint: "enter answer · esc refuse", choices: [], field: EditField())
    }

    mutating func edit(_ press: KeyPress) {
        guard press == KeyPress(.tab), !choices.isEmpty else {
            _ = field.handle(press)
            return
        }
        let next = choices.firstIndex(of: field.text).map { ($0 + 1) % choices.count } ?? 0
        field.replace(with: choices[next])
    }

    /// The value that was typed: text where it stands in quotes.
    var value: TypedValue { Self.value(field.text) }

    /// The descriptor that was typed, and the value behind it; nil without both.
    var descriptorAndValue: (descriptor: String, value: TypedValue)? {
        let words = ShellWord.words(field.text)
        guard words.count >= 2 else { return nil }
        return (words[0].text, Self.value(String(field.text.dropFirst(words[1].start))))
    }

    private static func value(_ text: String) -> TypedValue {
        guard text.count >= 2, let quote = text.first, quote == "\"" || quote == "'", text.last == quote else {
            return TypedValue(text: text)
        }
        return TypedValue(text: String(text.dropFirst().dropLast()), isText: true)
    }
}
