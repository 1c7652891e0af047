// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapCapture
import BlueCapRuntime

/// A device of a world's file, with its motions and faults.
struct WorldInhabitant: Sendable {
    typealias Life = @Sendable (BlueCapClock) async -> Void

    let peripheral: VirtualPeripheral
    /// The activities that go on until the task is cancelled, each in a task of its own.
    private(set) var lives: [Life] = []
    private let isPaired: Bool
    private let proximity: VirtualProximity?

    /// - Throws: The mistake in the device, and its place.
    init(_ device: WorldDevice, index: Int, folder: String, seed: UInt64) throws(WorldFault) {
        isPaired = device.paired ?? false
        let place = device.path?.first?.metres ?? device.metres
        let proximity = VirtualProximity.metres(place ?? 1)
        // Of its own for each: a world has at most 256 devices.
        let number = String(index, radix: 16, uppercase: true)
        let address = device.address ?? "C0:DE:FF:FF:00:" + (number.count == 1 ? "0" + number : number)
        var pairing = Self.pairing(device.pairing ?? .justWorks)
        if let model = device.twin {
            var twin = try WorldFault.at("twin") { () throws(CommandFailure) in
                switch model {
                case .file(let path): try ToolFile.twin(path.hasPrefix("/") ? path : folder + path)
                case .twin(let twin): twin
                }
            }
            if device.address != nil || twin.address == nil { twin.address = PeerIdentifier(address) }
            if let name = device.name { twin.rename(to: name) }
            // Without digits its values for authenticated links could not be read.
            if device.pairing == nil, twin.asksForAuthentication { pairing = .comparing }
            peripheral = VirtualPeripheral(twin: twin, replay: .repeating, pairing: pairing)
        } else if let frame = try Self.frame(of: device) {
            peripheral = VirtualPeripheral(
                name: device.name ?? "", address: address, proximity: proximity,
                advertising: VirtualAdvertising(frame), pairing: pairing)
        } else if let sensor = device.sensor {
            let played: PlayedSensor
            do throws(SensorFrameError) {
                played = try PlayedSensor(sensor, name: device.name, address: address)
            } catch {
                throw WorldFault(path: "sensor", message: error.reason)
            }
            let first = played.first.advertisement
            let device = VirtualPeripheral(
                name: first.localName ?? "", address: Self.address(played.first) ?? address, proximity: proximity,
                advertising: VirtualAdvertising(first), pairing: pairing)
            peripheral = device
            lives.append { clock in
                try? await played.run(on: clock, seed: seed) {
                    device.startAdvertising(VirtualAdvertising($0.advertisement))
                }
            }
        } else if device.builtIn == .heartStrap {
            let strap = VirtualHeartStrap(
                seed: seed, name: device.name ?? "Heart Strap", address: address, proximity: proximity, pairing: pairing
            )
            peripheral = strap.peripheral
            lives = [strap.run]
        } else {
            let services = try WorldServices(device, seed: seed)
            peripheral = VirtualPeripheral(
                name: device.name ?? "Device", address: address, proximity: proximity, pairing: pairing,
                services: services.services)
            lives = services.lives
            if !services.answers.isEmpty {
                // Before a central can do anything.
                let (events, answers) = (peripheral.events(capacity: .newest(256)), services.answers)
                lives.append { clock in await answers.run(events, on: clock) }
            }
        }
        peripheral.changePasskey(to: device.passkey)
        // A twin is where its recording says, unless the world says otherwise.
        self.proximity = device.twin == nil || place != nil ? proximity : nil
        let (peripheral, period) = (peripheral, device.period.map { Duration(nearest: $0) })
        if let path = device.path, path.count > 1 {
            lives.append { clock in await Self.walk(peripheral, path, period, clock) }
        }
        if let faults = device.faults, !faults.isEmpty {
            lives.append { clock in await Self.suffer(peripheral, faults, period, clock) }
        }
    }

    /// Puts the device into the air of a radio.
    func join(_ radio: VirtualRadio) {
        radio.add(peripheral)
        if let proximity { peripheral.move(to: proximity) }
        if isPaired { peripheral.bond(with: radio.adapter()) }
    }

