// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus
import Testing

/// An advertisement, and the properties that the daemon reads of it besides `Type` and, unless the case replaces it,
/// `Discoverable`.
struct AdvertisementCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let advertisement: Advertisement
    let properties: StubBlueZ.Properties

    init(_ what: String, _ advertisement: Advertisement, _ properties: StubBlueZ.Properties) {
        testDescription = what
        self.advertisement = advertisement
        self.properties = ["Type": .string("peripheral"), "Discoverable": .bool(true)].merging(properties) { $1 }
    }

    /// `a{qv}` or `a{yv}` with bytes.
    static func data(_ key: String, _ entries: (DBusValue, [UInt8])...) -> DBusValue {
        .dictionary(
            DBusDictionary(
                keySignature: key, valueSignature: "v",
                entries: entries.map { .init(key: $0.0, value: .variant(.bytes($0.1))) }))
    }

    static let all: [AdvertisementCase] = [
        .init("nothing", .init(), [:]),
        .init("a name", .init(localName: "Ours"), ["LocalName": .string("Ours")]),
        .init(
            "services", .init(serviceUUIDs: ["180D"]),
            ["ServiceUUIDs": .strings(["0000180d-0000-1000-8000-00805f9b34fb"])]),
        .init(
            "services that it seeks", .init(solicitedServiceUUIDs: ["1805", "180F"]),
            [
                "SolicitUUIDs": .strings([
                    "00001805-0000-1000-8000-00805f9b34fb", "0000180f-0000-1000-8000-00805f9b34fb",
                ])
            ]),
        .init(
            "manufacturer data", .init(manufacturerData: [0xFFFF: [1], 0x004C: [2]]),
            ["ManufacturerData": data("q", (.uint16(0x004C), [2]), (.uint16(0xFFFF), [1]))]),
        .init(
            "service data", .init(serviceData: ["180F": [0x64]]),
            ["ServiceData": .properties(["0000180f-0000-1000-8000-00805f9b34fb": .bytes([0x64])])]),
        .init("an appearance", .init(appearance: 0x0341), ["Appearance": .uint16(0x0341)]),
        .init(
            "raw structures, in their order",
            .init(structures: [.init(type: 0x26, data: [1, 2]), .init(type: 0x24, data: [0x17])]),
            ["Data": data("y", (.byte(0x26), [1, 2]), (.byte(0x24), [0x17]))]),
        .init("that the transmit power is told", .init(includesTxPower: true), ["Includes": .strings(["tx-power"])]),
        .init("a transmit power", .init(txPower: -20), ["TxPower": .int16(-20)]),
        .init("a transmit power beyond 16 bits", .init(txPower: .max), ["TxPower": .int16(.max)]),
        .init("that it is not discoverable", .init(isDiscoverable: false), ["Discoverable": .bool(false)]),
        .init("that it is discoverable", .init(isDiscoverable: true), ["Discoverable": .bool(true)]),
        .init(
            "a discoverable beacon", .init(kind: .broadcast, isDiscoverable: true),
            ["Type": .string("broadcast"), "Discoverable": .bool(true)]),
        .init(
            "an interval", .init(interval: .milliseconds(20)...(.milliseconds(10240))),
            ["MinInterval": .uint32(20), "MaxInterval": .uint32(10240)]),
        .init(
            "an interval that no number holds", .init(interval: .zero...(.seconds(Int64.max))),
            ["MinInterval": .uint32(0), "MaxInterval": .uint32(.max)]),
        .init("a secondary PHY", .init(secondaryPHY: .coded), ["SecondaryChannel": .string("Coded")]),
        .init("a duration", .init(duration: .seconds(3)), ["Duration": .uint16(3)]),
        .init("a duration of no whole seconds", .init(duration: .milliseconds(2001)), ["Duration": .uint16(3)]),
        .init("a duration of nothing", .init(duration: .zero), ["Duration": .uint16(1)]),
    ]
}

extension OverABus {
    @Suite("BlueZ: advertising", .timeLimit(.minutes(60)))
    struct AdvertisingTests {
        private func advertise(
            _ advertisement: Advertisement, offered: StubBlueZ.Properties? = nil
        ) async throws -> (PeripheralStage, StubCall) {
            let stage = try await PeripheralStage(advertising: offered)
            let id = await stage.request(.advertise(AdvertisementID(rawValue: 1), advertisement))
            let call = try await stage.stub.call("RegisterAdvertisement")
            call.reply()
            try await stage.answer(to: id).get()
            return (stage, call)
        }

