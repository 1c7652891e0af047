// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture
import BlueCapJSON

/// A device in the file of a virtual world.
struct WorldDevice: Decodable, Sendable {
    struct Point: Decodable, Sendable {
        /// Seconds since the world began, or since it began again.
        var at: Double
        var metres: Double

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case at, metres
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(ofWorld: CodingKeys.self) { _ in #"{ "at": 0, "metres": 1 }"# }
            at = try container.required(.at, container.seconds(.at))
            metres = try container.required(.metres, container.metres(.metres))
        }
    }

    /// A fault of a device, or its end, at a time.
    struct Fault: Decodable, Sendable {
        enum Kind: String, Decodable, CaseIterable, Sendable {
            /// It is not heard any more, and its links are lost.
            case vanish
            case reappear
            /// Its links end.
            case disconnect
            /// It does not answer.
            case mute
            case unmute
            /// It takes no connections.
            case refuse
            case accept
            /// It restarts, and forgets its links.
            case reset
            /// A part of its packets is lost, as `value` from 0 to 1.
            case lose
            /// It answers later, by `value` seconds.
            case slow

            /// Whether a number says how much.
            var hasValue: Bool { self == .lose || self == .slow }
        }

        var at: Double
        var kind: Kind
        var value: Double

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case at
            case kind = "do"
            case value
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(ofWorld: CodingKeys.self) { text in
                #"{ "at": 1, "do": "\#(Kind(rawValue: text)?.rawValue ?? "vanish")" }"#
            }
            at = try container.required(.at, container.seconds(.at))
            kind = try container.required(.kind, container.choice(.kind, called: "fault"))
            guard kind.hasValue || !container.contains(.value) else {
                throw container.refusal(.value, "only 'lose' and 'slow' have a value")
            }
            value = try (kind == .lose ? container.share(.value) : container.seconds(.value)) ?? 0
        }
    }

    /// A write, and the values that follow on it.
    struct Answer: Decodable, Sendable {
        /// `NAME=VALUE`, as `emulate --set` takes it; so are the values.
        var write: String
        var values: [String]
        /// Seconds from the write to the values.
        var after: Double

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case write, values, after
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(ofWorld: CodingKeys.self) { text in
                #"{ "write": "\#(text.contains("=") ? text : "2A39=01")", "values": ["battery level=50"] }"#
            }
            write = try container.decode(String.self, forKey: .write)
            values = try container.decode([String].self, forKey: .values)
            after = try container.seconds(.after) ?? 0
        }
    }

    /// A twin, or the file of one, from the folder of the world's file.
    enum Model: Decodable, Sendable {
        case file(String)
        case twin(Twin)

        init(from decoder: any Decoder) throws {
            if let path = try? decoder.singleValueContainer().decode(String.self) {
                self = .file(path)
                return
            }
            do {
                self = .twin(try Twin(from: decoder))
            } catch let error as TwinError {
                guard case .invalid(let path, let reason) = error else {
                    throw DecodingError.dataCorrupted(
                        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: error.description))
                }
                let keys = decoder.codingPath + PlacedJSON.keys(ofPath: path)
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: keys, debugDescription: reason))
            }
        }
    }

    /// A device that comes with the program.
    enum BuiltIn: String, CaseIterable, Sendable {
        case heartStrap
    }

    enum Pairing: String, CaseIterable, Sendable {
        case justWorks, comparing, showing, typing, refused
    }

    /// The frame of a beacon, as `beacon advertise` makes it.
    struct Beacon: Decodable, Sendable {
        var uuid: String
        var major: UInt16?
        var minor: UInt16?
        /// dBm at one metre.
        var power: Int8?

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case uuid, major, minor, power
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(ofWorld: CodingKeys.self) { text in
                #"{ "uuid": "\#(ProximityUUID(argument: text) == nil ? "…" : text)" }"#
            }
            uuid = try container.decode(String.self, forKey: .uuid)
            major = try container.whole(.major, as: UInt16.self)
            minor = try container.whole(.minor, as: UInt16.self)
            power = try container.whole(.power, as: Int8.self)
        }
    }

    var name: String?
    var address: String?
    var metres: Double?
    /// Names or UUIDs of services that the library has profiles of.
    var services: [String]?
    /// Names or UUIDs of the characteristics that it has; of a service of which none is named it has all.
    var characteristics: [String]?
    /// First values, by the names or UUIDs of characteristics.
    var values: [String: String]?
    /// Values that move, by the names or UUIDs of characteristics, as `emulate --move` takes them.
    var moves: [String: String]?
    /// The rules by which it answers writes.
    var answers: [Answer]?
    var twin: Model?
    var iBeacon: Beacon?
    var altBeacon: Beacon?
    var eddystone: Beacon?
    /// A sensor that sends its values in advertisements.
    var sensor: WorldSensor?
    var builtIn: BuiltIn?
    /// Whether it is paired with the adapter from the start.
    var paired: Bool?
    var pairing: Pairing?
    /// The six digits that it shows with each pairing.
    var passkey: UInt32?
    /// Where it is when; between two points it moves straight.
    var path: [Point]?
    var faults: [Fault]?
    /// After so many seconds path and faults begin again.
    var period: Double?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, address, metres, services, characteristics, values, moves, answers, twin
        case iBeacon, altBeacon, eddystone, sensor, builtIn, paired, pairing, passkey, path, faults, period

        /// One of them says what the device is.
        static let kinds = [CodingKeys.services, .twin, .iBeacon, .altBeacon, .eddystone, .sensor, .builtIn]
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(ofWorld: CodingKeys.self, way: Self.object)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        address = try container.decodeIfPresent(String.self, forKey: .address)
        metres = try container.metres(.metres)
        services = try container.decodeIfPresent([String].self, forKey: .services)
        characteristics = try container.decodeIfPresent([String].self, forKey: .characteristics)
        values = try container.decodeIfPresent([String: String].self, forKey: .values)
        moves = try container.decodeIfPresent([String: String].self, forKey: .moves)
        answers = try container.decodeIfPresent([Answer].self, forKey: .answers)
        twin = try container.decodeIfPresent(Model.self, forKey: .twin)
        iBeacon = try container.decodeIfPresent(Beacon.self, forKey: .iBeacon)
        altBeacon = try container.decodeIfPresent(Beacon.self, forKey: .altBeacon)
        eddystone = try container.decodeIfPresent(Beacon.self, forKey: .eddystone)
        sensor = try container.decodeIfPresent(WorldSensor.self, forKey: .sensor)
        builtIn = try container.choice(.builtIn, called: "built-in device")
        paired = try container.decodeIfPresent(Bool.self, forKey: .paired)
        pairing = try container.choice(.pairing, called: "pairing")
        passkey = try container.decodeIfPresent(String.self, forKey: .passkey).map { digits in
            guard let passkey = PairingQuestion.passkey(digits) else {
                throw container.refusal(.passkey, "'\(digits.prefix(32))' is not six digits in quotes, as \"012345\"")
            }
            return passkey
        }
        path = try container.decodeIfPresent([Point].self, forKey: .path)
        faults = try container.decodeIfPresent([Fault].self, forKey: .faults)
        period = try container.seconds(.period)
        if CodingKeys.kinds.count(where: container.contains) != 1 {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "a device has one of \(ProfilePart.quoted(CodingKeys.kinds.map(\.rawValue)))"))
        }
        let ofServices = [CodingKeys.characteristics, .values, .moves, .answers]
        if services == nil, let key = ofServices.first(where: container.contains) {
            throw container.refusal(key, "only a device of 'services' has what is set here")
        }
        if passkey != nil, pairing != .showing {
            throw container.refusal(.passkey, "only a device with 'pairing' 'showing' shows its passkey")
        }
        if let address, !Self.isAddress(address) {
            throw container.refusal(
                .address, "'\(address)' is no address: write six pairs of digits, as C0:DE:00:00:00:01")
        }
        try sensor?.check(name: name, address: address, at: decoder.codingPath)
        if let period, period < 0.001 {
            throw container.refusal(.period, "times are seconds, and this one is 0.001 or longer")
        }
    }

    /// The object that a text in the place of a device most likely means.
    private static func object(_ text: String) -> String {
        if let device = BuiltIn(rawValue: text) { return #"{ "builtIn": "\#(device)" }"# }
        if text.hasSuffix(".json") { return #"{ "twin": "\#(text)" }"# }
        let isService = (try? EmulatedServices.profile(named: text)) != nil
        return #"{ "services": ["\#(isService ? text : "Battery")"] }"#
    }

    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 6 && parts.allSatisfy { $0.utf8.count == 2 && UInt8($0, radix: 16) != nil }
    }
}
