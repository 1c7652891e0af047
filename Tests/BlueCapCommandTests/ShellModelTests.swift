// SPDX-License-Identifier: MIT

import BlueCap
import BlueCapPlatform
import BlueCapRuntime
import Dispatch
import Testing

@testable import BlueCapCommand

@Suite(.timeLimit(.minutes(60)))
struct ShellModelTests {
    /// Runs `body` with a shell's model in the virtual town.
    private func withModel(
        add devices: [VirtualPeripheral] = [],
        _ body: @escaping @Sendable (ShellModel, VirtualRadio) async throws -> Void
    ) async throws {
        try await inTown { radio, central in
            for device in devices { radio.add(device) }
            let model = ShellModel(central: central, timeout: .seconds(10), clock: radio.clock, sink: { _, _ in })
            try await ShellSession.run(model) { try await body(model, radio) }
        }
    }

    private func lines(_ model: ShellModel) -> [String] { model.state.log.compactMap(\.text) }

    @Test func `a scan lists each device once, numbered in the order of discovery`() async throws {
        try await withModel { model, _ in
            try await model.perform(.scan(.seconds(3)))
            let devices = model.state.devices
            #expect(devices.map(\.number) == Array(1...devices.count) && devices.count == 5)
            #expect(Set(devices.map(\.row.id)).count == 5)
            #expect(model.state.devices(matching: "HEART").map(\.name) == ["Heart Strap"])
            #expect(!model.state.isScanning)
        }
    }

    @Test(arguments: ["1", "Heart Strap", "heart", "C0:DE:00:00:00:02"])
    func `a device is connected to by number, name, a beginning of it, or identifier`(text: String) async throws {
        try await withModel { model, radio in
            try await model.perform(.scan(.seconds(3)))
            let number = try #require(model.state.devices.first { $0.name == "Heart Strap" }?.number)
            try await model.perform(.connect(text == "1" ? String(number) : text))
            let peer = try #require(model.state.peer)
            #expect(peer.isConnected && peer.id == "C0:DE:00:00:00:02")
            #expect(peer.services.map(\.name) == ["Heart Rate", "Battery", "Device Information"])
        }
    }

    @Test func `an identifier is that of a device, whatever others are called`() async throws {
        let impostor = VirtualPeripheral(name: "C0:DE:00:00:00:02", address: "C0:DE:00:00:00:20")
        try await withModel(add: [impostor]) { model, _ in
            try await model.perform(.scan(.seconds(3)))
            try await model.perform(.connect("C0:DE:00:00:00:02"))
            #expect(model.state.peer?.id == "C0:DE:00:00:00:02")
        }
    }

