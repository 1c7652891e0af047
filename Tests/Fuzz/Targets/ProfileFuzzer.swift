// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapProfiles
import BlueCapSerDe
import BlueCapVendorProfiles

/// The decoders of a catalogue's characteristics, taken from the catalogue itself so that none can be forgotten.
///
/// An input begins with the 16-bit UUID of the characteristic, or else with any number that chooses one; counted bytes
/// of a value follow, and then the changes that are made to its text.
struct ProfileFuzzer {
    /// The checks of one type of values.
    struct Decoder {
        let uuid: BluetoothUUID
        let body: (inout FuzzInput) -> Void
    }

    private var decoders: [Decoder] = []
    private var indices: [UInt16: [Int]] = [:]

    init(_ services: [ServiceProfile], decoders others: [Decoder] = []) {
        for profile in services.flatMap(\.characteristics) {
            if let type = profile.configuration as? any ProfileValue.Type {
                decoders.append(Self.decoder(profile, type))
            } else {
                decoders.append(Decoder(uuid: profile.uuid) { Self.untyped(profile, &$0) })
            }
        }
        decoders += others
        for (index, decoder) in decoders.enumerated() {
            if let number = decoder.uuid.uint16 { indices[number, default: []].append(index) }
        }
    }

    func run(_ input: inout FuzzInput) {
        let number = input.word()
        // Several services have a characteristic of their own under one UUID.
        for index in indices[number] ?? [Int(number) % decoders.count] {
            var copy = input
            decoders[index].body(&copy)
        }
    }

    private static func decoder<Value: ProfileValue>(_ profile: CharacteristicProfile, _ type: Value.Type) -> Decoder {
        Decoder(uuid: profile.uuid) { input in
            let bytes = input.counted()
            let value = roundTrip(type, bytes)
            let text = profile.stringValue(Bytes(bytes))
            expect(text == value?.stringValue, "\(profile) has another text than its type")
            if value != nil, let text {
                expect(profile.bytes(fromString: text) != nil, "\(profile) refuses \(text)")
            }
            texts(type, value, names: [profile.name], &input)
        }
    }

    /// Texts that a person may type: those of a value with some of them changed or left out.
    private static func texts<Value: ByteCodable & StringDeserializable>(
        _ type: Value.Type, _ value: Value?, names: [String], _ input: inout FuzzInput
    ) {
        var text = value.map { expectText(of: $0) } ?? [:]
        let keys = text.isEmpty ? names : text.keys.sorted()
        while !input.isAtEnd {
            let key = input.pick(keys)
            switch input.byte() % 8 {
            case 0: text[key] = nil
            case 1: text[key] = Value.stringValues.isEmpty ? "0" : input.pick(Value.stringValues)
            // A text ends with its first zero.
            default: text[key] = input.text().filter { $0 != "\0" }
            }
            guard let typed = Value(stringValue: text) else { continue }
            expectEncoding(of: typed)
            _ = expectText(of: typed)
        }
    }

    private static func untyped(_ profile: CharacteristicProfile, _ input: inout FuzzInput) {
        let bytes = Bytes(input.counted())
        if let text = profile.stringValue(bytes) {
            expect(profile.bytes(fromString: text) == bytes, "\(profile) loses \(bytes)")
        }
        if let written = profile.bytes(fromString: [profile.name: input.restOfText()]) {
            expect(profile.stringValue(written) != nil, "\(profile) wrote \(written) and refuses it")
        }
    }

    private static func decoder<Value: ByteCodable & StringDeserializable>(
        _ uuid: BluetoothUUID, _ type: Value.Type
    ) -> Decoder {
        Decoder(uuid: uuid) { input in
            let value = roundTrip(type, input.counted())
            texts(type, value, names: ["-"], &input)
        }
    }
}

extension ProfileFuzzer {
    /// The services for health and sport, and the services about the device itself.
    static var health: [ServiceProfile] { BLESIGGATTProfiles.services.filter { healthUUIDs.contains($0.uuid) } }

    /// All other services of the Bluetooth SIG.
    static var sensing: [ServiceProfile] { BLESIGGATTProfiles.services.filter { !healthUUIDs.contains($0.uuid) } }

    /// The decoders of descriptors, which a catalogue does not list.
    static var descriptors: [Decoder] {
        [
            decoder(
                EnvironmentalSensingService.MeasurementDescriptor.uuid,
                EnvironmentalSensingService.MeasurementDescriptor.self),
            decoder(EnvironmentalSensingService.TriggerSetting.uuid, EnvironmentalSensingService.TriggerSetting.self),
            decoder(EnvironmentalSensingService.Configuration.uuid, EnvironmentalSensingService.Configuration.self),
        ]
    }

    /// The services of single makers.
    static var vendors: [ServiceProfile] {
        TISensorTagProfiles.services + [TISensorTagProfiles.deviceInformation] + NordicProfiles.services
            + GnosusProfiles.services
    }

    private static let healthUUIDs: Set<BluetoothUUID> = [
        "1802", "1803", "1804", "1808", "1809", "180A", "180D", "180F", "1810", "1814", "1816", "1818", "181B", "181C",
        "181D", "1822",
    ]
}
