// SPDX-License-Identifier: MIT

// The code of the articles, word for word.
// swift-format-ignore-file
import BlueCap
import BlueCapCore
import Testing

/// The devices that have a task.
actor ServedDevices {
    private var identifiers: Set<PeerIdentifier> = []

    /// Returns whether the device had none before.
    func begin(_ identifier: PeerIdentifier) -> Bool { identifiers.insert(identifier).inserted }

    func end(_ identifier: PeerIdentifier) { identifiers.remove(identifier) }
}

/// Listens to the temperatures of all thermometers in reach until the task is cancelled. What goes wrong is reported,
/// and begins again five seconds later.
func listenToAll(
    _ central: CentralManager, show: @escaping @Sendable (String, Double) -> Void,
    report: @escaping @Sendable (String, any Error) -> Void
) async throws {
    let served = ServedDevices()
    try await withThrowingDiscardingTaskGroup { group in
        while true {
            do {
                try await central.whenPoweredOn()
                let options = ScanOptions(allowsDuplicates: true)
                for try await discovery in central.scan(for: [EnvironmentalSensingService.uuid], options: options) {
                    let peripheral = discovery.peripheral
                    guard discovery.kind != .lost else { continue }
                    guard await served.begin(peripheral.identifier) else { continue }
                    group.addTask {
                        try await listen(to: peripheral, clock: central.clock, show: show, report: report)
                        await served.end(peripheral.identifier)
                    }
                }
            } catch let error where !Task.isCancelled {
                report("scan", error)                            // the radio was switched off, for example
            }
            try await central.clock.sleep(for: .seconds(5))
        }
    }
}

/// Listens to one thermometer, over losses of the link too, until it has been away for a minute or something goes
/// wrong.
func listen(
    to peripheral: Peripheral, clock: BlueCapClock, show: @escaping @Sendable (String, Double) -> Void,
    report: @escaping @Sendable (String, any Error) -> Void
) async throws {
    let policy = ReconnectPolicy(maximumAbsence: .seconds(60))
    do {
        try await peripheral.stayConnected(policy, discovering: [EnvironmentalSensingService.uuid]) { thermometer in
            let temperature = try thermometer.characteristic(EnvironmentalSensingService.Temperature.self)
            for try await value in try await temperature.notifications() {
                show(thermometer.displayName, value.value ?? .nan)
            }
        }
    } catch let error where !Task.isCancelled {
        report(peripheral.displayName, error)                    // the policy is exhausted, or the device is not as expected
    }
    try await clock.sleep(for: .seconds(5))
}

/// The number of a device's model, from its Device Information.
func modelNumber(of peripheral: Peripheral) async throws -> String {
    let service = DeviceInformationService.uuid
    return try await peripheral.stayConnected(.never, timeout: .seconds(10), discovering: [service]) { device in
        let model = try device.characteristic(DeviceInformationService.ModelNumber.self)
        return "\(try await model.read(timeout: .seconds(5)))"
    }
}

@Suite("Articles for beginners", .timeLimit(.minutes(60)))
struct MovingTests {
    private static let uuid: BluetoothUUID = "FFF0"
    private static let dataUUID: BluetoothUUID = "FFF1"

    private static func box(_ name: String = "Box", address: String? = nil) -> VirtualPeripheral {
        VirtualPeripheral(name: name, address: address) {
            VirtualService(uuid) {
                VirtualCharacteristic(dataUUID, value: [1])
                VirtualCharacteristic("FFF2", value: [2])
            }
            VirtualService(DeviceInformationService.uuid) {
                VirtualCharacteristic(DeviceInformationService.ModelNumber.uuid, value: Bytes("B1".utf8))
            }
        }
    }

    @Test func `every thermometer is listened to`() async throws {
        try await Lab.run { lab in
            let temperatures = [18, 21].map { (degrees: Double) in
                VirtualPeripheral(name: "at \(Int(degrees))") {
                    VirtualService(EnvironmentalSensingService.uuid) {
                        VirtualCharacteristic(
                            EnvironmentalSensingService.Temperature.uuid, properties: [.notify],
                            onSubscribe: { characteristic, isOn in
                                let value = try? EnvironmentalSensingService.Temperature(degrees)
                                if isOn, let value { characteristic.notify(value) }
                                return .success(())
                            })
                    }
                }
            }
            for thermometer in temperatures { lab.radio.add(thermometer) }
            lab.radio.add(
                VirtualPeripheral(name: "none") { VirtualService(EnvironmentalSensingService.uuid, characteristics: []) })
            let (shown, reported) = (Printed(), Printed())
            let central = try await lab.central()
            try await lab.during {
                do {
                    try await listenToAll(central, show: { shown.add([$0, $1]) }, report: { reported.add([$0, $1]) })
                } catch is CancellationError {}
            } _: {
                temperatures[0].disconnect()
                try await lab.radio.clock.sleep(for: .seconds(10))
            }
            #expect(shown.lines.sorted() == ["at 18 18.0", "at 18 18.0", "at 21 21.0"])
            // The one without a temperature ends no other, and is tried again.
            #expect(reported.lines.count > 1)
            #expect(reported.lines.allSatisfy { $0.hasPrefix("none ") })
        }
    }

    @Test func `a device is asked for its model`() async throws {
        try await Lab.run { lab in
            lab.radio.add(Self.box())
            let central = try await lab.central()
            let box = try await central.firstDiscovery(for: [Self.uuid]).peripheral
            #expect(try await modelNumber(of: box).contains("B1"))
        }
    }

    @Test func `a chain of futures is a function`() async throws {
        try await Lab.run { lab in
            lab.radio.add(Self.box())
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let (uuid, dataUUID) = (Self.uuid, Self.dataUUID)
            let central = try await lab.central()
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
            #expect(printed.lines == ["01"])
        }
    }

    @Test func `two reads run at once`() async throws {
        try await Lab.run { lab in
            lab.radio.add(Self.box())
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let box = try await lab.connect(lab.central(), to: Self.uuid)
            let first = try box.characteristic(Self.dataUUID)
            let second = try box.characteristic("FFF2")
            async let x = first.read(timeout: .seconds(5))
            async let y = second.read(timeout: .seconds(5))
            print(try await x, try await y)
            #expect(printed.lines == ["01 02"])
        }
    }

    @Test func `a catch knows the cases of its error`() async throws {
        try await Lab.run { lab in
            let box = Self.box()
            lab.radio.add(box)
            let printed = Printed()
            @Sendable func print(_ items: Any...) { printed.add(items) }
            let peripheral = try await lab.connect(lab.central(), to: Self.uuid)
            let characteristic = try peripheral.characteristic(Self.dataUUID)
            box.mute()
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
            #expect(printed.lines == ["no answer"])
        }
    }
}
