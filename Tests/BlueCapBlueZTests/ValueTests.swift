// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapBlueZ
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus
import Testing

struct DeviceFactsTests {
    private static let everything: ObjectMirror.Properties = [
        "Address": .string("c0:00:00:00:00:01"), "Name": .string("Heart"), "RSSI": .int16(-50),
        "TxPower": .int16(4), "Appearance": .uint16(0x0340), "AdvertisingFlags": .bytes([0x06]),
        "UUIDs": .strings(["0000180d-0000-1000-8000-00805f9b34fb", "nonsense"]),
        "ManufacturerData": .dictionary(
            DBusDictionary(
                keySignature: "q", valueSignature: "v",
                entries: [.init(key: .uint16(0x004C), value: .variant(.bytes([2, 0x15])))])),
        "ServiceData": .properties(["0000180f-0000-1000-8000-00805f9b34fb": .bytes([0x64])]),
        "AdvertisingData": .dictionary(
            DBusDictionary(
                keySignature: "y", valueSignature: "v",
                entries: [.init(key: .byte(0x14), value: .variant(.bytes([0x16, 0x18, 0xFF])))])),
    ]

    @Test func `every advertising field is read from its property`() {
        let facts = DeviceFacts(Self.everything)
        #expect(facts.identifier == "C0:00:00:00:00:01")
        #expect(facts.rssi == -50)
        #expect(
            PeripheralAdvertisements(Self.everything)
                == PeripheralAdvertisements(
                    localName: "Heart", manufacturerData: [0x004C: [2, 0x15]], txPower: 4, serviceUUIDs: ["180D"],
                    serviceData: ["180F": [0x64]], solicitedServiceUUIDs: ["1816"], appearance: 0x0340,
                    flags: [.generalDiscoverable, .noBREDR],
                    structures: [ADStructure(type: 0x14, data: [0x16, 0x18, 0xFF])]))
    }

    @Test(arguments: everything.names.sorted())
    func `a property that comes or goes renews its own fields, and no others`(name: String) {
        let without = Self.everything.filter { $0 != name }
        var advertisements = PeripheralAdvertisements(without)
        advertisements.renew(Self.everything.filter { $0 == name }, without: [])
        #expect(advertisements == PeripheralAdvertisements(Self.everything))
        advertisements.renew([:], without: [name])
        #expect(advertisements == PeripheralAdvertisements(without))
        advertisements.renew([name: .structure([.byte(0)])], without: [])
        #expect(advertisements == PeripheralAdvertisements(without))
    }

    @Test func `127 stands for an unknown signal strength of a device that was sighted`() {
        let facts = DeviceFacts(["RSSI": .int16(127)])
        #expect(facts.isSighted)
        #expect(facts.rssi == nil)
    }

    @Test
    func `the stand-in that BlueZ makes from an address is no name; an alias that a user gave is`() {
        let address = DBusValue.string("C0:00:00:00:00:01")
        for standIn in ["C0-00-00-00-00-01", "c0-00-00-00-00-01"] {
            #expect(DeviceFacts(["Address": address, "Alias": .string(standIn)]).name == nil)
        }
        for alias in ["Lamp", "C0-00-00-00-00-02", "C0:00:00:00:00:01", "C0-00-00-00-00-0", "C0-00-00-00-00-Ñ"] {
            #expect(DeviceFacts(["Address": address, "Alias": .string(alias)]).name == alias)
        }
    }

    @Test func `an empty name is none, nor is an empty alias`() {
        let address = DBusValue.string("C0:00:00:00:00:01")
        let facts = DeviceFacts(["Address": address, "Name": .string(""), "Alias": .string("Lamp")])
        #expect(facts.name == "Lamp")
        #expect(DeviceFacts(["Address": address, "Name": .string(""), "Alias": .string("")]).name == nil)
        #expect(PeripheralAdvertisements(["Name": .string("")] as ObjectMirror.Properties).localName == nil)
    }

    @Test func `properties of other types than BlueZ documents are passed over`() {
        let properties: ObjectMirror.Properties = [
            "Address": .uint16(1), "Name": .bytes([1]), "RSSI": .string("far"), "UUIDs": .string("180d"),
            "ManufacturerData": .string(""), "ServiceData": .bytes([]), "AdvertisingFlags": .bytes([]),
        ]
        let facts = DeviceFacts(properties)
        #expect(facts.identifier == nil)
        #expect(facts.rssi == nil)
        #expect(PeripheralAdvertisements(properties) == PeripheralAdvertisements())
    }

    @Test func `flags become properties; unknown ones are passed over`() {
        #expect(
            CharacteristicProperties(flags: ["read", "write-without-response", "notify", "reliable-write"])
                == [.read, .writeWithoutResponse, .notify])
        #expect(CharacteristicProperties(flags: ["encrypt-notify"]) == [.notify, .notifyEncryptionRequired])
    }
}

