// SPDX-License-Identifier: MIT

import BlueCap

/// The checks of the central role: the second device is found and used.
struct CentralChecks {
    private let central: CentralManager
    /// Switches a notification on that is on, which the library never does.
    private let switchOnAgain: Switch

    typealias Switch = (Peripheral, BluetoothUUID) async throws -> Void

    init(_ central: CentralManager, _ switchOnAgain: @escaping Switch = { _, _ in }) {
        self.central = central
        self.switchOnAgain = switchOnAgain
    }

    func run(_ checks: inout Checks) async {
        var found: Discovery?
        func device() throws -> Peripheral {
            guard let found else { throw Checks.Unexpected("the second device was not found") }
            return found.peripheral
        }
        func characteristic(_ uuid: BluetoothUUID) throws -> Characteristic { try device().characteristic(uuid) }

        await checks.check("the radio is on, and the permission is given") {
            try await central.whenPoweredOn(timeout: .seconds(60))
        }
        await checks.check("the second device is found by its service") {
            for try await discovery in central.scan(for: ["180F"], timeout: .seconds(30))
            where discovery.advertisements.localName == SecondDevice.name {
                found = discovery
                break
            }
            _ = try device()
        }
        await checks.check("its manufacturer data arrive") {
            let data = try device().advertisements.manufacturerData
            try expect(data == SecondDevice.manufacturerData, "\(data)")
        }
        await checks.check("its signal strength is known") {
            let strength = try device().rssi
            try expect(strength.map { -127..<20 ~= $0 } ?? false, "\(String(describing: strength))")
        }
        await checks.check("a scan with duplicates reports it again and again") {
            let id = try device().identifier
            var count = 0
            for try await discovery in central.scan(options: .init(allowsDuplicates: true), timeout: .seconds(20))
            where discovery.peripheral.identifier == id {
                count += 1
                if count == 3 { break }
            }
            try expect(count == 3, "\(count) times")
        }
        await checks.check("it is connected to") { try await device().connect(timeout: .seconds(20)) }
        await checks.check("its services are discovered") {
            try await device().discover(timeout: .seconds(20))
            let services = Set(try device().services.map(\.uuid))
            try expect(services.isSuperset(of: ["180F", SecondDevice.service]), "\(services)")
        }
        await checks.check("commands may be longer than 20 bytes after the discovery") {
            let length = try device().maximumWriteLength(for: .withoutResponse)
            try expect(length > 20, "\(length) bytes")
        }
        await read(&checks, characteristic)
        await write(&checks, characteristic)
        await burst(&checks, characteristic)
        await callInside(&checks, device)
        await listen(&checks, characteristic)
        await checks.check("the signal strength of the connection is measured") {
            let strength = try await device().readRSSI(timeout: .seconds(10))
            try expect(-127..<20 ~= strength, "\(strength) dBm")
        }
        await checks.check("it is among the connected devices with its service") {
            let connected = try await central.retrieveConnectedPeripherals(
                withServices: ["180F"], timeout: .seconds(10))
            let id = try device().identifier
            try expect(connected.contains { $0.identifier == id }, "\(connected)")
        }
        await checks.check("a value that needs encryption is read once both have paired: accept the question") {
            let value = try await characteristic(SecondDevice.protected).read(timeout: .seconds(90))
            try expect(value == [7], "\(value)")
        }
        await checks.check("the end of the connection is reported") {
            let device = try device()
            let hasEnded = await device.disconnect(timeout: .seconds(10))
            try expect(hasEnded && device.state == .disconnected, "\(device.state)")
        }
        await checks.check("it is retrieved by its identifier") {
            let id = try device().identifier
            let known = try await central.retrievePeripherals(withIdentifiers: [id], timeout: .seconds(10))
            try expect(known.map(\.identifier) == [id], "\(known)")
        }
        await checks.check("it is connected to a second time, and read") {
            try await device().connect(timeout: .seconds(20))
            try await device().discover(timeout: .seconds(20))
            let value = try await characteristic("2A19").read(timeout: .seconds(10))
            try expect(value.count == 1, "\(value)")
        }
        await checks.check("an attempt at a connection that is cancelled ends") {
            let device = try device()
            _ = await device.disconnect(timeout: .seconds(10))
            let attempt = Task { try await device.connect() }
            attempt.cancel()
            _ = await attempt.result
            let hasEnded = await device.disconnect(timeout: .seconds(10))
            try expect(hasEnded, "it is \(device.state)")
        }
        await central.invalidate()
    }

