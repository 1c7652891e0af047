// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap

/// A characteristic as it is named on the command line: `2A19`, `"Battery Level"`, `battery/battery-level`,
/// `180F/2A19`, or its handle, `0x2a`.
struct CharacteristicSelector: ExpressibleByArgument, Sendable {
    enum Purpose: Sendable {
        case read
        case write
        case notify
        /// Something that any characteristic allows, such as reading its descriptors.
        case look
        /// Writing something that any characteristic may have, such as a descriptor.
        case lookToWrite
    }

    static let help: ArgumentHelp = "Name, UUID, handle or service/name: 'info' lists them."

    let text: String

    init(_ text: String) { self.text = text }

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        text = argument
    }

    /// The characteristic that is meant.
    ///
    /// If the text fits several characteristics, the only one that the purpose fits too is taken. If the text fits
    /// none, a part of the name or the name of the service is enough, if that leaves only one. To write a value, the
    /// characteristic has to be named in full.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/refused`` and the characteristics to choose from.
    func pick(for purpose: Purpose, in services: [Service], of peripheral: Peripheral) throws(CommandFailure)
        -> Characteristic
    {
        let found = matches(in: services)
        let suited = found.filter(purpose.suits)
        if let only = suited.first, suited.count == 1 { return only }
        let all = services.flatMap(\.characteristics).filter(purpose.suits)
        if found.isEmpty, purpose != .write, purpose != .lookToWrite {
            let named = all.filter(isPart(of:))
            if let only = named.first, named.count == 1 { return only }
        }
        if found.isEmpty {
            let advice = Self.list(all, purpose.plural, none: purpose.none)
            let names = services.flatMap(\.characteristics).map(Self.name)
            let question = Suggestion.question(text, among: names).map { "\($0) \(advice.capitalizedFirst)" }
            throw CommandFailure(
                .refused,
                "\(peripheral.label) has no characteristic '\(TextLayout.printable(text))'; \(question ?? advice)")
        }
        if suited.isEmpty {
            let properties = found[0].properties.words
            throw CommandFailure(
                .refused,
                "\(Self.name(found[0])) cannot be \(purpose.participle): its properties are \(properties)\(found[0].use). "
                    + Self.list(all, purpose.plural, none: purpose.none).capitalizedFirst)
        }
        throw CommandFailure(.refused, Self.list(suited, "'\(text)' is each of these, so choose by handle", none: ""))
    }

    /// An attribute with its selectable names.
    struct Named: Sendable {
        var uuid: BluetoothUUID
        var name: String
        var id: AttributeID?
    }

    /// The characteristics that the text fits, in the order of the database.
    private func matches(in services: [Service]) -> [Characteristic] {
        let all = services.flatMap { service in service.characteristics.map { (service, $0) } }
        return matches(among: all) { service, characteristic in
            (
                Named(uuid: service.uuid, name: KnownProfiles.service(service.uuid), id: service.id),
                Named(uuid: characteristic.uuid, name: Self.name(characteristic), id: characteristic.id)
            )
        }.map(\.1)
    }

    /// Whether the text is in the name, or is that of the service.
    private func isPart(of characteristic: Characteristic) -> Bool {
        let folded = Self.fold(text)
        if folded.count < 3 { return false }
        let service = characteristic.service.map { KnownProfiles.service($0.uuid) } ?? ""
        return Self.fold(Self.name(characteristic)).contains(folded) || Self.fold(service) == folded
    }

    /// The candidates that the whole text fits, or else those that fit a text of service, slash and characteristic.
    func matches<Candidate>(among all: [Candidate], named: (Candidate) -> (Named, Named)) -> [Candidate] {
        let whole = all.filter { Self.fits(text, named($0).1) }
        if !whole.isEmpty { return whole }
        // A name may hold a slash of its own, so each slash may separate service and characteristic.
        for slash in text.indices where text[slash] == "/" {
            let (service, rest) = (String(text[..<slash]), String(text[text.index(after: slash)...]))
            let found = all.filter { each in
                let (first, second) = named(each)
                return Self.fits(service, first) && Self.fits(rest, second)
            }
            if !found.isEmpty { return found }
        }
        return []
    }

    private static func fits(_ text: String, _ named: Named) -> Bool {
        if (try? BluetoothUUID(text: text)) == named.uuid { return true }
        let folded = fold(text)
        if !folded.isEmpty, folded == fold(named.name) { return true }
        guard let id = named.id, text.lowercased().hasPrefix("0x") else { return false }
        return UInt32(text.dropFirst(2), radix: 16) == id.rawValue
    }

    /// Letters and digits alone, in lower case: `"Battery Level"` and `battery-level` are the same.
    static func fold(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }

    private static func name(_ characteristic: Characteristic) -> String {
        KnownProfiles.characteristic(characteristic.uuid, in: characteristic.service?.uuid)
    }

    /// `"these can be read:"` and a line for each with handle, UUID and `service/name`. A UUID of 36 characters is left
    /// out where there is a name, for which it leaves no room.
    private static func list(_ found: [Characteristic], _ heading: String, none: String) -> String {
        if found.isEmpty { return none }
        let lines = found.prefix(24).map { each in
            let service = each.service.map { KnownProfiles.service($0.uuid) + "/" } ?? ""
            let uuid = each.uuid.uint32 == nil && name(each) != "\(each.uuid)" ? "" : "\(each.uuid)  "
            return "  \(TextLayout.pad(each.id.description, to: 6))  \(uuid)\(service)\(name(each))"
        }
        let rest = found.count > lines.count ? ["  … and \(found.count - lines.count) more"] : []
        return ([heading + ":"] + lines + rest).joined(separator: "\n")
    }
}

extension CharacteristicSelector.Purpose {
    fileprivate func suits(_ characteristic: Characteristic) -> Bool {
        switch self {
        case .read: characteristic.canRead
        case .write: characteristic.canWrite
        case .notify: characteristic.canNotify
        case .look, .lookToWrite: true
        }
    }

    fileprivate var participle: String {
        switch self {
        case .read: "read"
        case .write: "written"
        case .notify: "subscribed to"
        case .look, .lookToWrite: "looked at"
        }
    }

    fileprivate var plural: String {
        switch self {
        case .read: "these can be read"
        case .write: "these can be written"
        case .notify: "these notify"
        case .look, .lookToWrite: "these are there"
        }
    }

    fileprivate var none: String {
        switch self {
        case .read: "none of its characteristics can be read"
        case .write: "none of its characteristics can be written"
        case .notify: "none of its characteristics notifies"
        case .look, .lookToWrite: "it has no characteristics"
        }
    }
}

extension Characteristic {
    fileprivate var use: String {
        canNotify ? " ('bluecap notify' prints its values)" : canWrite ? " (it is for 'bluecap write')" : ""
    }
}

extension CharacteristicProperties {
    /// The names of the properties with spaces between; "none" without any.
    var words: String { isEmpty ? "none" : names.joined(separator: " ") }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