        /// The properties that the daemon reads of the registered object.
        private func properties(_ stage: PeripheralStage, _ call: StubCall) async throws -> StubBlueZ.Properties {
            let message = try await stage.stub.invoke(
                call.call.sender, try stage.root(of: call), StandardInterface.properties, "GetAll",
                [.string(BlueZInterface.advertisement)]
            ).get()
            return try #require(try message.body(expecting: "a{sv}")[0].propertiesValue)
        }

        @Test(arguments: AdvertisementCase.all)
        func `what an advertisement says is told to the daemon`(_ each: AdvertisementCase) async throws {
            let (stage, call) = try await advertise(
                each.advertisement,
                offered: [
                    "SupportedCapabilities": .properties([:]), "SupportedFeatures": .strings(["CanSetTxPower"]),
                    "SupportedSecondaryChannels": .strings(["1M", "Coded"]),
                ])
            #expect(try await properties(stage, call) == each.properties)
        }

        // MARK: Options that the daemon may not have

        private static let scanResponse = Advertisement(scanResponse: [.init(type: 0x26, data: [3])])

        /// The first registration where the scan response is still to be chosen.
        private func trial(_ stage: PeripheralStage) async throws -> (RequestID, StubCall) {
            let id = await stage.request(.advertise(AdvertisementID(rawValue: 1), Self.scanResponse))
            return (id, try await stage.stub.call("RegisterAdvertisement"))
        }

        private func failure(_ stage: PeripheralStage, _ id: RequestID) async throws -> OperationFailure? {
            if case .failure(let failure) = try await stage.answer(to: id) { failure } else { nil }
        }

