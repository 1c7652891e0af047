// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

/// The form of a setting's value.
enum SettingForm: Sendable {
    case text
    case files
    case choice([String])
    /// The name of a radio, as `--backend` takes it.
    case backend
    /// A time in seconds that is longer than none.
    case seconds
    case secondsOrOff
    case number(ClosedRange<Int>)
    case numberOrOff(ClosedRange<Int>)
    case uuid
    /// Services, each as a UUID, a known name, or `NAME=UUID`.
    case services
    /// Regions of beacons, each as `NAME=UUID`, with `/MAJOR` and `/MINOR` behind it.
    case regions

    var isList: Bool {
        switch self {
        case .files, .services, .regions: true
        default: false
        }
    }

    /// The accepted values, for people.
    var description: String {
        switch self {
        case .text: "text"
        case .files: "paths of files"
        case .choice(let choices): choices.joined(separator: " or ")
        case .backend: BackendName.forms.joined(separator: ", ")
        case .seconds: "seconds"
        case .secondsOrOff: "seconds, or off"
        case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .numberOrOff(let range): "\(range.lowerBound) to \(range.upperBound), or off"
        case .uuid: "a UUID of 36 characters"
        case .services: "services, each a UUID, a name, or NAME=UUID"
        case .regions: "regions, each NAME=UUID[/MAJOR[/MINOR]]"
        }
    }

    /// The text in the form in which it is kept; nil where it does not have the form.
    func canonical(_ text: String) -> String? {
        switch self {
        case .text: text.isEmpty ? nil : text
        case .files: text.isEmpty ? nil : ToolFile.absolute(text)
        case .choice(let choices): choices.first { $0 == text.lowercased() }
        case .backend: BackendName(argument: text)?.fromEveryFolder.text
        case .seconds: Self.seconds(text)
        case .secondsOrOff: text.lowercased() == "off" ? "off" : Self.seconds(text)
        case .number(let range): Int(text).flatMap { range.contains($0) ? String($0) : nil }
        case .numberOrOff(let range):
            text.lowercased() == "off" ? "off" : Int(text).flatMap { range.contains($0) ? String($0) : nil }
        case .uuid: ProximityUUID(argument: text)?.uuid.fullDescription
        case .services: NamedService(text)?.text
        case .regions: NamedRegion(text)?.text
        }
    }

    private static func seconds(_ text: String) -> String? {
        guard let seconds = Seconds(argument: text), seconds.duration > .zero else { return nil }
        let number = seconds.duration / .seconds(1)
        return number == number.rounded() ? String(Int64(number)) : String(number)
    }
}