struct FailureTests {
    @Test(
        arguments: [
            ("NotPermitted", "Read not permitted", 0x02), ("NotPermitted", "Write not permitted", 0x03),
            ("NotPermitted", "Not paired", 0x05), ("NotSupported", "Operation is not supported", 0x06),
            ("InvalidArguments", "Invalid offset", 0x07), ("NotAuthorized", "Operation Not Authorized", 0x08),
            ("InvalidArguments", "Invalid Length", 0x0D), ("Failed", "Operation failed with ATT error: 0x01", 0x01),
            ("Failed", "Operation failed with ATT error: 0x0e", 0x0E),
            ("Failed", "Operation failed with ATT error: 0x9f", 0x9F),
            ("Failed", "Operation failed with ATT error: 0xff", 0xFF), ("InvalidOffset", "", 0x07),
            ("InvalidValueLength", "", 0x0D),
        ] as [(String, String, UInt8)])
    func `BlueZ's words for an ATT error give its code back`(name: String, text: String, code: UInt8) {
        let error = DBusError.remote(name: "org.bluez.Error." + name, message: text)
        #expect(BlueZFailure.attribute(error) == .att(ATTError(rawValue: code)))
    }

    @Test func `a link that is down and an adapter that is off are no errors of the peer`() {
        let down = DBusError.remote(name: "org.bluez.Error.Failed", message: "Not connected")
        let off = DBusError.remote(name: "org.bluez.Error.NotReady", message: "Resource Not Ready")
        #expect(BlueZFailure.attribute(down) == .disconnected)
        #expect(BlueZFailure.attribute(.remote(name: "org.bluez.Error.NotConnected", message: "")) == .disconnected)
        #expect(BlueZFailure.attribute(off) == .poweredOff)
    }

    @Test(arguments: [
        "Operation failed with ATT error: 0x100", "Operation failed with ATT error: 0xzz", "Operation failed",
    ])
    func `a text that only looks like a code stays BlueZ's failure`(text: String) {
        guard case .backend(let failure) = BlueZFailure.attribute(.remote(name: BlueZError.failed, message: text))
        else {
            Issue.record("a code was read")
            return
        }
        #expect(failure.message == text)
    }

    @Test func `what is worth another try says so`() {
        func isTransient(_ name: String, _ text: String) -> Bool {
            BlueZFailure.failure(.remote(name: name, message: text)).isTransient
        }
        #expect(isTransient(BlueZError.failed, "le-connection-abort-by-local"))
        #expect(isTransient(BlueZError.failed, "br-connection-canceled"))
        #expect(isTransient(BlueZError.inProgress, "In Progress"))
        #expect(!isTransient(BlueZError.failed, "le-connection-refused"))
        #expect(!isTransient(BlueZError.notPermitted, "Read not permitted"))
    }

    @Test func `a refusal by the bus tells what to do`() {
        let error = DBusError.remote(name: ErrorName.accessDenied, message: "Rejected send message")
        #expect(BlueZFailure.isRefusal(error))
        #expect(BlueZFailure.failure(error).advice?.contains("group bluetooth") == true)
    }
}

struct DiscoveryFilterTests {
    private let keys: Set<String> = ["Transport", "RSSI", "DuplicateData", "UUIDs"]

    @Test
    func `scans for services are not left to BlueZ, which would hide what only sends service data`() throws {
        let filter = try #require(DiscoveryFilter(merging: [ScanRequest(services: ["180D"])], passingServices: false))
        #expect(filter.properties(accepting: keys) == ["Transport": .string("le"), "RSSI": .int16(-127)])
    }

    @Test func `services go to BlueZ when asked for, merged over all scans`() throws {
        let requests = [ScanRequest(services: ["180D"]), ScanRequest(services: ["180F"], allowsDuplicates: true)]
        let filter = try #require(DiscoveryFilter(merging: requests, passingServices: true))
        #expect(
            filter.properties(accepting: keys) == [
                "Transport": .string("le"), "RSSI": .int16(-127), "DuplicateData": .bool(true),
                "UUIDs": .strings([
                    "0000180d-0000-1000-8000-00805f9b34fb", "0000180f-0000-1000-8000-00805f9b34fb",
                ]),
            ])
    }

    @Test func `one scan for everything takes the services off`() throws {
        let requests = [ScanRequest(services: ["180D"]), ScanRequest()]
        #expect(try #require(DiscoveryFilter(merging: requests, passingServices: true)).services == [])
    }

    @Test func `no scans need no filter`() {
        #expect(DiscoveryFilter(merging: [], passingServices: true) == nil)
    }
}
#endif