        @Test
        func `a daemon that cannot read a wrong scan response is told the right one, from then on at once`()
            async throws
        {
            let stage = try await PeripheralStage()
            let (first, trial) = try await trial(stage)
            #expect(
                try await properties(stage, trial)
                    == ["Type": .string("broadcast"), "Appearance": .uint16(0), "ScanResponseData": .string("")])
            trial.fail("Failed", "Failed to parse advertisement.")
            let told = try await stage.stub.call("RegisterAdvertisement")
            #expect(
                try await properties(stage, told)["ScanResponseData"]
                    == AdvertisementCase.data("y", (.byte(0x26), [3])))
            told.reply()
            try await stage.answer(to: first).get()
            let second = await stage.request(.advertise(AdvertisementID(rawValue: 2), Self.scanResponse))
            try await stage.stub.call("RegisterAdvertisement").reply()
            try await stage.answer(to: second).get()
        }

        @Test
        func `a daemon that takes a wrong scan response does not read it: it is refused, from then on at once`()
            async throws
        {
            let stage = try await PeripheralStage()
            let (first, trial) = try await trial(stage)
            trial.reply()
            #expect(try await failure(stage, first) == .advertisingOption(.scanResponse))
            let withdrawn = try await stage.stub.call("UnregisterAdvertisement")
            #expect(withdrawn.arguments.first == trial.arguments.first)
            let second = await stage.request(.advertise(AdvertisementID(rawValue: 2), Self.scanResponse))
            #expect(try await failure(stage, second) == .advertisingOption(.scanResponse))
        }

        @Test func `a daemon that refuses the trial for another reason is tried again`() async throws {
            let stage = try await PeripheralStage()
            let (first, refused) = try await trial(stage)
            refused.fail("NotPermitted", "Maximum advertisements reached")
            guard case .backend(let failure) = try await failure(stage, first) else {
                throw Unexpected("another answer")
            }
            #expect(failure.name == "org.bluez.Error.NotPermitted")
            let (_, again) = try await trial(stage)
            #expect(try await properties(stage, again)["ScanResponseData"] == .string(""))
        }

        @Test func `an advertisement that is stopped while the daemon is tried is not registered`() async throws {
            let stage = try await PeripheralStage()
            let (first, trial) = try await trial(stage)
            let stop = await stage.request(.stopAdvertising(AdvertisementID(rawValue: 1)))
            try await stage.answer(to: stop).get()
            trial.fail("Failed", "Failed to parse advertisement.")
            guard case .backend = try await failure(stage, first) else { throw Unexpected("no failure") }
            let second = await stage.request(.advertise(AdvertisementID(rawValue: 2), Self.scanResponse))
            let call = try await stage.stub.call("RegisterAdvertisement")
            #expect(try stage.root(of: call).hasSuffix("advertisement2"))
            call.reply()
            try await stage.answer(to: second).get()
        }

        /// bluetoothd 5.66 and 5.87 fail a registration like this which was undone while they read the advertisement.
        @Test func `an advertisement that is started again stays, though its registration before the stop fails`()
            async throws
        {
            let stage = try await PeripheralStage()
            let advertisement = AdvertisementID(rawValue: 1)
            let old = await stage.request(.advertise(advertisement, Advertisement(localName: "Old")))
            let first = try await stage.stub.call("RegisterAdvertisement")
            let stop = await stage.request(.stopAdvertising(advertisement))
            #expect(try await stage.failure(of: old) != nil)
            try await stage.stub.call("UnregisterAdvertisement").reply()
            try await stage.answer(to: stop).get()
            let new = await stage.request(.advertise(advertisement, Advertisement(localName: "New")))
            let second = try await stage.stub.call("RegisterAdvertisement")
            first.fail("Failed", "Failed to complete registration")
            #expect(try await properties(stage, second)["LocalName"] == .string("New"))
            second.reply()
            try await stage.answer(to: new).get()
        }

        private static let twice = [ADStructure(type: 0x24, data: [1]), ADStructure(type: 0x24, data: [2])]

        @Test(arguments: [
            (Advertisement(interval: .seconds(1)...(.seconds(2))), AdvertisingOption.interval, false),
            (Advertisement(secondaryPHY: .le1M), .secondaryPHY, true),
            (Advertisement(txPower: 4), .txPower, false), (Advertisement(txPower: 4), .txPower, true),
            (Advertisement(structures: twice), .structuresOfOneType, true),
            (Advertisement(scanResponse: twice), .structuresOfOneType, true),
            (Advertisement(structures: [ADStructure(type: 0x12, data: [1])]), .structures, true),
            (Advertisement(structures: [ADStructure(type: 0xFF, data: [1])]), .structures, true),
            (Advertisement(scanResponse: [ADStructure(type: 0x0A, data: [1])]), .scanResponse, true),
            (Advertisement(scanResponse: [ADStructure(type: 0x21, data: [1])]), .scanResponse, false),
        ])
        func `the backend says beforehand what the daemon does not look at`(
            _ advertisement: Advertisement, _ option: AdvertisingOption, isExperimental: Bool
        )
            async throws
        {
            let properties: StubBlueZ.Properties = [
                "SupportedCapabilities": .properties([:]), "SupportedFeatures": .strings(["HardwareOffload"]),
            ]
            let stage = try await PeripheralStage(advertising: isExperimental ? properties : [:])
            #expect(stage.backend.unsupportedOption(of: advertisement) == option)
            #expect(stage.backend.unsupportedOption(of: Advertisement(localName: "a")) == nil)
        }

        @Test(
            arguments: [
                (Advertisement(localName: "a", secondaryPHY: .le1M), nil),
                (Advertisement(kind: .broadcast, secondaryPHY: .coded), nil),
                // Extended advertising has no scan response, where the daemon would put it.
                (Advertisement(kind: .broadcast, localName: "a", secondaryPHY: .le1M), .secondaryPHY),
                (Advertisement(secondaryPHY: .le2M), .secondaryPHY),
            ] as [(Advertisement, AdvertisingOption?)])
        func `extended advertising is refused on a PHY that the controller lacks`(
            _ advertisement: Advertisement, _ option: AdvertisingOption?
        ) async throws {
            let stage = try await PeripheralStage(
                advertising: ["SupportedSecondaryChannels": .strings(["1M", "Coded"])])
            #expect(stage.backend.unsupportedOption(of: advertisement) == option)
        }

        @Test func `what the daemon of now does not look at is refused, whichever was asked`() async throws {
            let stage = try await PeripheralStage(advertising: [:])
            let advertisement = Advertisement(interval: .seconds(1)...(.seconds(2)))
            let id = await stage.request(.advertise(AdvertisementID(rawValue: 1), advertisement))
            #expect(try await failure(stage, id) == .advertisingOption(.interval))
        }

        @Test(
            arguments: [
                (100...200, 300...400, ["MaxInterval", "MinInterval"]),
                (300...400, 100...200, ["MinInterval", "MaxInterval"]),
                (100...400, 200...300, ["MaxInterval", "MinInterval"]),
                (200...300, 100...400, ["MaxInterval", "MinInterval"]),
                (100...300, 200...300, ["MinInterval"]), (nil, 100...400, ["MaxInterval MinInterval"]),
                // Once the interval is forgotten, a change of any property makes the daemon send the advertisement
                // again.
                (100...400, nil, ["no MaxInterval MinInterval", "Type"]),
            ] as [(ClosedRange<Int>?, ClosedRange<Int>?, [String])])
        func `an interval is changed in an order in which the least is never above the greatest`(
            _ old: ClosedRange<Int>?, _ new: ClosedRange<Int>?, _ expected: [String]
        ) async throws {
            func advertisement(_ range: ClosedRange<Int>?) -> Advertisement {
                Advertisement(interval: range.map { .milliseconds($0.lowerBound)...(.milliseconds($0.upperBound)) })
            }
            let (stage, _) = try await advertise(advertisement(old))
            let changes = try await stage.stub.changes()
            let id = await stage.request(.updateAdvertisement(AdvertisementID(rawValue: 1), advertisement(new)))
            try await stage.answer(to: id).get()
            var told: [String] = []
            while told.count < expected.count, let change = await changes.next() { told.append(change) }
            #expect(told == expected)
        }

        @Test(arguments: [true, false])
        func `after the radio was off, an advertisement is sent again where the kernel has forgotten it`(
            _ isForgotten: Bool
        ) async throws {
            let (stage, _) = try await advertise(
                Advertisement(localName: "Ours"),
                offered: ["SupportedFeatures": .strings(isForgotten ? ["HardwareOffload"] : [])])
            let changes = try await stage.stub.changes()
            try await stage.passPowerOff()
            let id = await stage.request(
                .updateAdvertisement(AdvertisementID(rawValue: 1), Advertisement(localName: "Others")))
            try await stage.answer(to: id).get()
            #expect(await changes.next() == (isForgotten ? "Type" : "LocalName"))
        }

        // MARK: A daemon that has just started

        /// Registers with a daemon that has its adapter on the bus, but not yet the interface for registration.
        private func advertiseEarly() async throws -> (PeripheralStage, RequestID, StubCall) {
            let stage = try await PeripheralStage()
            let id = await stage.request(.advertise(AdvertisementID(rawValue: 1), .init(localName: "Ours")))
            let call = try await stage.stub.call("RegisterAdvertisement")
            call.call.fail(ErrorName.unknownMethod, "doesn't exist")
            return (stage, id, call)
        }

        @Test
        func `an advertisement that comes before what registers it is registered once that is there`() async throws {
            let (stage, id, first) = try await advertiseEarly()
            await stage.stub.run { $0.add(StubBlueZ.adapter, [BlueZInterface.advertisingManager: [:]]) }
            let second = try await stage.stub.call("RegisterAdvertisement")
            #expect(try stage.root(of: second) == stage.root(of: first))
            second.reply()
            try await stage.answer(to: id).get()
        }

        @Test
        func `an advertisement whose registering does not show up fails with the daemon's answer after two seconds`()
            async throws
        {
            let (stage, id, _) = try await advertiseEarly()
            await stage.clock.waitForTimer(within: .seconds(2))
            stage.clock.advance(by: .seconds(2))
            guard case .backend(let reason) = try await failure(stage, id) else { throw Unexpected("no failure") }
            #expect(reason.name == ErrorName.unknownMethod)
        }

        // MARK: A kernel that is busy with another program's advertisement

        /// Lets the daemon refuse a registration as often as `count` says, each time after its pause.
        private func refuse(_ stage: PeripheralStage, _ count: Int) async throws -> [String] {
            var roots: [String] = []
            for attempt in 0..<count {
                if attempt > 0 {
                    let pause = Duration.milliseconds(50 << (attempt - 1))
                    await stage.clock.waitForTimer(within: pause)
                    stage.clock.advance(by: pause)
                }
                let call = try await stage.stub.call("RegisterAdvertisement")
                roots.append(try stage.root(of: call))
                call.fail("Failed", "Failed to register advertisement")
            }
            return roots
        }

        private func advertise(_ stage: PeripheralStage, _ number: UInt32) async -> RequestID {
            await stage.request(.advertise(AdvertisementID(rawValue: number), .init(localName: "Ours")))
        }

        @Test func `an advertisement that the kernel refuses is registered again after a pause`() async throws {
            let stage = try await PeripheralStage()
            let id = await advertise(stage, 1)
            let refused = try await refuse(stage, 1)
            await stage.clock.waitForTimer(within: .milliseconds(50))
            stage.clock.advance(by: .milliseconds(50))
            let again = try await stage.stub.call("RegisterAdvertisement")
            #expect(try stage.root(of: again) == refused[0])
            again.reply()
            try await stage.answer(to: id).get()
        }

        @Test func `an advertisement that the kernel refuses six times fails with its answer`() async throws {
            let stage = try await PeripheralStage()
            let id = await advertise(stage, 1)
            #expect(Set(try await refuse(stage, 6)).count == 1)
            guard case .backend(let reason) = try await failure(stage, id) else { throw Unexpected("no failure") }
            #expect(reason.message == "Failed to register advertisement")
        }

        @Test func `an advertisement that is stopped during the pause is not registered again`() async throws {
            let stage = try await PeripheralStage()
            let id = await advertise(stage, 1)
            let refused = try await refuse(stage, 1)
            await stage.clock.waitForTimer(within: .milliseconds(50))
            let stop = await stage.request(.stopAdvertising(AdvertisementID(rawValue: 1)))
            guard case .backend = try await failure(stage, id) else { throw Unexpected("no failure") }
            try await stage.stub.call("UnregisterAdvertisement").fail("DoesNotExist", "Does Not Exist")
            _ = try await failure(stage, stop)
            stage.clock.advance(by: .milliseconds(50))
            _ = await advertise(stage, 2)
            let next = try await stage.stub.call("RegisterAdvertisement")
            #expect(try stage.root(of: next) != refused[0])
        }

        @Test func `an advertisement is not registered again while the radio is off`() async throws {
            let stage = try await PeripheralStage()
            let id = await advertise(stage, 1)
            _ = try await refuse(stage, 1)
            await stage.clock.waitForTimer(within: .milliseconds(50))
            await stage.stub.run { $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(false)]) }
            guard case .stateChanged(.poweredOff, _) = try await stage.next() else { throw Unexpected("still on") }
            stage.clock.advance(by: .milliseconds(50))
            guard case .backend = try await failure(stage, id) else { throw Unexpected("no failure") }
        }

        // MARK: Release

        private func release(_ stage: PeripheralStage, _ call: StubCall) async throws {
            let path = try stage.root(of: call)
            _ = try await stage.stub.invoke(call.call.sender, path, BlueZInterface.advertisement, "Release").get()
        }

        @Test func `an advertisement that the daemon lets go of while its adapter goes on was taken down`() async throws
        {
            let (stage, call) = try await advertise(.init(localName: "Ours"), offered: [:])
            try await release(stage, call)
            guard case .advertisingEnded(AdvertisementID(rawValue: 1), let failure) = try await stage.next() else {
                throw Unexpected("another event")
            }
            #expect(failure.name == "org.bluez.LEAdvertisement1.Release")
        }

        @Test
        func `one that it lets go of because the adapter goes is as lost as everything else, once it is back`()
            async throws
        {
            let (stage, call) = try await advertise(.init(localName: "Ours"), offered: [:])
            await stage.stub.run {
                $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(false)])
                $0.remove(StubBlueZ.adapter, [BlueZInterface.advertisingManager])
            }
            guard case .stateChanged(.poweredOff, _) = try await stage.next() else { throw Unexpected("no state") }
            try await release(stage, call)
            await stage.stub.run {
                $0.add(StubBlueZ.adapter, [BlueZInterface.advertisingManager: [:]])
                $0.set(StubBlueZ.adapter, BlueZInterface.adapter, ["Powered": .bool(true)])
            }
            guard case .registrationsLost = try await stage.next(),
                case .stateChanged(.poweredOn, _) = try await stage.next()
            else { throw Unexpected("another event") }
            // It is not there twice.
            _ = await stage.request(.advertise(AdvertisementID(rawValue: 1), .init(localName: "Ours")))
            try await stage.stub.call("RegisterAdvertisement").reply()
        }

        @Test func `of a beacon the daemon is not told whether it is discoverable`() async throws {
            let (stage, call) = try await advertise(.init(kind: .broadcast))
            #expect(try await properties(stage, call) == ["Type": .string("broadcast")])
        }
    }
}
#endif
