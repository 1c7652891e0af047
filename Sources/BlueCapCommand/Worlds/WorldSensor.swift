// SPDX-License-Identifier: MIT

import BlueCap

/// A sensor in the file of a world: the format of its frames, its values, and how they move.
struct WorldSensor: Decodable, Sendable {
    /// The name of a format, as `scan` shows it.
    var format: String
    var values: [String: SensorSetting] = [:]
    var moves: [String: ValueGenerator] = [:]
    /// The key with which its frames are encrypted; nil for clear ones.
    var key: Bytes?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case format, values, moves, key
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(ofWorld: CodingKeys.self) { text in
            let format = Self.formats.contains(text) ? text : SensorFrame.btHome
            return #"{ "format": "\#(format)", "values": { "temperature": 21.5 } }"#
        }
        format = try container.decode(String.self, forKey: .format)
        key = try container.decodeIfPresent(String.self, forKey: .key).map { digits in
            if let bytes = try? Bytes(hex: digits), [12, 16].contains(bytes.count) { return bytes }
            throw container.refusal(.key, "a key has 32 digits, or 24 of an older device")
        }
        if container.contains(.values) {
            let settings = try container.nestedContainer(keyedBy: Name.self, forKey: .values)
            for name in settings.allKeys { values[name.stringValue] = try Self.setting(name, in: settings) }
        }
        if container.contains(.moves) {
            let texts = try container.nestedContainer(keyedBy: Name.self, forKey: .moves)
            for name in texts.allKeys {
                let text = try texts.decode(String.self, forKey: name)
                guard let generator = ValueGenerator(text) else {
                    throw texts.refusal(name, "'\(text)' is no FORM:FIRST..LAST[:SECONDS], as wave:18..24")
                }
                moves[name.stringValue] = generator
            }
        }
    }

    private static func setting(
        _ name: Name, in settings: KeyedDecodingContainer<Name>
    ) throws -> SensorSetting {
        if try settings.decodeNil(forKey: name) { return .unknown }
        if let isOn = try? settings.decode(Bool.self, forKey: name) { return .state(isOn) }
        if let word = try? settings.decode(String.self, forKey: name) { return .word(word) }
        return .number(try settings.required(name, settings.number(name)))
    }

    private static var formats: [String] { [SensorFrame.btHome] + KnownFormats.formats.names }

    // MARK: Frames

    /// The values of the beginning.
    var firstValues: [String: SensorSetting] {
        values.merging(moves.mapValues { .number($0.number(0, after: nil, seed: 0)) }) { $1 }
    }

    /// The frame with some values.
    ///
    /// - Parameter device: The name and the address of the device, nil for those that the format demands.
    func frame(
        _ values: [String: SensorSetting], counter: UInt64, of device: (name: String?, address: String?)
    ) throws(SensorFrameError) -> SensorFrame {
        try KnownFormats.formats.frame(
            of: format, values, counter: counter, name: device.name,
            address: device.address.flatMap { try? Bytes(hex: $0.filter { $0 != ":" }) }, key: key)
    }

    /// Refuses values that no frame can have, at the ends of all moves too.
    ///
    /// - Parameter path: The keys that lead to the device.
    func check(name: String?, address: String?, at path: [any CodingKey]) throws {
        func refusal(_ keys: [String], _ reason: String) -> DecodingError {
            .dataCorrupted(
                DecodingError.Context(
                    codingPath: path + keys.map { Name(stringValue: $0) as any CodingKey }, debugDescription: reason))
        }
        if let name = values.keys.sorted().first(where: moves.keys.contains) {
            throw refusal(["sensor", "moves", name], "it has a value, too: remove one of both")
        }
        var tried = [firstValues]
        for (name, generator) in moves {
            tried += [generator.first, generator.last].map { end in firstValues.merging([name: .number(end)]) { $1 } }
        }
        let frames: [SensorFrame]
        do throws(SensorFrameError) {
            frames = try tried.map { (values) throws(SensorFrameError) in
                // A device that the file gives no address gets one where it plays.
                try frame(values, counter: 0, of: (name, address ?? (key == nil ? nil : "C0:DE:FF:FF:00:00")))
            }
        } catch {
            switch error.part {
            case .format:
                let advice = Suggestion.question(format, among: Self.formats, advice: "choose one of \(Self.listed)")
                throw refusal(["sensor", "format"], "\(error.reason): \(advice)")
            case .name: throw refusal(["name"], error.reason)
            case .key: throw refusal(key == nil ? ["sensor"] : ["sensor", "key"], error.reason)
            case .address: throw refusal(["address"], error.reason)
            case .values: throw refusal(values.isEmpty ? ["sensor"] : ["sensor", "values"], error.reason)
            case .value(let name):
                let question = KnownFormats.formats.valueNames(of: format).flatMap { names in
                    names.contains(name) ? nil : Suggestion.question(name, among: names)
                }
                let reason = error.reason + (question.map { "; \($0)" } ?? "")
                throw refusal(["sensor", moves[name] == nil ? "values" : "moves", name], reason)
            }
        }
        let digits = address?.lowercased().filter { $0 != ":" }
        if let digits, frames.contains(where: { frame in frame.address.map { $0.hex != digits } ?? false }) {
            throw refusal(["address"], "a frame of '\(format)' cannot have this address: leave it out")
        }
    }

    private static var listed: String { ProfilePart.quoted(formats) }
}