    private func read(_ checks: inout Checks, _ characteristic: (BluetoothUUID) throws -> Characteristic) async {
        await checks.check("a value of one byte is read") {
            let value = try await characteristic("2A19").read(timeout: .seconds(10))
            try expect(value.count == 1, "\(value)")
        }
        await checks.check("a value of 300 bytes is read") {
            let value = try await characteristic(SecondDevice.long).read(timeout: .seconds(20))
            try expect(value == SecondDevice.longValue, "\(value.count) bytes")
        }
        await checks.check("ten reads at a time are answered") {
            let level = try characteristic("2A19")
            let count = try await withThrowingTaskGroup(of: Bytes.self) { group in
                for _ in 0..<10 { group.addTask { try await level.read(timeout: .seconds(20)) } }
                return try await group.reduce(0) { $0 + $1.count }
            }
            try expect(count == 10, "\(count) bytes")
        }
        await checks.check("the text of a descriptor is read") {
            let found = try await characteristic(SecondDevice.long).discoverDescriptors(timeout: .seconds(10))
            let text = try await found.first { $0.uuid == "2901" }?.read(timeout: .seconds(10))
            try expect(text == Bytes("Long value".utf8), "\(String(describing: text))")
        }
    }

    private func write(_ checks: inout Checks, _ characteristic: (BluetoothUUID) throws -> Characteristic) async {
        for value in [Bytes([1, 2, 3]), Bytes(repeating: 0xA5, count: 300)] {
            await checks.check("a value of \(value.count) bytes is written, and read again") {
                let long = try characteristic(SecondDevice.long)
                try await long.write(value, timeout: .seconds(20))
                let read = try await long.read(timeout: .seconds(20))
                try expect(read == value, "\(read)")
            }
        }
        await checks.check("a hundred commands are sent, and the last is kept") {
            let command = try characteristic(SecondDevice.command)
            for number in 1...100 {
                try await command.write([UInt8(number)], kind: .withoutResponse, timeout: .seconds(10))
            }
            let read = try await command.read(timeout: .seconds(20))
            try expect(read == [100], "\(read)")
        }
    }

    /// CoreBluetooth drops commands for which it has no room: each one that arrives is notified.
    private func burst(_ checks: inout Checks, _ characteristic: (BluetoothUUID) throws -> Characteristic) async {
        await checks.check("a hundred commands in a burst all arrive, in order") {
            let counted = try characteristic(SecondDevice.counted)
            let listened = try await counted.notifications(timeout: .seconds(10), valueTimeout: .seconds(10))
            for value in SecondDevice.burst {
                try await counted.write(value, kind: .withoutResponse, timeout: .seconds(30))
            }
            var found: [Bytes] = []
            do {
                for try await value in listened {
                    found.append(value)
                    if found.count == SecondDevice.burst.count { break }
                }
            } catch {
                throw Checks.Unexpected("\(found.count) arrived, then \(error)")
            }
            try expect(found == SecondDevice.burst, "\(found)")
        }
    }

    /// A notification that is on and is switched on again: CoreBluetooth may answer that from inside of the call.
    private func callInside(_ checks: inout Checks, _ device: () throws -> Peripheral) async {
        await checks.check("an answer from inside of a call disturbs nothing") {
            let level = try device().characteristic("2A19")
            try await level.startNotifying(timeout: .seconds(10))
            try await switchOnAgain(device(), level.uuid)
            let value = try await level.read(timeout: .seconds(10))
            try expect(value.count == 1, "\(value)")
            try await level.stopNotifying(timeout: .seconds(10))
            try expect(!level.isNotifying, "it notifies")
        }
    }

    private func listen(_ checks: inout Checks, _ characteristic: (BluetoothUUID) throws -> Characteristic) async {
        for (name, uuid, values) in [
            ("notified values arrive in order", "2A19", SecondDevice.levels),
            ("they arrive again after another subscription", "2A19", SecondDevice.levels),
            ("indicated values arrive in order", SecondDevice.indicated, SecondDevice.indications),
        ] as [(String, BluetoothUUID, [Bytes])] {
            await checks.check(name) {
                var found: [Bytes] = []
                let listened = try await characteristic(uuid).notifications(
                    timeout: .seconds(10), valueTimeout: .seconds(10))
                for try await value in listened {
                    found.append(value)
                    if found.count == values.count { break }
                }
                try expect(found == values, "\(found)")
            }
        }
    }
}
