// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture
import BlueCapJSON

/// A virtual world as a file: the devices in the air, their motions, and the times of their faults.
struct WorldFile: Decodable, Sendable {
    /// The version of the format that this program writes and reads.
    static let version = 1
    /// A file may have at most so many bytes.
    static let maximumByteCount = 1 << 20
    /// A world may have at most so many devices.
    static let maximumDevices = 256

    var world: Int
    /// The seed of all random behaviour; `--seed` overrides it.
    var seed: UInt64?
    /// A sentence for people.
    var about: String?
    var devices: [WorldDevice]

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case world, seed, about, devices
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(ofWorld: CodingKeys.self)
        world = try container.required(.world, container.whole(.world, as: Int.self))
        if world != Self.version {
            throw DecodingError.dataCorruptedError(
                forKey: .world, in: container,
                debugDescription: "this program reads version \(Self.version) of the format, not \(world)")
        }
        seed = try container.whole(.seed, as: UInt64.self)
        about = try container.decodeIfPresent(String.self, forKey: .about)
        devices = try container.decode([WorldDevice].self, forKey: .devices)
        if devices.count > Self.maximumDevices {
            throw DecodingError.dataCorruptedError(
                forKey: .devices, in: container, debugDescription: "a world has at most \(Self.maximumDevices) devices")
        }
    }

    /// A world that the program brings with it, from the text of its file.
    init(shipped text: String) throws(CommandFailure) { self = try Self.parse(Array(text.utf8), name: "virtual") }

    /// The world in a file, or one that the program brings with it.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage``, which names the fault and its place in the file.
    static func read(_ name: String) throws(CommandFailure) -> WorldFile {
        if let text = ShippedWorlds.text(name) { return try parse(Array(text.utf8), name: "virtual:\(name)") }
        if !isFile(name) {
            let advice = Suggestion.question(
                name, among: ShippedWorlds.names,
                advice: "choose \(ProfilePart.quoted(ShippedWorlds.names)), or a file")
            throw CommandFailure(.usage, "there is no virtual world '\(name)': \(advice)")
        }
        let bytes = try ToolFile.read(name, maximum: maximumByteCount, called: "a world")
        return try parse(bytes, name: name)
    }

    /// Whether a name that is not one of the program's own worlds is that of a file.
    static func isFile(_ name: String) -> Bool {
        name.contains("/") || name.hasSuffix(".json") || ToolFile.exists(name)
    }

    static func parse(_ bytes: [UInt8], name: String) throws(CommandFailure) -> WorldFile {
        do {
            return try JSONFailure.decode(WorldFile.self, from: bytes, within: JSONLimits(values: 1 << 18))
        } catch {
            if (try? Twin(json: bytes)) != nil {
                let file = name.split(separator: "/").last ?? ""
                throw CommandFailure(
                    .usage,
                    "\(name) is a twin, not a world: 'bluecap emulate \(name)' makes it a device. To have it in a "
                        + "world, write {\"world\": 1, \"devices\": [{\"twin\": \"\(file)\"}]} to a file beside it")
            }
            throw CommandFailure(.usage, "\(name): \(JSONFailure.text(error))")
        }
    }
}

extension Decoder {
    /// The values of an object in the file of a world.
    ///
    /// - Parameter way: How to write as an object what stands there as a text; nil for the whole file.
    func container<Key: CodingKey & CaseIterable>(
        ofWorld type: Key.Type, way: ((_ text: String) -> String)? = nil
    ) throws -> KeyedDecodingContainer<Key> {
        if let way, let text = try? singleValueContainer().decode(String.self) {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: "this is an object in braces: write \(way(text))"))
        }
        return try container(of: type) { word, keys in
            Suggestion.question(word, among: keys, advice: "choose \(ProfilePart.quoted(keys))")
        }
    }
}

/// A mistake in a device of a world's file, with the keys that lead to it.
struct WorldFault: Error {
    /// The way from the device to the value, as `services[0]`; empty for the whole device.
    var path: String
    var message: String

    /// Reports failures of `body` as mistakes of a value.
    static func at<Value>(
        _ path: String, _ body: () throws(CommandFailure) -> Value
    ) throws(WorldFault) -> Value {
        do throws(CommandFailure) {
            return try body()
        } catch {
            throw WorldFault(path: path, message: error.message)
        }
    }

    /// `"devices[2].services[0]: there is no …"`.
    func text(ofDevice index: Int) -> String { "devices[\(index)]\(path.isEmpty ? "" : "." + path): \(message)" }
}

/// Reads the values of a world's file, each within its limits.
extension KeyedDecodingContainer {
    func seconds(_ key: Key) throws -> Double? {
        let seconds = try number(key)
        if let seconds, !(0...1e6).contains(seconds) { throw refusal(key, "times are seconds from 0 to 1000000") }
        return seconds
    }

    func metres(_ key: Key) throws -> Double? {
        let metres = try number(key)
        if let metres, !(0...1000).contains(metres) { throw refusal(key, "distances are metres from 0 to 1000") }
        return metres
    }

    /// A part of a whole.
    func share(_ key: Key) throws -> Double? {
        let share = try number(key)
        if let share, !(0...1).contains(share) { throw refusal(key, "a part is a number from 0 to 1, as 0.25") }
        return share
    }

    /// One of the words of an enumeration.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: Key, called noun: String) throws -> Choice? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        let advice = Suggestion.question(text, among: names, advice: "choose \(ProfilePart.quoted(names))")
        throw refusal(key, "'\(text)' is no \(noun): \(advice)")
    }

    func required<Value>(_ key: Key, _ value: Value?) throws -> Value {
        if let value { return value }
        throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: ""))
    }
}
