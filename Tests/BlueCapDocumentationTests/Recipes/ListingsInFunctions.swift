// SPDX-License-Identifier: MIT

// The code of the articles, word for word.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import BlueCapSerDe
import Testing

// MARK: Errors

/// In place of the standard output.
private func print(_ items: Any...) { Printed.inFunctions?.add(items) }

/// Shows who advertises, until the task is cancelled. An error of the scan is printed.
func showSightings(_ central: CentralManager) async throws {
    do throws(any Error) {
        for try await sighting in central.scan() {
            print(sighting.peripheral.displayName)
        }
    } catch where !Task.isCancelled {
        print("the scan ended: \(error)")
    }
}

/// Each listing of an article with a `catch`, in a function that throws any error and has a variable: there the
/// compiler of Swift 6.3.1 crashes over some that it takes in a closure.
///
/// They are compiled here; the tests of their articles run them.
enum ListingsInFunctions {
    static func errors(_ peripheral: Peripheral, _ enabled: Characteristic) async throws {
        var count = 0
        do {
            try await peripheral.connect(timeout: .seconds(5))
            _ = try await enabled.read()
        } catch let error as any BlueCapError where error.isTransient {
            try await peripheral.reconnect(after: .seconds(1))
        }
        count += 1
    }

    static func controlPoints(_ machine: TypedControlPoint<FitnessMachineService.ControlPoint>) async throws {
        var count = 0
        do {
            try await machine.request(.set(.inclination(try Scaled(3))))
        } catch ControlPointError<ControlPointResult>.refused(.controlNotPermitted) {
            try await machine.request(.requestControl)
            try await machine.request(.set(.inclination(try Scaled(3))))
        }
        count += 1
    }

    static func capacitiesAndTimeouts(_ characteristic: Characteristic) async throws {
        var count = 0
        do throws(CharacteristicError) {
            let name = try await characteristic.read(timeout: .seconds(5))
            print(name)
        } catch {
            switch error {
            case .readTimeout: print("no answer")
            case .att(let code): print("refused: \(code)")
            default: print(error)
            }
        }
        count += 1
    }

    static func moving(_ central: CentralManager, _ uuid: BluetoothUUID, _ dataUUID: BluetoothUUID) async throws {
        var count = 0
        do {
            try await central.whenPoweredOn(timeout: .seconds(5))
            let peripheral = try await central.firstDiscovery(for: [uuid], timeout: .seconds(10)).peripheral
            try await peripheral.connect(timeout: .seconds(10))
            try await peripheral.discover([uuid], timeout: .seconds(10))
            print(try await peripheral.characteristic(dataUUID).read(timeout: .seconds(5)))
        } catch let error as PeripheralError where error == .connectionTimeout {
            print("out of range")
        } catch {
            print(error)
        }
        count += 1
    }

    static func usingProfiles(_ peripheral: Peripheral) async throws {
        var count = 0
        for characteristic in peripheral.services.flatMap(\.characteristics) where characteristic.canRead {
            do {
                let text = try await characteristic.readStringValue(timeout: .seconds(5))
                for (part, value) in text.sorted(by: { $0.key < $1.key }) {
                    print(characteristic.name, part, value, characteristic.profile.units[part] ?? "")
                }
            } catch {
                print(characteristic.name, error)
            }
        }
        count += 1
    }

    static func serialization(_ bytes: Bytes) throws -> String {
        typealias Reading = MessageTests.Reading
        var count = 0
        defer { count += 1 }
        do {
            let reading: Reading = try SerDe.deserialize(bytes)
            return "sequence \(reading.sequence)"
        } catch .truncated(let needed, let available, let offset) {
            return "\(needed - available) more bytes are needed for the field at \(offset)"
        } catch {
            return "\(error)"
        }
    }

    static func onAPhone(
        _ central: CentralManager, take: @escaping @Sendable (Peripheral, Int) async -> Void,
        end: @escaping @Sendable (Peripheral, any Error) async -> Void
    ) async throws {
        var count = 0
        defer { count += 1 }
        guard let restored = try await central.restoredState() else { return }
        await withDiscardingTaskGroup { group in
            for strap in restored.peripherals {
                group.addTask {
                    do {
                        // No timeout: it would run on while the app is suspended.
                        try await strap.stayConnected(.forever, discovering: [HeartRateService.uuid]) { strap in
                            let measurement = try strap.characteristic(HeartRateService.Measurement.self)
                            for try await value in try await measurement.notifications() {
                                await take(strap, Int(value.beatsPerMinute))
                            }
                            try Task.checkCancellation()
                        }
                    } catch {
                        // This strap alone has ended.
                        if !Task.isCancelled { await end(strap, error) }
                    }
                }
            }
        }
    }

    static func restoration(
        start: @escaping @Sendable (Characteristic) async throws -> Void,
        connectForTheFirstTime: (CentralManager) async throws -> Void,
        end: @escaping @Sendable (Peripheral, any Error) -> Void
    ) async throws {
        @Sendable func listen(to characteristic: Characteristic) async throws { try await start(characteristic) }
        let central = CentralManager(configuration: .init(restoreIdentifier: "com.example.gateway"))

        let restored = try await central.restoredState()
        try await central.whenPoweredOn()
        if let restored {
            await withDiscardingTaskGroup { group in
                for peripheral in restored.peripherals {
                    group.addTask {
                        do {
                            try await peripheral.connect(timeout: .seconds(30))
                            for characteristic in restored.characteristics where characteristic.peripheral === peripheral {
                                try await listen(to: characteristic)
                            }
                        } catch { end(peripheral, error) }
                    }
                }
            }
        } else {
            try await connectForTheFirstTime(central)
        }
    }
}
