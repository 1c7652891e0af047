// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCore
import BlueCapSerDe
import Foundation

/// The pages of a catalogue that describe each built-in service and characteristic, written from the profiles, from the
/// types behind them, and from the documentation of those.
struct ProfileReference {
    /// The module whose types the pages are about.
    let module: String
    let services: [ServiceProfile]
    let source: SourceDeclarations

    /// All pages by their names.
    var pages: [String: String] {
        var pages = ["Characteristics.md": characteristics]
        for service in services { pages[fileName(of: service)] = page(of: service) }
        return pages
    }

    private static let comment = """
        @Comment {
            Written from the code by the step `docs` of .ci/run.
        }
        """

    // MARK: One service

    private func fileName(of service: ServiceProfile) -> String {
        "Services/" + name(of: service).replacingOccurrences(of: ".", with: "-") + ".md"
    }

    /// The page that follows the documentation of the service's type.
    private func page(of service: ServiceProfile) -> String {
        var lines = [
            "# ``\(link(name(of: service)))``", "", Self.comment, "", "## Characteristics", "",
            "The service has the UUID `\(service.uuid)`.",
        ]
        for characteristic in service.characteristics { lines += [""] + section(of: characteristic) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func section(of characteristic: CharacteristicProfile) -> [String] {
        let type = characteristic.configuration.map { name(of: $0) } ?? ""
        var lines = ["### \(characteristic.name)", ""]
        if let summary = source.summaries[type], !summary.isEmpty { lines += [summary, ""] }
        lines += ["| | |", "|---|---|", "| UUID | `\(characteristic.uuid)` |"]
        lines.append("| type | ``\(link(type))`` |")
        lines.append("| properties | \(Self.list(characteristic.properties.names)) |")
        lines.append("| permissions | \(Self.list(characteristic.permissions.names)) |")
        if let text = text(of: characteristic) { lines.append("| text | \(text) |") }
        let rows = rows(of: characteristic, type)
        guard !rows.isEmpty else { return lines }
        return lines + ["", "| property | type | description |", "|---|---|---|"] + rows
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.map { "`\($0)`" }.joined(separator: ", ")
    }

    // MARK: The parts of a value

    /// The properties of the value's type, with its unit first where the type is one number.
    private func rows(of characteristic: CharacteristicProfile, _ type: String) -> [String] {
        if let scaled = characteristic.configuration as? any ScaledValue.Type { return [Self.row(of: scaled)] }
        if let medical = characteristic.configuration as? any MedicalFloatValue.Type {
            return ["| `value` | `Double?` | The number in \(medical.unit); nil when none was sent. |"]
        }
        let hidden: Set = ["stringValue", "description", "encodedByteCount", "choice"]
        let properties = source.properties(of: type).filter { !hidden.contains($0.name) }
        return properties.map { property in
            let type = property.type.isEmpty ? "" : "`\(property.type)`"
            return "| `\(property.name)` | \(type) | \(property.summary) |"
        }
    }

    private static func row<Value: ScaledValue>(of type: Value.Type) -> String {
        let unit = type.unit.isEmpty ? "without a unit" : "in \(type.unit)"
        let steps = Value.Step.stepsPerUnit
        let step = steps == 1 ? "1" : steps < 1 ? "\(Int((1 / steps).rounded()))" : "1/\(Int(steps))"
        var text = "The number \(unit), in steps of \(step)"
        if let range = type.range { text += ", \(number(range.lowerBound)) through \(number(range.upperBound))" }
        text += type.unknownRawValue == nil ? "." : "; nil when it is not known."
        return "| `value` | `Double?` | \(text) |"
    }

    private static func number(_ value: Double) -> String {
        (value == value.rounded() ? "\(Int(value))" : "\(value)").replacingOccurrences(of: "-", with: "−")
    }

    /// The parts of the text with their units and choices; nil where only a value knows them.
    private func text(of characteristic: CharacteristicProfile) -> String? {
        if let fields = characteristic.configuration as? any TextFieldCoding.Type { return Self.text(of: fields) }
        if let intermediate = characteristic.configuration as? any IntermediateMeasurement.Type,
            let fields = Self.measurement(of: intermediate) as? any TextFieldCoding.Type
        {
            return Self.text(of: fields)
        }
        if !characteristic.stringValues.isEmpty { return Self.choices(characteristic.stringValues) }
        let units = characteristic.units
        var names = Set(characteristic.initialValue.flatMap { characteristic.stringValue($0) }?.keys.map(\.self) ?? [])
        names.formUnion(units.keys)
        guard !names.isEmpty else { return nil }
        return names.sorted().map { Self.part($0, units[$0], []) }.joined(separator: "; ")
    }

    private static func text<Value: TextFieldCoding>(of type: Value.Type) -> String {
        type.textFields.map { field in
            part(field.name, field.unit, field.isOptional ? ["may be missing"] : [], field.allowed)
        }.joined(separator: "; ")
    }

    private static func measurement<Value: IntermediateMeasurement>(of type: Value.Type) -> Any.Type {
        Value.Measurement.self
    }

    private static func part(_ name: String, _ unit: String?, _ notes: [String], _ allowed: [String] = []) -> String {
        let notes = (unit.map { ["in \($0)"] } ?? []) + notes
        return "`\(name)`" + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
            + (allowed.isEmpty ? "" : ": \(choices(allowed))")
    }

    private static func choices(_ texts: [String]) -> String { texts.map { "\"\($0)\"" }.joined(separator: ", ") }

    // MARK: All characteristics

    /// An article with a table of all characteristics.
    private var characteristics: String {
        var owners: [String: [ServiceProfile]] = [:]
        var profiles: [String: CharacteristicProfile] = [:]
        for service in services {
            for characteristic in service.characteristics {
                let key = "\(characteristic.name) \(characteristic.uuid)"
                owners[key, default: []].append(service)
                profiles[key] = profiles[key] ?? characteristic
            }
        }
        let rows = profiles.sorted { $0.key < $1.key }.map { key, profile in
            let services = (owners[key] ?? []).map { "``\(link(name(of: $0)))``" }.joined(separator: ", ")
            let units = profile.units.map { $0.key == profile.name ? $0.value : "\($0.key): \($0.value)" }.sorted()
            return "| \(profile.name) | `\(profile.uuid)` | \(units.joined(separator: "; ")) | \(services) |"
        }
        return """
            # Every characteristic

            The characteristics that have a type, with their units, by name.

            \(Self.comment)

            ## Overview

            The page of a service has the properties, the permissions, the parts of the value and the text of each of its
            characteristics. A part whose value itself names its unit, such as a weight in kilograms or pounds, is listed without one
            here.

            | characteristic | UUID | unit | services |
            |---|---|---|---|
            \(rows.joined(separator: "\n"))

            """
    }

    // MARK: Names

    /// The name of a type as it stands in the sources.
    private func name(of type: Any.Type) -> String {
        String(reflecting: type).replacingOccurrences(of: module + ".", with: "")
    }

    private func name(of service: ServiceProfile) -> String {
        service.configuration.map { name(of: $0) } ?? service.name
    }

    private func link(_ name: String) -> String { name.replacingOccurrences(of: ".", with: "/") }
}
