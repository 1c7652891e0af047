// SPDX-License-Identifier: MIT

import BlueCap

/// Services that the library has profiles of, for a manager to offer.
struct EmulatedServices: Sendable {
    let services: [MutableService]

    /// Makes the services with the first values of their profiles.
    init(_ profiles: [ServiceProfile]) {
        self.init(
            services: profiles.map { profile in
                let service = MutableService(profile: profile)
                service.characteristicsFromProfiles()
                return service
            })
    }

    init(services: [MutableService]) {
        self.services = services
        // A central that subscribes receives values from then on, none of the past.
        for characteristic in characteristics { characteristic.updatePolicy = .none }
    }

    /// The profile of a service by its name, in capitals or not, or its UUID.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` and similar names.
    static func profile(named name: String) throws(CommandFailure) -> ServiceProfile {
        let all = KnownProfiles.manager.services
        let (uuid, wanted) = (try? BluetoothUUID(text: name), CharacteristicSelector.fold(name))
        let found = all.filter { $0.uuid == uuid || CharacteristicSelector.fold($0.name) == wanted }
        if let profile = found.first(where: { !$0.characteristics.isEmpty }) { return profile }
        let advice =
            Suggestion.question(name, among: all.map(\.name)).map { "; " + $0 }
            ?? ": 'bluecap profiles' lists the services, and 'bluecap record DEVICE -o FILE' makes a file of a device"
        throw CommandFailure(.usage, "there is no file and no service '\(name)'\(advice)")
    }

    var characteristics: [MutableCharacteristic] { services.flatMap(\.characteristics) }

    /// The characteristic with a name, in capitals or not, or a UUID; `service/characteristic` where several have one.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` and the names that there are.
    func characteristic(_ text: String) throws(CommandFailure) -> MutableCharacteristic {
        if let found = find(text) { return found }
        let names = characteristics.map {
            "\n  \($0.uuid)  \($0.service.map { KnownProfiles.service($0.uuid) } ?? "")/\($0.offeredName)"
        }.joined()
        let question = Suggestion.question(text, among: characteristics.map(\.offeredName))
        let list = question.map { "\($0) These are there:\(names)" } ?? "these are there:\(names)"
        throw CommandFailure(.usage, "there is no characteristic '\(text)'; \(list)")
    }

    private func find(_ text: String) -> MutableCharacteristic? {
        if let found = characteristics.first(where: { Self.fits(text, $0.uuid, $0.offeredName) }) { return found }
        for slash in text.indices where text[slash] == "/" {
            let (service, rest) = (String(text[..<slash]), String(text[text.index(after: slash)...]))
            let owners = services.filter { Self.fits(service, $0.uuid, KnownProfiles.service($0.uuid)) }
            if let found = owners.flatMap(\.characteristics).first(where: { Self.fits(rest, $0.uuid, $0.offeredName) })
            {
                return found
            }
        }
        return nil
    }

    private static func fits(_ text: String, _ uuid: BluetoothUUID, _ name: String) -> Bool {
        (try? BluetoothUUID(text: text)) == uuid
            || CharacteristicSelector.fold(text) == CharacteristicSelector.fold(name)
    }

    /// The number that the command line moves.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` and the numbers that can be moved.
    func moved(_ move: MoveArgument) throws(CommandFailure) -> MovedValue {
        var (name, part) = (move.name, String?.none)
        if find(name) == nil, let point = name.lastIndex(of: ".") {
            (name, part) = (String(name[..<point]), String(name[name.index(after: point)...]))
        }
        let characteristic = try characteristic(name)
        guard let moved = MovedValue(characteristic, part: part) else {
            let numbers = NumberInValue.names(characteristic.offeredProfile, characteristic.value)
            throw CommandFailure(
                .usage,
                "\(characteristic.offeredName) has no number"
                    + (part.map { " '\($0)'" } ?? "")
                    + (numbers.isEmpty ? " that the library knows" : "; choose \(ProfilePart.quoted(numbers))"))
        }
        for number in [move.generator.first, move.generator.last] where moved.bytes(for: number) == nil {
            let name = characteristic.offeredName
            let part = moved.part == name ? name : "\(moved.part) of \(name)"
            let numbers = moved.numbers.map { ": it takes \($0)" } ?? ""
            throw CommandFailure(.usage, "\(part) cannot be \(TextLayout.number(number))\(numbers)")
        }
        return moved
    }

    /// The moves for a command line without any: the first number of each value that is notified.
    var usualMoves: [(MovedValue, ValueGenerator)] {
        characteristics.filter(\.canNotify).compactMap { characteristic in
            guard let moved = MovedValue(characteristic, part: nil) else { return nil }
            switch characteristic.uuid {
            case HeartRateService.Measurement.uuid: return (moved, ValueGenerator(.wave, 60, 120))
            case BatteryService.Level.uuid: return (moved, ValueGenerator(.ramp, 100, 0, period: .seconds(5)))
            default:
                // A tenth around the first value.
                guard let number = moved.number, number != 0 else { return nil }
                let generator = ValueGenerator(.wave, number * 0.9, number * 1.1)
                let fits = [generator.first, generator.last].allSatisfy { moved.bytes(for: $0) != nil }
                return fits ? (moved, generator) : nil
            }
        }
    }
}

extension MutableCharacteristic {
    /// Its profile; a restored characteristic has none, and takes the profile that is known for its UUIDs.
    var offeredProfile: CharacteristicProfile {
        if profile.name != CharacteristicProfile.unknownName { return profile }
        return KnownProfiles.profile(uuid, in: service?.uuid) ?? profile
    }

    var offeredName: String { offeredProfile.name }
}

extension EmulatedServices {
    /// Takes the services that a manager has restored, with the values of new ones that are like them.
    ///
    /// - Parameters:
    ///   - restored: The services of the preceding program.
    ///   - wanted: The services of this one.
    /// - Returns: Nil where the two have other services, characteristics or descriptors.
    init?(_ restored: [MutableService], insteadOf wanted: EmulatedServices) {
        guard restored.map(Shape.init) == wanted.services.map(Shape.init) else { return nil }
        self.init(services: restored)
        for (characteristic, other) in zip(characteristics, wanted.characteristics) {
            characteristic.value = other.value
            for (descriptor, other) in zip(characteristic.descriptors, other.descriptors) {
                descriptor.value = other.value
            }
        }
    }

    /// A service as centrals discover it, without values.
    private struct Shape: Hashable {
        struct Part: Hashable {
            var uuid: BluetoothUUID
            var properties: CharacteristicProperties
            var permissions: AttributePermissions
            var descriptors: [Descriptor]
        }

        struct Descriptor: Hashable {
            var uuid: BluetoothUUID
            var permissions: AttributePermissions
        }

        var uuid: BluetoothUUID
        var isPrimary: Bool
        var parts: [Part]

        init(_ service: MutableService) {
            (uuid, isPrimary) = (service.uuid, service.isPrimary)
            parts = service.characteristics.map {
                Part(
                    uuid: $0.uuid, properties: $0.properties, permissions: $0.permissions,
                    descriptors: $0.descriptors.map { Descriptor(uuid: $0.uuid, permissions: $0.permissions) })
            }
        }
    }
}