    /// The address that a sensor's frame has; nil where it has none.
    private static func address(_ frame: SensorFrame) -> String? {
        frame.address.map { address in address.map { Bytes([$0]).hex }.joined(separator: ":").uppercased() }
    }

    /// The advertisement of a beacon; nil for another device.
    private static func frame(of device: WorldDevice) throws(WorldFault) -> Advertisement? {
        let beacons = [
            (BeaconFamily.iBeacon, "iBeacon", device.iBeacon), (.altBeacon, "altBeacon", device.altBeacon),
            (.eddystoneUID, "eddystone", device.eddystone),
        ]
        for case (let family, let key, let beacon?) in beacons {
            guard let uuid = ProximityUUID(argument: beacon.uuid)?.uuid else {
                throw WorldFault(path: key + ".uuid", message: "'\(beacon.uuid)' is no UUID of 36 characters")
            }
            return family.advertisement(
                uuid: uuid, major: beacon.major ?? 0, minor: beacon.minor ?? 0,
                power: beacon.power ?? BeaconRegion.defaultMeasuredPower)
        }
        return nil
    }

    private static func pairing(_ pairing: WorldDevice.Pairing) -> VirtualPairing {
        switch pairing {
        case .justWorks: .justWorks
        case .comparing: .comparing
        case .showing: .showing
        case .typing: .typing
        case .refused: .refused
        }
    }

    // MARK: Events of the device

    /// Moves along a path, twice a second.
    private static func walk(
        _ peripheral: VirtualPeripheral, _ path: [WorldDevice.Point], _ period: Duration?, _ clock: BlueCapClock
    ) async {
        let points = path.sorted { $0.at < $1.at }
        let start = clock.elapsed
        while !Task.isCancelled {
            peripheral.move(to: .metres(distance(on: points, at: phase(clock.elapsed - start, period))))
            if period == nil, clock.elapsed - start > .seconds(points.last?.at ?? 0) { return }
            do { try await clock.sleep(for: .milliseconds(500)) } catch { return }
        }
    }

    /// Where it is at a time, in metres.
    static func distance(on points: [WorldDevice.Point], at seconds: Double) -> Double {
        guard let next = points.firstIndex(where: { $0.at >= seconds }) else { return points.last?.metres ?? 1 }
        if next == 0 { return points[0].metres }
        let (before, after) = (points[next - 1], points[next])
        return before.metres + (after.metres - before.metres) * (seconds - before.at) / (after.at - before.at)
    }

    private static func phase(_ time: Duration, _ period: Duration?) -> Double {
        let seconds = time / .seconds(1)
        guard let period else { return seconds }
        return seconds.truncatingRemainder(dividingBy: period / .seconds(1))
    }

    private static func suffer(
        _ peripheral: VirtualPeripheral, _ faults: [WorldDevice.Fault], _ period: Duration?, _ clock: BlueCapClock
    ) async {
        let sorted = faults.sorted { $0.at < $1.at }
        var start = clock.elapsed
        while true {
            for fault in sorted {
                let due = start + Duration(nearest: fault.at)
                // An event that is due again meanwhile is not run any more.
                if let period, due >= start + period { break }
                do { try await clock.sleep(for: max(due - clock.elapsed, .zero)) } catch { return }
                apply(fault, to: peripheral)
            }
            guard let period else { return }
            start += period
            do { try await clock.sleep(for: max(start - clock.elapsed, .zero)) } catch { return }
        }
    }

    private static func apply(_ fault: WorldDevice.Fault, to peripheral: VirtualPeripheral) {
        switch fault.kind {
        case .vanish: peripheral.vanish()
        case .reappear: peripheral.reappear()
        case .disconnect: peripheral.disconnect()
        case .mute: peripheral.mute()
        case .unmute: peripheral.unmute()
        case .refuse: peripheral.refuseConnections()
        case .accept: peripheral.refuseConnections(false)
        case .reset: peripheral.reset()
        case .lose: peripheral.setPacketLoss(fault.value)
        case .slow: peripheral.slow(by: Duration(nearest: fault.value))
        }
    }
}

extension Twin {
    /// Whether a value is there only for a central that has compared or typed digits.
    fileprivate var asksForAuthentication: Bool {
        services.contains { service in
            service.characteristics.contains {
                $0.readSecurity == .authenticated || $0.writeSecurity == .authenticated
            }
        }
    }
}
