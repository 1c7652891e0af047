// SPDX-License-Identifier: MIT

import BlueCapJSON
import BlueCapSerDe

/// Reads a file of sensor formats, and finds its mistakes.
struct SensorFormatReader {
    static let schema = "bluecap-sensors"
    /// The newest version of the form that this package reads.
    static let version = 1

    /// The greatest number of formats in a file, of fields in a format, and of names, sources and patterns of one.
    private static let (maximumFormats, maximumFields, maximumChoices) = (256, 32, 32)
    /// The greatest number of names, sources and patterns of all formats of a file: each is compared with others.
    static let maximumChoicesOfAll = 1024
    /// The greatest number of bytes of a pattern.
    static let maximumPatternLength = 32
    /// The greatest number of bytes of a frame: that of an extended advertisement's data.
    private static let maximumLength = 254
    private static let topKeys = ["schema", "version", "about", "formats"]
    private static let keys = [
        "name", "about", "company", "service", "names", "length", "prefix", "mask", "fields", "counter", "address",
        "check",
    ]

    let list: MistakeList

    init(_ list: MistakeList) { self.list = list }

    func formats(_ json: PlacedJSON) -> [SensorFormat] {
        guard case .object(let members) = json.content else {
            list.add(json.place, "the file is an object in braces: {…}")
            return []
        }
        guard case .text(Self.schema)? = members.first(where: { $0.key == "schema" })?.value.content else {
            list.add(json.place, "the file has no \"schema\": \"\(Self.schema)\"")
            return []
        }
        // A newer version may have other keys.
        if let number = members.first(where: { $0.key == "version" })?.value.number, number > Double(Self.version) {
            list.add(json.place, "the version \(number) of the file is newer than this program, which reads 1")
            return []
        }
        guard let top = ConfigurationObject(json, called: "the file", keys: Self.topKeys, list) else { return [] }
        if top.whole("version", "a version", in: 1...Self.version) == nil, !top.has("version") {
            top.refuse("version", "is missing: write \"version\": 1")
        }
        guard let values = choices(top, "formats", maximum: Self.maximumFormats) else { return [] }
        let formats = values.compactMap { value in format(value).map { (format: $0, place: value.place) } }
        var count = 0
        for (format, place) in formats {
            count += format.parts.sources.count + format.parts.names.count + format.parts.patterns.count
            if count > Self.maximumChoicesOfAll {
                list.add(
                    place,
                    "the formats up to this one have \(count) identifiers, 'names' and choices of 'prefix', and at most "
                        + "\(Self.maximumChoicesOfAll) are read: divide the file")
                return []
            }
        }
        compare(formats)
        return formats.map(\.format)
    }

    /// Finds formats with one name, and formats of which one frame may be.
    private func compare(_ formats: [(format: SensorFormat, place: JSONPlace)]) {
        let overlap = SensorFormatOverlap(of: formats.map(\.format))
        var lines: [String: Int] = [:]
        for (index, (format, place)) in formats.enumerated() {
            if let line = lines.updateValue(place.line, forKey: format.name) {
                list.add(place, "'\(format.name)' is the name of the format in line \(line), too")
            } else if let other = overlap.earlier[index].map({ formats[$0] }) {
                list.add(
                    place,
                    "a frame may be of this format and of '\(other.format.name)' in line \(other.place.line): "
                        + "tell them apart by 'length', 'prefix' or 'names'")
            }
        }
    }

    /// A description; nil where it has a mistake.
    private func format(_ value: PlacedJSON) -> SensorFormat? {
        let count = list.count
        guard let object = ConfigurationObject(value, called: "a format", keys: Self.keys, list) else { return nil }
        _ = object.text("about", isEmptyAllowed: true)
        var parts = SensorFormat.Parts()
        if let name = object.text("name") { parts.name = name } else { require(object, "name") }
        parts.sources = sources(object)
        parts.names = names(object)
        parts.lengths = lengths(object)
        parts.patterns = patterns(object, fitting: parts.lengths.lowerBound)
        let fields = SensorFieldReader(list, byteCount: parts.lengths.lowerBound)
        if let values = choices(object, "fields", maximum: Self.maximumFields) {
            parts.fields = values.compactMap(fields.field)
        }
        parts.counter = object.object("counter", keys: SensorFieldReader.placeKeys + ["unknown"]).flatMap { counter in
            fields.place(counter).map { SensorFormat.Counter(place: $0, unknown: fields.unknown(counter)) }
        }
        if let address = object.object("address", keys: ["at", "bigEndian"]),
            let offset = fields.offset(address, byteCount: SensorFormat.addressByteCount)
        {
            parts.address = SensorFormat.Address(
                offset: offset, isReversed: address.truth("bigEndian") != true)
        }
        parts.check = object.object("check", keys: ["at", "type", "from", "to"]).flatMap { check($0, fields) }
        if parts.sources.contains(.anyCompany), !parts.names.allSatisfy(Self.isLookedFor) || parts.names.isEmpty {
            object.refuse(
                "company", "is \"any\", and needs 'names' with at least \(SensorFormats.startByteCount) letters")
        }
        return list.count == count ? SensorFormat(parts) : nil
    }

