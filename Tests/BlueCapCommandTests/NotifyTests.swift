// SPDX-License-Identifier: MIT

import ArgumentParser
import BlueCap
import BlueCapRuntime
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct NotifyTests {
    private func session(
        _ central: CentralManager, _ device: String, _ plan: NotifySession.Plan, _ output: RecordedOutput,
        _ radio: VirtualRadio
    ) -> NotifySession {
        NotifySession(
            finder: DeviceFinder(central: central, device: device, progress: { _ in }), plan: plan, output: output,
            clock: radio.clock)
    }

    /// A device of a name that has this characteristic and no other.
    private func device(_ name: String, _ characteristic: VirtualCharacteristic) -> VirtualPeripheral {
        VirtualPeripheral(name: name, address: "C0:DE:00:00:00:20") {
            VirtualService("1234", characteristics: [characteristic])
        }
    }

    private let accelerometer = TISensorTag.AccelerometerService.Data.uuid

    @Test func `the heart strap notifies measurements that the profile reads`() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput()
            let plan = NotifySession.Plan(characteristics: [CharacteristicSelector("2A37")], count: 12)
            try await session(central, "Heart Strap", plan, output, radio).run()
            let pattern =
                /heartRate \d+ bpm, sensorContact Detected, (energyExpended \d+ kJ, )?rrIntervals \d+  [0-9a-f]+/
            #expect(output.lines.count == 12)
            #expect(output.lines.allSatisfy { $0.wholeMatch(of: pattern) != nil }, "\(output.lines)")
            #expect(Set(output.lines).count > 6)
            #expect(output.lines.contains { $0.contains("energyExpended") })
        }
    }

    @Test(arguments: ["SensorTag", "c0:de:00:00:00:01"])
    func `notify finds a device by name or identifier and prints so many values`(name: String) async throws {
        try await inTown { [accelerometer] radio, central in
            let output = RecordedOutput()
            let plan = NotifySession.Plan(
                characteristics: [CharacteristicSelector(accelerometer.description)], count: 3)
            try await session(central, name, plan, output, radio).run()
            #expect(output.lines.count == 3)
            #expect(
                output.lines.allSatisfy {
                    $0.wholeMatch(of: /x [+-]\d\.\d\d  y [+-]\d\.\d\d  z [+-]\d\.\d\d g  [0-9a-f]{6}/) != nil
                })
        }
    }

    @Test func `a value in JSON has its index, bytes, text and date`() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput()
            let plan = NotifySession.Plan(
                characteristics: [CharacteristicSelector(BatteryService.Level.uuid.description)], count: 1,
                format: .json)
            try await session(central, "Heart Strap", plan, output, radio).run()
            let line = try #require(output.lines.first)
            #expect(
                line.wholeMatch(
                    of:
                        /\{"characteristic":"00002a19-0000-1000-8000-00805f9b34fb","date":"1970[^"]*Z","event":"value","fields":\{"Battery Level":"\d+"\},"index":1,"name":"Battery Level","numbers":\{"Battery Level":\d+\},"service":"0000180f-0000-1000-8000-00805f9b34fb","shortCharacteristic":"2A19","shortService":"180F","text":"\d+ %","units":\{"Battery Level":"%"\},"value":"[0-9a-f]{2}"\}/
                ) != nil)
        }
    }

    @Test func `a link that is lost is made again when asked to, and values go on`() async throws {
        try await inTown { [accelerometer] radio, central in
            let output = RecordedOutput()
            var plan = NotifySession.Plan(
                characteristics: [CharacteristicSelector(accelerometer.description)], count: 30)
            plan.reconnects = true
            let messages = Locked<[String]>([])
            let session = NotifySession(
                finder: DeviceFinder(
                    central: central, device: "SensorTag", progress: { text in messages.withLock { $0.append(text) } }),
                plan: plan, output: output, clock: radio.clock)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await session.run() }
                let tag = try #require(radio.peripherals.first { $0.name == "SensorTag" })
                try await tag.wait { $0.characteristic(accelerometer)?.subscriptionCount == 1 }
                try await radio.clock.sleep(for: .seconds(1))
                tag.disconnect()
                try await group.next()
            }
            #expect(output.lines.count == 30)
            #expect(messages.withLock { $0.count { $0 == "connected again" } } == 1)
        }
    }

    @Test func `a link that is lost ends a notify that was not asked to reconnect`() async throws {
        try await inTown { [accelerometer] radio, central in
            let plan = NotifySession.Plan(characteristics: [CharacteristicSelector(accelerometer.description)])
            let session = session(central, "SensorTag", plan, RecordedOutput(), radio)
            let tag = try #require(radio.peripherals.first { $0.name == "SensorTag" })
            async let end: Void = session.run()
            try await tag.wait { $0.characteristic(accelerometer)?.subscriptionCount == 1 }
            tag.disconnect()
            do {
                try await end
                Issue.record("it ended without an error")
            } catch {
                let failure = CommandFailure(error)
                #expect(failure.status == .tryAgain && failure.message.hasSuffix(", or add --reconnect"))
            }
        }
    }

    @Test(
        arguments: [
            ("Nobody", "2A19", nil, ToolStatus.tryAgain), ("Heart Strap", "2A00", nil, .refused),
            ("Heart Strap", "2A19", "1234", .refused), ("Dog Collar", "2A19", nil, .refused),
        ] as [(String, BluetoothUUID, BluetoothUUID?, ToolStatus)])
    func `a device, service or characteristic that is not there is told apart by the exit status`(
        name: String, characteristic: BluetoothUUID, service: BluetoothUUID?, status: ToolStatus
    ) async throws {
        try await inTown { radio, central in
            let plan = NotifySession.Plan(
                characteristics: [CharacteristicSelector(characteristic.description)], service: service)
            let session = session(central, name, plan, RecordedOutput(), radio)
            do {
                try await session.run()
                Issue.record("it ended without an error")
            } catch {
                #expect(CommandFailure(error).status == status)
            }
        }
    }

    @Test func `several are listened to at once, each value with its name, numbered together`() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput()
            let plan = NotifySession.Plan(
                characteristics: ["2A37", "battery level", "180F/2A19"].map { CharacteristicSelector($0) }, count: 10)
            let messages = Locked<[String]>([])
            let finder = DeviceFinder(
                central: central, device: "Heart Strap", progress: { text in messages.withLock { $0.append(text) } })
            try await NotifySession(finder: finder, plan: plan, output: output, clock: radio.clock).run()
            // A value that came with the last one is not waited for, so it was not lost either.
            #expect(!messages.withLock { $0 }.contains { $0.contains("dropped") })
            #expect(output.lines.count == 10)
            let names = Set(output.lines.compactMap { $0.firstMatch(of: /^.*?(?=  )/)?.output })
            #expect(names == ["Heart Rate Measurement", "Battery Level"])
            #expect(output.lines.contains { $0.hasPrefix("Battery Level           ") })
        }
    }

    @Test func `on a terminal too narrow for a value its line goes on below, behind the name`() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput(columns: 80)
            let plan = NotifySession.Plan(
                characteristics: ["2A37", "2A19"].map { CharacteristicSelector($0) }, count: 3)
            try await session(central, "Heart Strap", plan, output, radio).run()
            let (name, indent) = ("Heart Rate Measurement  ", String(repeating: " ", count: 24))
            let parts = try #require(output.lines.first { $0.hasPrefix(name + "heartRate ") }).split(separator: "\n")
            #expect(parts.count == 2 && parts.allSatisfy { TextLayout.width(of: String($0)) <= 80 }, "\(parts)")
            #expect(parts[1].hasPrefix(indent) && parts[1].dropFirst(24).first != " ", "\(parts)")
        }
    }

    @Test
    func `a table has a heading and a column for each part, and a part that is not there is empty`() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput()
            let plan = NotifySession.Plan(
                characteristics: [CharacteristicSelector("2A37")], count: 5, format: .csv)
            try await session(central, "Heart Strap", plan, output, radio).run()
            #expect(
                output.lines.first
                    == "date,index,characteristic,value,text,heartRate,sensorContact,energyExpended,rrIntervals")
            #expect(output.lines.count == 6)
            let row =
                /1970[^,]*Z,\d,Heart Rate Measurement,[0-9a-f]+,"heartRate [^"]*",\d+,Detected,\d*,\d+/
            #expect(output.lines.dropFirst().allSatisfy { $0.wholeMatch(of: row) != nil }, "\(output.lines)")
        }
    }

    @Test func `a table has nothing, not even its heading, where the subscription is refused`() async throws {
        let shut = VirtualCharacteristic("FFF1", properties: .notify, onSubscribe: { _, _ in .failure(.unlikelyError) })
        let device = device("Shut", shut)
        try await inTown { radio, central in
            radio.add(device)
            let output = RecordedOutput()
            let plan = NotifySession.Plan(characteristics: [CharacteristicSelector("FFF1")], format: .csv)
            await #expect(throws: CharacteristicError.self) {
                try await session(central, "Shut", plan, output, radio).run()
            }
            #expect(output.lines.isEmpty)
        }
    }

    @Test func `a table that ends before its first value is its heading`() async throws {
        let device = device("Mute", VirtualCharacteristic("FFF1", properties: .notify))
        try await inTown { radio, central in
            radio.add(device)
            let output = RecordedOutput()
            let plan = NotifySession.Plan(
                characteristics: [CharacteristicSelector("FFF1")], duration: .seconds(60), format: .csv)
            let session = session(central, "Mute", plan, output, radio)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await session.run() }
                try await radio.clock.sleep(for: .seconds(30))
                group.cancelAll()
                try await group.waitForAll()
            }
            #expect(output.lines == ["date,index,characteristic,value,text"])
        }
    }

    @Test func `quotes and ends of lines of the device stay within their cell`() async throws {
        let told = VirtualCharacteristic("FFF1", properties: .notify)
        told.sendOnSubscription([Bytes("a,\"b\"".utf8)])
        let device = device("Poet", told)
        try await inTown { radio, central in
            radio.add(device)
            let output = RecordedOutput()
            let plan = NotifySession.Plan(
                characteristics: [CharacteristicSelector("FFF1")], count: 1, format: .csv)
            try await session(central, "Poet", plan, output, radio).run()
            #expect(output.lines.last?.hasSuffix(#",1,FFF1,612c226222,"a,""b""""#) == true)
        }
    }

    @Test func `on a screen the numbers of several characteristics move as curves`() async throws {
        try await inTown { radio, central in
            let size = ScreenSize(columns: 80, rows: 24)
            let output = RecordedOutput(screen: size)
            let plan = NotifySession.Plan(
                characteristics: ["2A37", "2A19"].map { CharacteristicSelector($0) }, count: 12, format: .plot)
            try await session(central, "Heart Strap", plan, output, radio).run()
            let last = try #require(output.drawings.last)
            #expect(output.lines.isEmpty && output.drawings.count == 13)
            #expect(last[0] == "Heart Rate Measurement, Battery Level  value 12 of 12")
            #expect(last.contains { $0.hasPrefix("Battery Level  ") && $0.contains(" %  (") }, "\(last)")
            #expect(last.contains { $0.hasPrefix("Heart Rate Measurement, heartRate  ") && $0.contains(" bpm  (") })
            #expect(output.drawings.allSatisfy { $0.count < size.rows })
            #expect(output.drawings.joined().allSatisfy { TextLayout.width(of: $0) <= size.columns })
        }
    }

    @Test func `curves without a value say so before the first one comes`() async throws {
        try await inTown { radio, central in
            radio.add(device("Quiet", VirtualCharacteristic("FFF1", properties: .notify)))
            let output = RecordedOutput(screen: ScreenSize(columns: 80, rows: 24))
            let plan = NotifySession.Plan(
                characteristics: [CharacteristicSelector("FFF1")], duration: .seconds(3), format: .plot)
            try? await session(central, "Quiet", plan, output, radio).run()
            #expect(output.drawings == [["FFF1  0 values, Ctrl-C ends it", "No value so far"]])
        }
    }

    @Test func `where there is no screen, curves are lines`() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput()
            let plan = NotifySession.Plan(
                characteristics: [CharacteristicSelector("2A19")], count: 1, format: .plot)
            try await session(central, "Heart Strap", plan, output, radio).run()
            #expect(output.lines.count == 1 && output.drawings.isEmpty)
        }
    }

    @Test func `a timing that is asked for is that of the connection`() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput()
            let options = try LinkTimingOptions.parse(["--interval", "7.5-15", "--latency", "2", "--silence", "3"])
            let plan = NotifySession.Plan(
                characteristics: [CharacteristicSelector("2A37")], count: 1, timing: try options.parameters)
            let lines = Locked<[String]>([])
            let finder = DeviceFinder(
                central: central, device: "Heart Strap", progress: { line in lines.withLock { $0.append(line) } })
            try await NotifySession(finder: finder, plan: plan, output: output, clock: radio.clock).run()
            #expect(
                lines.withLock { $0 }.contains(
                    "timing: interval 0.0075 seconds to 0.015 seconds, latency 2, supervision timeout 3.0 seconds"))
        }
    }

    @Test func `no value within the duration ends it with 75 and says what may be the matter`() async throws {
        let device = device("Mute", VirtualCharacteristic("2A19", properties: .notify))
        try await inTown { radio, central in
            radio.add(device)
            let plan = NotifySession.Plan(
                characteristics: [CharacteristicSelector("2A19")], duration: .seconds(3))
            let error = await #expect(throws: CommandFailure.self) {
                try await session(central, "Mute", plan, RecordedOutput(), radio).run()
            }
            #expect(error?.status == .tryAgain)
            #expect(error?.message.contains("'bluecap write'") == true)
        }
    }

    @Test func `a duration ends it with what came`() async throws {
        try await inTown { radio, central in
            let output = RecordedOutput()
            let plan = NotifySession.Plan(
                characteristics: [CharacteristicSelector("2A19")], duration: .seconds(5))
            try await session(central, "Heart Strap", plan, output, radio).run()
            #expect(output.lines.count == 6)
        }
    }

    @Test(arguments: [
        (["Strap"], "Missing expected argument '<characteristic> ...'"),
        (["Strap", "2A37", "--count", "0"], "--count"),
        (["Strap", "2A37", "--json", "--csv"], "--json"),
        (["Strap", "2A37", "--plot", "--output", "a"], "--plot"),
        (["Strap", "2A37", "--latency", "2"], "--interval"),
        (["Strap", "2A37", "--interval", "30-15"], "'30-15' is invalid"),
        (["Strap", "2A37", "--interval", "5"], "interval"),
        (["Strap", "2A37", "--interval", "4000", "--silence", "5"], "supervision timeout"),
    ])
    func `what cannot be is refused`(arguments: [String], text: String) async {
        await expectRefusal(of: arguments, by: NotifyCommand.self, saying: text)
    }
}
