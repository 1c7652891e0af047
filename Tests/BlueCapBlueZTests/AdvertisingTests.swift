#if BlueZ && canImport(CDBus) && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import DBus
import PrivateBus
import Testing

/// An advertisement, and what the daemon is told of it beside `Type` and, where nothing else is said, `Discoverable`.
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
    private static func data(_ key: String, _ entries: (DBusValue, [UInt8])...) -> DBusValue {
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
        .init(
            "a scan response", .init(scanResponse: [.init(type: 0x26, data: [3])]),
            ["ScanResponseData": data("y", (.byte(0x26), [3]))]),
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
        .init("a duration", .init(duration: .seconds(3)), ["Duration": .uint16(3)]),
        .init("a duration of no whole seconds", .init(duration: .milliseconds(2001)), ["Duration": .uint16(3)]),
        .init("a duration of nothing", .init(duration: .zero), ["Duration": .uint16(1)]),
        .init("a timeout", .init(timeout: .seconds(100_000)), ["Timeout": .uint16(.max)]),
    ]
}

extension OverABus {
    @Suite("BlueZ: advertising", .timeLimit(.minutes(5)))
    struct AdvertisingTests {
        private func advertise(_ advertisement: Advertisement) async throws -> (PeripheralStage, StubCall) {
            let stage = try await PeripheralStage()
            let id = await stage.request(.advertise(AdvertisementID(rawValue: 1), advertisement))
            let call = try await stage.stub.call("RegisterAdvertisement")
            call.reply()
            try await stage.answer(to: id).get()
            return (stage, call)
        }

        /// What the daemon reads of the object that was registered.
        private func properties(_ stage: PeripheralStage, _ call: StubCall) async throws -> StubBlueZ.Properties {
            let message = try await stage.stub.invoke(
                call.call.sender, try stage.root(of: call), StandardInterface.properties, "GetAll",
                [.string(BlueZInterface.advertisement)]
            ).get()
            return try #require(try message.body(expecting: "a{sv}")[0].propertiesValue)
        }

        @Test("what an advertisement says is told to the daemon", arguments: AdvertisementCase.all)
        func told(_ each: AdvertisementCase) async throws {
            let (stage, call) = try await advertise(each.advertisement)
            #expect(try await properties(stage, call) == each.properties)
        }

        @Test("of a beacon the daemon is not told whether it is discoverable")
        func beacon() async throws {
            let (stage, call) = try await advertise(.init(kind: .broadcast))
            #expect(try await properties(stage, call) == ["Type": .string("broadcast")])
        }
    }
}
#endif
