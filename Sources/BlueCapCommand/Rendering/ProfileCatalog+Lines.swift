// SPDX-License-Identifier: MIT

import BlueCap

/// The catalog for a person and for a program.
extension ProfileCatalog {
    var jsonLines: [String] {
        services.map { JSONLine.text($0) } + characteristics.map { JSONLine.text($0) }
            + companies.map { JSONLine.text($0) }
    }

    /// One entry with all its details; several on a line each, services in their groups.
    var lines: [String] {
        if isSingle { return services.first?.page ?? characteristics.first?.page ?? [] }
        var lines = companies.map { "\($0.id)  \($0.name)" }
        var tag: String?
        for service in services.sorted(by: { ($0.tag ?? "", $0.name) < ($1.tag ?? "", $1.name) }) {
            if service.tag != tag { lines += (lines.isEmpty ? [] : [""]) + [service.tag ?? ""] }
            tag = service.tag
            lines.append(Self.entry(service.uuid, service.name))
        }
        if !characteristics.isEmpty { lines += (lines.isEmpty ? [] : [""]) + ["Characteristics"] }
        return lines + characteristics.map { Self.entry($0.uuid, $0.name) }
    }

    fileprivate static func short(_ uuid: String) -> String { (try? BluetoothUUID(text: uuid))?.description ?? uuid }

    fileprivate static func entry(_ uuid: String, _ name: String) -> String { "  \(short(uuid))  \(name)" }
}

extension ProfileCatalog.Service {
    fileprivate var page: [String] {
        let head = ["\(name)  \(ProfileCatalog.short(uuid))", tag ?? "a name without a profile: values are bytes"]
        return head
            + characteristics.map { each in
                let entry = ProfileCatalog.entry(each.uuid, each.name) + "  " + each.properties.joined(separator: " ")
                return TextLayout.width(of: entry) <= 80 ? entry : ProfileCatalog.entry(each.uuid, each.name)
            }
    }
}

extension ProfileCatalog.Characteristic {
    /// The characteristic, the parts of its values, and how one is written.
    fileprivate var page: [String] {
        var lines = ["\(name)  \(ProfileCatalog.short(uuid))"]
        if services.isEmpty { return lines + ["a name without a profile: values are bytes"] }
        func add(_ title: String, _ text: String) {
            let lead = TextLayout.pad(title, to: 12)
            let wrapped = TextLayout.wrap(text, to: 80 - 12).split(separator: "\n")
            for (index, line) in wrapped.enumerated() {
                lines.append((index == 0 ? lead : String(repeating: " ", count: 12)) + line)
            }
        }
        add("in", services.joined(separator: ", "))
        add("properties", properties.isEmpty ? "none" : properties.joined(separator: " "))
        if !choices.isEmpty { add("choices", ProfilePart.quoted(choices)) }
        for (index, part) in parts.enumerated() where choices.isEmpty {
            let head = part.unit.map { "\(part.name) (\($0))" } ?? part.name
            let notes =
                (part.optional ? ["may be left out"] : [])
                + (part.choices.isEmpty ? [] : [ProfilePart.quoted(part.choices)])
            add(index == 0 ? "parts" : "", ([head] + notes).joined(separator: ": "))
        }
        if let example { add("example", [exampleText, example].compactMap(\.self).joined(separator: "  ")) }
        if properties.contains("write"), let choice = choices.first {
            add("write it", "bluecap write DEVICE \(ProfileCatalog.short(uuid)) \"\(choice)\"")
        }
        return lines
    }
}
