// SPDX-License-Identifier: MIT

import BlueCap

/// The results of `profiles`: services, characteristics or companies.
struct ProfileCatalog: Sendable {
    struct Service: Encodable, Sendable {
        struct Characteristic: Encodable, Sendable {
            var uuid: String
            var shortUUID: String
            var name: String
            var properties: [String]
        }

        var event = "service"
        var uuid: String
        var shortUUID: String
        var name: String
        /// The group; nil for a service that has a name and no profile.
        var tag: String?
        var characteristics: [Characteristic]
    }

    struct Characteristic: Encodable, Sendable {
        struct Part: Encodable, Sendable {
            var name: String
            var choices: [String]
            var optional: Bool
            /// The unit of the number in the text; nil where it has none.
            var unit: String?
        }

        var event = "characteristic"
        var uuid: String
        var shortUUID: String
        var name: String
        var services: [String]
        var properties: [String]
        var choices: [String]
        var parts: [Part]
        /// The first value of a peripheral that offers it, in hexadecimal digits.
        var example: String?
        var exampleText: String?
    }

    struct Company: Encodable, Sendable {
        var event = "company"
        var id: String
        var name: String
    }

    var services: [Service] = []
    var characteristics: [Characteristic] = []
    var companies: [Company] = []

    /// Whether one was asked for and found, so that all of it is shown.
    var isSingle: Bool { services.count + characteristics.count == 1 }

    /// The services and characteristics with a name or UUID; with a part of the name where none has all of it.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` where there is none.
    static func entries(name: String?, tag: String?) throws(CommandFailure) -> ProfileCatalog {
        let groups = KnownProfiles.manager.services
        let chosen = groups.filter { service in
            tag.map { CharacteristicSelector.fold(service.tag) == CharacteristicSelector.fold($0) } ?? true
        }
        if let tag, chosen.isEmpty {
            let tags = ProfilePart.quoted(Array(Set(groups.map(\.tag))).sorted())
            let advice = Suggestion.question(tag, among: groups.map(\.tag), advice: "choose \(tags)")
            throw CommandFailure(.usage, "there is no group '\(tag)': \(advice)")
        }
        guard let name else { return ProfileCatalog(services: chosen.map { Service($0) }) }
        let uuid = try? BluetoothUUID(text: name)
        let wanted = CharacteristicSelector.fold(name)
        let exact = catalog(of: chosen) { $0 == uuid || CharacteristicSelector.fold($1) == wanted }
        if !exact.isEmpty { return exact }
        if tag == nil, let assigned = assigned(uuid, name) { return assigned }
        let similar = catalog(of: chosen) { !wanted.isEmpty && CharacteristicSelector.fold($1).contains(wanted) }
        if !similar.isEmpty { return similar }
        let names = chosen.flatMap { [$0.name] + $0.characteristics.map(\.name) }
        let advice = Suggestion.question(name, among: names, advice: "'bluecap profiles' lists what is")
        throw CommandFailure(.usage, "nothing by the name or UUID '\(name)' is known: \(advice)")
    }

    /// The companies with an identifier, or with a part of a name.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` where there is none.
    static func companies(_ text: String) throws(CommandFailure) -> ProfileCatalog {
        let digits = text.lowercased().hasPrefix("0x") ? text.dropFirst(2) : text[...]
        let number = digits.count == 4 || digits.count < text.count ? UInt16(digits, radix: 16) : UInt16(text)
        let found = AssignedNumbers.companies.filter { id, name in
            number.map { $0 == id } ?? name.lowercased().contains(text.lowercased())
        }
        if found.isEmpty {
            throw CommandFailure(
                .usage, "no company has the identifier or name '\(text)': write 0x004C, 76, or a part of its name")
        }
        return ProfileCatalog(
            companies: found.map { id, name in
                let digits = String(id, radix: 16, uppercase: true)
                return Company(id: "0x" + String(repeating: "0", count: 4 - digits.count) + digits, name: name)
            })
    }

    private var isEmpty: Bool { services.isEmpty && characteristics.isEmpty && companies.isEmpty }

    private static func catalog(
        of services: [ServiceProfile], where isWanted: (BluetoothUUID, String) -> Bool
    ) -> ProfileCatalog {
        var catalog = ProfileCatalog(services: services.filter { isWanted($0.uuid, $0.name) }.map { Service($0) })
        var seen: Set<BluetoothUUID> = []
        for profile in services.flatMap(\.characteristics) where isWanted(profile.uuid, profile.name) {
            guard seen.insert(profile.uuid).inserted else { continue }
            let owners = services.filter { $0.characteristics.contains { $0.uuid == profile.uuid } }
            catalog.characteristics.append(Characteristic(profile, in: owners.map(\.name)))
        }
        return catalog
    }

    /// Attributes to which the SIG gives a name and the library no profile.
    private static func assigned(_ uuid: BluetoothUUID?, _ name: String) -> ProfileCatalog? {
        if let service = uuid ?? AssignedNumbers.service(named: name), let name = KnownProfiles.serviceName(service) {
            return ProfileCatalog(services: [
                Service(
                    uuid: service.fullDescription, shortUUID: service.description, name: name, characteristics: [])
            ])
        }
        if let found = uuid ?? AssignedNumbers.characteristic(named: name),
            let name = AssignedNumbers.characteristicName(found)
        {
            return ProfileCatalog(characteristics: [
                Characteristic(
                    uuid: found.fullDescription, shortUUID: found.description, name: name, services: [],
                    properties: [], choices: [], parts: [])
            ])
        }
        return nil
    }
}

extension ProfileCatalog.Service {
    fileprivate init(_ profile: ServiceProfile) {
        self.init(
            uuid: profile.uuid.fullDescription, shortUUID: profile.uuid.description, name: profile.name,
            tag: profile.tag,
            characteristics: profile.characteristics.map {
                Characteristic(
                    uuid: $0.uuid.fullDescription, shortUUID: $0.uuid.description, name: $0.name,
                    properties: $0.properties.names)
            })
    }
}

extension ProfileCatalog.Characteristic {
    fileprivate init(_ profile: CharacteristicProfile, in services: [String]) {
        self.init(
            uuid: profile.uuid.fullDescription, shortUUID: profile.uuid.description, name: profile.name,
            services: services,
            properties: profile.properties.names, choices: profile.stringValues,
            parts: ProfilePart.parts(of: profile).map {
                Part(name: $0.name, choices: $0.choices, optional: $0.isOptional, unit: $0.unit)
            },
            example: profile.initialValue?.hex,
            exampleText: profile.initialValue.flatMap { ValueText($0, profile).line })
    }
}