    @Test(arguments: ["Lamp", "lam"])
    func `a name that several devices of the list have, or begin with, connects to none and lists them`(text: String)
        async throws
    {
        let lamps = ["C0:DE:00:00:00:20", "C0:DE:00:00:00:21"].map { VirtualPeripheral(name: "Lamp", address: $0) }
        try await withModel(add: lamps) { model, _ in
            try await model.perform(.scan(.seconds(3)))
            let error = await #expect(throws: CommandFailure.self) { try await model.perform(.connect(text)) }
            let lines = error?.message.split(separator: "\n") ?? []
            #expect(error?.status == .usage && lines.count == 3, "\(error)")
            for lamp in lamps { #expect(lines.contains { $0.contains(lamp.identifier.text) }) }
            #expect(model.state.peer?.id == nil)
            try await model.perform(.connect("C0:DE:00:00:00:21"))
            #expect(model.state.peer?.id == "C0:DE:00:00:00:21")
        }
    }

    @Test func `a name that several connected devices have is refused with their identifiers`() async throws {
        let lamps = ["C0:DE:00:00:00:20", "C0:DE:00:00:00:21"].map { VirtualPeripheral(name: "Lamp", address: $0) }
        try await inTown { radio, central in
            for lamp in lamps { radio.add(lamp) }
            try await central.requireRadio()
            for lamp in lamps {
                let finder = DeviceFinder(central: central, device: lamp.identifier.text, progress: { _ in })
                try await finder.connect(try await finder.find())
            }
            let finder = DeviceFinder(central: central, device: "lamp", progress: { _ in })
            let error = await #expect(throws: CommandFailure.self) { _ = try await finder.find() }
            for lamp in lamps { #expect(error?.message.contains(lamp.identifier.text) == true, "\(error)") }
        }
    }

    @Test(arguments: ["Lamp\u{FFFD}", "Lamp\u{7}", "lamp"])
    func `a device whose name is not shown as it is sent is connected to by either`(text: String) async throws {
        let lamp = VirtualPeripheral(name: "Lamp\u{7}", address: "C0:DE:00:00:00:20")
        try await withModel(add: [lamp]) { model, _ in
            try await model.perform(.scan(.seconds(3)))
            try await model.perform(.connect(text))
            #expect(model.state.peer?.id == "C0:DE:00:00:00:20")
        }
    }

    @Test func `a device that was not seen is scanned for`() async throws {
        try await withModel { model, _ in
            try await model.perform(.connect("Dog Collar"))
            #expect(model.state.peer?.name == "Dog Collar" && model.state.devices.isEmpty)
        }
    }

    @Test func `what is read and written is in the history of its characteristic and in the log`() async throws {
        try await withModel { model, _ in
            try await model.perform(.connect("SensorTag"))
            let enabled = CharacteristicSelector("Accelerometer Enabled")
            try await model.perform(.read([enabled]))
            try await model.perform(.write(enabled, TypedValue(text: "no"), ShellWriting()))
            let values = try #require(try model.state.peer?.characteristic(enabled).values)
            #expect(values.map(\.value.source) == [.read, .written])
            #expect(values.map(\.value.text) == ["Yes", "No"])
            #expect(lines(model).last == "wrote Accelerometer Enabled: No  00")
        }
    }

    @Test func `notified values move the curve until it is unsubscribed`() async throws {
        try await withModel { model, radio in
            try await model.perform(.connect("Heart Strap"))
            let selector = CharacteristicSelector("2A37")
            try await model.perform(.subscribe([selector]))
            #expect(try model.state.peer?.characteristic(selector).isSubscribed == true)
            try await model.perform(.wait(.milliseconds(5500)))
            try await model.perform(.unsubscribe([]))
            try await model.perform(.wait(.seconds(5)))
            let characteristic = try #require(try model.state.peer?.characteristic(selector))
            #expect(!characteristic.isSubscribed && characteristic.values.count == 6)
            #expect(!characteristic.plot.isEmpty && characteristic.plot.count == characteristic.values.count)
            #expect(lines(model).last == "unsubscribed from Heart Rate Measurement")
        }
    }

    @Test func `what is unsubscribed and subscribed to again at once is subscribed to`() async throws {
        try await withModel { model, _ in
            try await model.perform(.connect("Heart Strap"))
            let selector = CharacteristicSelector("2A37")
            for _ in 0..<3 {
                try await model.perform(.subscribe([selector]))
                try await model.perform(.unsubscribe([selector]))
            }
            try await model.perform(.subscribe([selector]))
            try await model.perform(.wait(.milliseconds(3500)))
            let count = try #require(try model.state.peer?.characteristic(selector).values.count)
            #expect(count == 4)
            #expect(try model.state.peer?.characteristic(selector).isSubscribed == true)
            try await model.perform(.unsubscribe([selector]))
            try await model.perform(.wait(.seconds(3)))
            #expect(try model.state.peer?.characteristic(selector).values.count == count)
        }
    }

    @Test func `a lost link is noted once with its reason, ends subscriptions, and leaves the values`() async throws {
        let lamp = VirtualPeripheral(name: "Lamp", address: "C0:DE:00:00:00:20") {
            VirtualService("1234") { VirtualCharacteristic("2A19", properties: [.read, .notify], value: [7]) }
        }
        try await withModel(add: [lamp]) { model, radio in
            try await model.perform(.connect("Lamp"))
            try await model.perform(.read([CharacteristicSelector("2A19")]))
            try await model.perform(.subscribe([CharacteristicSelector("2A19")]))
            lamp.disconnect()
            try await model.perform(.wait(.seconds(10)))
            let peer = try #require(model.state.peer)
            #expect(!peer.isConnected && peer.characteristics[0].value?.text == "7 %")
            #expect(!peer.characteristics[0].isSubscribed)
            #expect(lines(model).filter { $0.hasPrefix("link lost: ") }.count == 1, "\(lines(model))")
            let error = await #expect(throws: CommandFailure.self) {
                try await model.perform(.read([CharacteristicSelector("2A19")]))
            }
            #expect(error?.message.hasPrefix("no device is connected") == true)
        }
    }

    @Test(arguments: ["Dog Collar", "Heart Strap"])
    func `connecting to a device, be it the same, ends the connection before and keeps the new one`(
        first: String
    ) async throws {
        try await withModel { model, _ in
            try await model.perform(.connect(first))
            try await model.perform(.connect("Heart Strap"))
            try await model.perform(.wait(.seconds(2)))
            #expect(model.state.peer?.name == "Heart Strap" && model.state.isConnected)
            #expect(lines(model).filter { $0 == "disconnected" }.count == 1)
        }
    }

    @Test(arguments: [("YES", true), ("no", false)])
    func `what pairing asks is answered with a line`(answer: String, isAccepted: Bool) async throws {
        let lock = VirtualPeripheral(name: "Lock", address: "C0:DE:00:00:00:20") {
            VirtualService("1234") { VirtualCharacteristic("FFF1", value: [1]) }
        }
        try await withModel(add: [lock]) { model, radio in
            lock.changePairing(to: .comparing)
            try await model.perform(.connect("Lock"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                // A refusal fails the pairing, which the bond shows.
                group.addTask { try? await model.perform(.pair) }
                while model.state.question == nil { try await radio.clock.sleep(for: .milliseconds(10)) }
                #expect(model.state.question?.contains("C0:DE:00:00:00:20 show ") == true)
                try model.answer("what?")
                #expect(model.state.question != nil)
                try model.answer(answer)
                #expect(model.state.question == nil)
                try await group.waitForAll()
            }
            #expect(model.state.peer?.isBonded == isAccepted)
            #expect(throws: CommandFailure.self) { try model.answer("yes") }
        }
    }

    @Test func `events of several threads are delivered in the order in which the state has them`() async throws {
        try await inTown { radio, central in
            let (delivered, model) = (Locked<[String]>([]), Locked<ShellModel?>(nil))
            let (first, hasBegun) = (DispatchSemaphore(value: 0), Locked(false))
            let made = ShellModel(
                central: central, timeout: .seconds(10), clock: radio.clock,
                sink: { event, _ in
                    guard let text = event.text else { return }
                    if text == "first" {
                        first.signal()
                        // The other thread has all the time that it could want to overtake. A yield is as long as the
                        // turns of all others on a busy machine, so their number is small.
                        while !hasBegun.withLock({ $0 }) { sched_yield() }
                        for _ in 0..<500 where model.withLock({ $0?.state.log.count }) == 1 { sched_yield() }
                    }
                    delivered.withLock { $0.append(text) }
                })
            model.withLock { $0 = made }
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                if thread == 1 {
                    first.wait()
                    hasBegun.withLock { $0 = true }
                }
                made.note(.progress(thread == 0 ? "first" : "second"))
            }
            #expect(delivered.withLock { $0 } == ["first", "second"])
            #expect(made.state.log.compactMap(\.text) == ["first", "second"])
            model.withLock { $0 = nil }
        }
    }

    @Test func `of devices and events a shell keeps so many, the newest`() {
        var state = ShellState()
        for number in 0..<ShellState.maximumDevices + 10 {
            let row = ScanRow(
                id: "device \(number)", name: "", rssi: nil, services: [], discovered: .zero,
                lastSeen: .seconds(number))
            state.apply(ShellEvent(time: .seconds(number), kind: .sighted(row)))
        }
        #expect(state.devices.count == ShellState.maximumDevices)
        #expect(state.devices.first?.row.id == "device 10" && state.devices.first?.number == 11)
        for number in 0..<ShellState.maximumLog + 10 {
            state.apply(ShellEvent(time: .seconds(number), kind: .progress("step \(number)")))
        }
        #expect(state.log.count == ShellState.maximumLog)
        #expect(state.log(matching: "STEP 1009") == [" 1009.000  step 1009"])
    }
}