    private static func isLookedFor(_ name: String) -> Bool {
        name.utf8.count - (name.hasSuffix("*") ? 1 : 0) >= SensorFormats.startByteCount
    }

    private func require(_ object: ConfigurationObject, _ key: String) {
        if !object.has(key) { object.refuse(key, "is missing") }
    }

    // MARK: Parts

    private func sources(_ object: ConfigurationObject) -> [SensorFormat.Source] {
        if object.has("company") == object.has("service") {
            object.refuse("company", "or 'service' has the identifier of the data: one of both is there")
            return []
        }
        if object.has("service") {
            return texts(object, "service").compactMap { text in
                if let uuid = try? BluetoothUUID(text: text) { return .service(uuid) }
                object.refuse("service", "is no UUID: write four digits, as \"181A\", or all of it")
                return nil
            }
        }
        return texts(object, "company").compactMap { text in
            if text == "any" { return .anyCompany }
            if text.utf8.count == 4, let number = UInt16(text, radix: 16) { return .company(number) }
            object.refuse("company", "is no identifier: write four digits, as \"0499\", or \"any\"")
            return nil
        }
    }

    private func names(_ object: ConfigurationObject) -> [String] { object.has("names") ? texts(object, "names") : [] }

    private func lengths(_ object: ConfigurationObject) -> ClosedRange<Int> {
        require(object, "length")
        let all = 1...Self.maximumLength
        guard case .list(let values)? = object.value("length")?.content else {
            return object.whole("length", "a number of bytes", in: all).map { $0...$0 } ?? all
        }
        let numbers = values.map { $0.number.flatMap(Int.init(exactly:)) ?? 0 }
        guard numbers.count == 2, numbers.allSatisfy(all.contains), numbers[0] <= numbers[1] else {
            object.refuse(
                "length", "is a number of bytes from 1 to \(Self.maximumLength), or the least and the greatest")
            return all
        }
        return numbers[0]...numbers[1]
    }

    /// - Parameter count: The bytes of the shortest frame.
    private func patterns(_ object: ConfigurationObject, fitting count: Int) -> [SensorPattern] {
        let mask = object.has("mask") ? SensorFieldReader.bytes(object, "mask") : nil
        if mask != nil, !object.has("prefix") { object.refuse("mask", "is for 'prefix', which is missing") }
        if !object.has("prefix") { return [] }
        return texts(object, "prefix").compactMap { text in
            guard let bytes = try? Bytes(hex: text), !bytes.isEmpty, bytes.count == mask?.count ?? bytes.count else {
                object.refuse("prefix", "is not of pairs of hexadecimal digits, as many as in 'mask'")
                return nil
            }
            if bytes.count > count {
                object.refuse("prefix", "has \(bytes.count) bytes, and a frame has \(count): see 'length'")
            }
            if bytes.count > Self.maximumPatternLength {
                object.refuse("prefix", "has \(bytes.count) bytes, and at most \(Self.maximumPatternLength) are read")
            }
            return SensorPattern(offset: 0, bytes, mask: mask)
        }
    }

    private func check(_ object: ConfigurationObject, _ fields: SensorFieldReader) -> SensorFormat.Check? {
        let kinds = ["sum": false, "xor": true]
        guard let kind = object.text("type"), let isExclusiveOr = kinds[kind] else {
            object.refuse("type", "is \"sum\" or \"xor\", of the bytes from 'from' to 'to'")
            return nil
        }
        guard let offset = fields.offset(object, byteCount: 1), let first = fields.offset(object, "from", byteCount: 1),
            let last = fields.offset(object, "to", byteCount: 1)
        else { return nil }
        guard first <= last, !(first...last).contains(offset) else {
            object.refuse("to", "is before 'from', or the sum is a part of itself")
            return nil
        }
        return SensorFormat.Check(offset: offset, range: first..<last + 1, isExclusiveOr: isExclusiveOr)
    }

    // MARK: Lists

    /// The texts of a key, which has one or a list of them.
    private func texts(_ object: ConfigurationObject, _ key: String) -> [String] {
        guard case .list? = object.value(key)?.content else { return object.text(key).map { [$0] } ?? [] }
        return (choices(object, key, maximum: Self.maximumChoices) ?? []).compactMap { value in
            if case .text(let text) = value.content, (1...255).contains(text.utf8.count) { return text }
            list.add(value.place, "'\(key)' has texts of 1 to 255 bytes in quotes")
            return nil
        }
    }

    /// The values of a list, which is not empty.
    private func choices(_ object: ConfigurationObject, _ key: String, maximum: Int) -> [PlacedJSON]? {
        require(object, key)
        guard let values = object.list(key) else { return nil }
        if values.isEmpty { object.refuse(key, "is empty") }
        if values.count <= maximum { return values }
        object.refuse(key, "has \(values.count) values, and at most \(maximum) are read")
        return nil
    }
}
