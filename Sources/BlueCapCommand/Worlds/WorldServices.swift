// SPDX-License-Identifier: MIT

import BlueCap

/// The services of a device in a world's file, by the library's profiles, and the values that move.
struct WorldServices: Sendable {
    private struct Move: Sendable {
        let characteristic: VirtualCharacteristic
        let place: NumberInValue
        let generator: ValueGenerator

        /// Moves until the task is cancelled.
        func run(on clock: BlueCapClock, seed: UInt64) async {
            var number: Double?
            for step in 0... {
                let next = generator.number(step, after: number, seed: seed)
                number = next
                if let bytes = place.bytes(for: next, in: characteristic.value) { characteristic.update(bytes) }
                do { try await clock.sleep(for: generator.period) } catch { return }
            }
        }
    }

    let services: [VirtualService]
    /// Activities that go on until the task is cancelled.
    let lives: [WorldInhabitant.Life]
    /// The rules by which writes are answered.
    let answers: WorldAnswers

    /// - Throws: The mistake, and the service, value or move that has it.
    init(_ device: WorldDevice, seed: UInt64) throws(WorldFault) {
        var profiles: [ServiceProfile] = []
        for (index, name) in (device.services ?? []).enumerated() {
            let profile = try WorldFault.at("services[\(index)]") { () throws(CommandFailure) in
                try EmulatedServices.profile(named: name)
            }
            profiles.append(profile)
        }
        // The names and values are read as `emulate` reads them.
        let whole = EmulatedServices(profiles)
        var chosen: Set<MutableCharacteristic> = []
        for (index, name) in (device.characteristics ?? []).enumerated() {
            chosen.insert(
                try WorldFault.at("characteristics[\(index)]") { () throws(CommandFailure) in
                    try whole.characteristic(name)
                })
        }
        for service in whole.services where !chosen.isDisjoint(with: service.characteristics) {
            service.characteristics.removeAll { !chosen.contains($0) }
        }
        // A value or a move of a characteristic that is left out is refused.
        let model = EmulatedServices(services: whole.services)
        var names: [MutableCharacteristic: String] = [:]
        for (name, text) in (device.values ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let set = SetArgument(argument: name + "=" + text) else {
                throw WorldFault(path: "values", message: "'\(name)' is no name of a characteristic")
            }
            try WorldFault.at("values.\(name)") { () throws(CommandFailure) in
                let characteristic = try model.characteristic(set.name)
                if let other = names.updateValue(name, forKey: characteristic) {
                    throw CommandFailure(.usage, "'\(other)' is another value of it: remove one of both")
                }
                characteristic.value = try set.bytes(for: characteristic)
            }
        }
        let sensors = EmulatedSensor.sensors(of: model.services, seed: seed)
        var made: [MutableCharacteristic: VirtualCharacteristic] = [:]
        services = model.services.map { service in
            VirtualService(
                service.uuid,
                characteristics: service.characteristics.map { each in
                    let characteristic = Self.characteristic(each, of: sensors.first { $0.isSet(by: each) })
                    made[each] = characteristic
                    return characteristic
                })
        }
        answers = try WorldAnswers(device.answers ?? [], model, made)
        var moves: [Move] = []
        for (name, text) in (device.moves ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let generator = ValueGenerator(text) else {
                throw WorldFault(
                    path: "moves.\(name)", message: "'\(text)' is no FORM:FIRST..LAST[:SECONDS], as wave:60..120")
            }
            let moved = try WorldFault.at("moves.\(name)") { () throws(CommandFailure) in
                try model.moved(MoveArgument(name, generator))
            }
            guard let characteristic = made[moved.characteristic] else { continue }
            let place = NumberInValue(
                moved.characteristic.profile, value: moved.characteristic.value, part: moved.part)
            if let place { moves.append(Move(characteristic: characteristic, place: place, generator: generator)) }
        }
        var lives = moves.map { move -> WorldInhabitant.Life in { clock in await move.run(on: clock, seed: seed) } }
        for sensor in sensors {
            // Data with a move are not measured.
            guard let data = made[sensor.data], !moves.contains(where: { $0.characteristic === data }) else { continue }
            lives.append { clock in
                await sensor.run(on: clock) { sample in
                    guard data.subscriptionCount > 0 else { return false }
                    data.update(sample)
                    return true
                }
            }
        }
        self.lives = lives
    }

    /// An invalid value is refused, where a profile knows the valid values.
    ///
    /// - Parameter sensor: The sensor whose setting the characteristic is.
    private static func characteristic(
        _ model: MutableCharacteristic, of sensor: EmulatedSensor?
    ) -> VirtualCharacteristic {
        let profile = model.profile
        return VirtualCharacteristic(
            model.uuid, properties: model.properties, value: model.value ?? [],
            onWrite: { _, value in
                if let sensor {
                    let verdict = EmulatedSensor.verdict(on: value, at: 0, for: model)
                    guard verdict == .success else { return .failure(verdict) }
                    model.value = value
                    sensor.settingsChanged()
                    return .success(())
                }
                if value.isEmpty { return .failure(.invalidAttributeValueLength) }
                let isKnown = !profile.declaresValues || profile.stringValue(value) != nil
                return isKnown ? .success(()) : .failure(.valueNotAllowed)
            })
    }
}
