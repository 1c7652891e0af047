// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapJSON
import BlueCapSerDe
import Testing

@testable import BlueCapCapture

@Suite(.timeLimit(.minutes(60)))
struct TwinJSONTests {
    /// A twin in which everything is used.
    static let full: Twin = {
        var twin = LampSession.twin
        twin.advertisement = TwinAdvertisement(
            data: PeripheralAdvertisements(
                localName: "Lämp", manufacturerData: [0x004C: [2, 0x15]], txPower: -4,
                serviceUUIDs: ["180F", "0000AAAA", LampSession.service], serviceData: ["180F": [99]],
                solicitedServiceUUIDs: ["1812"], appearance: 0x0340, flags: .generalDiscoverable,
                structures: [ADStructure(type: 0x24, data: [0x17, 0x2F])]),
            scanResponse: PeripheralAdvertisements(manufacturerData: [0xFFFF: []]), isConnectable: false,
            interval: .microseconds(152_500), rssi: -70)
        twin.services.append(
            TwinService(
                "180A", isPrimary: false,
                characteristics: [
                    TwinCharacteristic(
                        "2A29", properties: [.read, .notifyEncryptionRequired, .indicate], readSecurity: .authenticated,
                        writeSecurity: .open)
                ]))
        twin.services[1].includes = [3]
        return twin
    }()

    @Test(arguments: [LampSession.twin, full, Twin()])
    func `a twin comes back from its JSON`(_ twin: Twin) throws {
        #expect(try Twin(json: twin.json.utf8) == twin)
    }

    @Test
    func `JSON that somebody wrote by hand needs little`() throws {
        let json = """
            {"schema": "bluecap-twin", "version": 1, "name": "Lamp",
             "services": [{"uuid": "180f", "characteristics": [{"uuid": "2A19", "properties": ["read"], "value": "0x64"}]}]}
            """
        let services = [
            TwinService("180F", characteristics: [TwinCharacteristic("2A19", properties: .read, value: [100])])
        ]
        #expect(try Twin(json: json.utf8) == Twin(name: "Lamp", services: services))
    }

    /// JSON with a wrong value, the path that the error has to name, and a part of its reason.
    static let wrong: [(String, String, String)] = [
        (#""services": [{"uuid": "180X"}]"#, "services[0].uuid", "is no UUID"),
        (#""services": [{}]"#, "services[0].uuid", "missing"),
        (#""services": [{"uuid": "180F", "includes": [0]}]"#, "services[0].includes", "no other service"),
        (#""services": [{"uuid": "180F", "includes": [7]}]"#, "services[0].includes", "index 7"),
        (#""services": [{"uuid": "180F", "handle": 0}]"#, "services[0].handle", "1 to 65535"),
        (#""services": [{"uuid": "180F", "handle": 65536}]"#, "services[0].handle", "1 to 65535"),
        (
            #""services": [{"uuid": "180F", "characteristics": [{"uuid": "2A19"}, 7]}]"#,
            "services[0].characteristics[1]", ""
        ),
        (
            #""services": [{"uuid": "180F", "characteristics": [{"uuid": "2A19", "properties": ["fly"]}]}]"#,
            "services[0].characteristics[0].properties", "'fly'"
        ),
        (
            #""services": [{"uuid": "180F", "characteristics": [{"uuid": "2A19", "properties": [], "value": "6"}]}]"#,
            "services[0].characteristics[0].value", "hexadecimal"
        ),
        (
            #""services": [{"uuid": "180F", "characteristics": [{"uuid": "2A19", "properties": [], "readSecurity": "tin"}]}]"#,
            "services[0].characteristics[0].readSecurity", "'tin' is neither \"open\", \"encrypted\" nor"
        ),
        (
            #""services": [{"uuid": "180F", "characteristics": [{"uuid": "2A19", "properties": [], "writeSecurity": ""}]}]"#,
            "services[0].characteristics[0].writeSecurity", "'' is neither"
        ),
        (
            #""services": [{"uuid": "180F", "characteristics": [{"uuid": "2A19", "properties": [], "writeSecurity": 7}]}]"#,
            "services[0].characteristics[0].writeSecurity", ""
        ),
        (
            #""services": [{"uuid": "180F", "characteristics": [{"uuid": "2A19", "properties": [], "notifications": [{"after": -1, "value": ""}]}]}]"#,
            "services[0].characteristics[0].notifications[0].after", "no time"
        ),
        (
            #""services": [{"uuid": "180F", "characteristics": [{"uuid": "2A19", "properties": [], "notifications": [{"after": 1}]}]}]"#,
            "services[0].characteristics[0].notifications[0].value", "missing"
        ),
        (#""mtu": 22"#, "mtu", "23 to 517"),
        (#""mtu": 1e400"#, "mtu", "23 to 517"),
        (#""mtu": "247""#, "mtu", ""),
        (#""address": "over there""#, "address", "no address"),
        (#""addressType": "secret""#, "addressType", "neither"),
        (#""recorded": -1"#, "recorded", "no moment"),
        (
            #""advertisement": {"data": {"manufacturerData": {"4C": "00"}}}"#,
            "advertisement.data.manufacturerData", "four hexadecimal digits"
        ),
        (#""advertisement": {"data": {"serviceData": {"180F": "0"}}}"#, "advertisement.data.serviceData", ""),
        (#""advertisement": {"data": {"flags": 256}}"#, "advertisement.data.flags", "0 to 255"),
        (#""advertisement": {"rssi": 21}"#, "advertisement.rssi", "-127 to 20"),
    ]

    @Test(arguments: wrong.indices)
    func `a wrong value is named with its path and the reason`(_ index: Int) {
        let (text, path, reason) = Self.wrong[index]
        let json = #"{"schema": "bluecap-twin", "version": 1, \#(text)}"#
        let error = #expect(throws: TwinError.self) { try Twin(json: json.utf8) }
        if path.isEmpty { return }
        guard case .invalid(let found, let why)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found == path)
        #expect(why.contains(reason), "\(why)")
    }

    @Test
    func `what is no twin is refused`() {
        #expect(throws: TwinError.notATwin) { try Twin(json: #"{"schema": "bluecap-world", "version": 1}"#.utf8) }
        #expect(throws: TwinError.notATwin) { try Twin(json: "[]".utf8) }
        #expect(throws: TwinError.newerVersion(4)) {
            try Twin(json: #"{"schema": "bluecap-twin", "version": 4, "services": 7}"#.utf8)
        }
        #expect(throws: TwinError.self) { try Twin(json: "".utf8) }
        let error = #expect(throws: TwinError.self) { try Twin(json: "{\"schema\": ".utf8) }
        guard case .invalidJSON? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test
    func `a twin in another encoding is no JSON, and a number that does not fit has its place`() {
        let start = Array(#"{"schema": "bluecap-twin", "version": 1, "name": "20 "#.utf8)
        let latin = #expect(throws: TwinError.self) { try Twin(json: start + [0xB0] + Array(#"C"}"#.utf8)) }
        #expect(
            latin?.description
                == "this is not JSON: line 1, column \(start.count + 1): a character is not in UTF-8, "
                + "the encoding of JSON")
        let great = #expect(throws: TwinError.self) {
            try Twin(json: #"{"schema": "bluecap-twin", "version": 1, "mtu": 1e400}"#.utf8)
        }
        #expect(great?.description.hasPrefix("mtu: this is a whole number from 23 to 517 (line 1, column ") == true)
    }

    @Test
    func `JSON that is cut off anywhere is refused`() {
        let json = Array(Self.full.json.utf8)
        // The line break at the end is no part of it.
        for length in 0..<json.count - 2 {
            #expect(throws: TwinError.self, "\(length) bytes") { try Twin(json: json.prefix(length)) }
        }
    }

    @Test
    func `more than the limits is refused`() {
        #expect(throws: TwinError.tooLong(byteCount: Twin.maximumByteCount + 1)) {
            try Twin(json: Array(repeating: 0x20, count: Twin.maximumByteCount + 1))
        }
        let services = repeatElement(#"{"uuid":"180F"}"#, count: 2049).joined(separator: ",")
        let place = "(line 1, column 49)"
        #expect(throws: TwinError.invalid(path: "services", reason: "it has more than 2048 elements \(place)")) {
            try Twin(json: #"{"schema":"bluecap-twin","version":1,"services":[\#(services)]}"#.utf8)
        }
        let value = String(repeating: "00", count: 513)
        #expect(throws: TwinError.self) {
            try Twin(
                json:
                    #"{"schema":"bluecap-twin","version":1,"services":[{"uuid":"180F","characteristics":[{"uuid":"2A19","properties":[],"value":"\#(value)"}]}]}"#
                    .utf8)
        }
    }

    @Test
    func `a twin beyond the limits is cut to what can be read again`() throws {
        let long = Bytes(Array(repeating: 7, count: 600))
        let characteristic = TwinCharacteristic(
            "2A19", properties: .notify, value: long,
            descriptors: Array(repeating: TwinDescriptor("2901", value: long), count: 300),
            notifications: [TwinNotification(after: .seconds(2_000_000_000), value: long)])
        let twin = Twin(
            name: String(repeating: "x", count: 2000), recorded: Timestamp(sinceEpoch: .seconds(-1)),
            advertisement: TwinAdvertisement(data: PeripheralAdvertisements(), interval: .seconds(-1), rssi: 99),
            mtu: 9000,
            services: [
                TwinService("180F", includes: [0, 1, 5000], characteristics: [characteristic]), TwinService("180A"),
            ])
        let cut = twin.withinLimits()
        #expect(cut.services[0].includes == [1])
        #expect(cut.services[0].characteristics[0].value?.count == 512)
        #expect(cut.services[0].characteristics[0].descriptors.count == 256)
        #expect(cut.mtu == 517)
        #expect(try Twin(json: cut.json.utf8) == cut)
    }

    @Test
    func `more attributes than there are handles, and more notifications than there is room for, are left out`() {
        let characteristic = TwinCharacteristic("2A19", properties: .read)
        let service = TwinService("180F", characteristics: Array(repeating: characteristic, count: 20))
        let wide = Twin(services: Array(repeating: service, count: 1500)).withinLimits()
        #expect(wide.services.reduce(0) { $0 + 1 + 3 * $1.characteristics.count } <= 65_535)
        #expect(wide.services.count >= 1074)
        let value = Bytes(Array(repeating: 7, count: 512))
        let sent = TwinCharacteristic(
            "2A19", properties: .notify,
            notifications: Array(repeating: TwinNotification(after: .zero, value: value), count: 40_000))
        let long = Twin(services: [TwinService("180F", characteristics: [sent, sent])]).withinLimits()
        let count = long.services[0].characteristics.reduce(0) { $0 + $1.notifications.count }
        #expect((29_000...30_000).contains(count))
    }

    @Test
    func `JSON that is nested without end is refused`() {
        let json = String(repeating: "[", count: 200_000)
        #expect(throws: TwinError.self) { try Twin(json: json.utf8) }
        let object = String(repeating: #"{"services":"#, count: 100_000)
        #expect(throws: TwinError.self) { try Twin(json: object.utf8) }
    }

    /// More values than the decoder takes, in members that it reads and under a key that it skips.
    private static func excessive(_ name: String) -> String {
        switch name {
        case "services":
            #""services": [\#(repeatElement(#"{"uuid":"180F"}"#, count: 1_000_001).joined(separator: ","))]"#
        case "later": #""later": [\#(repeatElement("0", count: 2_000_000).joined(separator: ","))]"#
        default: #""later": \#(String(repeating: "[", count: 32) + String(repeating: "]", count: 32))"#
        }
    }

    @Test(arguments: [("services", "2000000 values"), ("later", "2000000 values"), ("deep", "too deep")])
    func `more values than a decoder should have are refused before it is asked`(name: String, reason: String) {
        let error = #expect(throws: TwinError.self) {
            try Twin(json: #"{"schema": "bluecap-twin", "version": 1, \#(Self.excessive(name))}"#.utf8)
        }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasPrefix("the twin: line 1, column") == true)
    }

    @Test func `a twin that takes up all limits has no more values than are read`() {
        // As many notifications as fit into the room for content, and as many characteristics as there are handles for,
        // each with every member.
        let sent = repeatElement(#"{"after":0,"value":""}"#, count: TwinLimits.contentByteCount / 110)
        let properties = repeatElement(#""""#, count: 10).joined(separator: ",")
        let characteristic =
            #"{"uuid":"","handle":1,"properties":[\#(properties)],"value":"","readSecurity":"","writeSecurity":"","descriptors":[],"notifications":[]}"#
        let all = repeatElement(characteristic, count: TwinLimits.attributes / 3)
        let text = #"{"a":[\#(sent.joined(separator: ","))],"b":[\#(all.joined(separator: ","))]}"#
        #expect(throws: Never.self) { try PlacedJSON(Array(text.utf8), within: TwinLimits.json) }
    }

    @Test
    func `what BlueZ reports as one is divided into packet and scan response`() {
        let whole = PeripheralAdvertisements(
            localName: "A lamp with a long name", manufacturerData: [0x004C: Bytes(Array(repeating: 1, count: 20))],
            serviceUUIDs: ["180F"])
        let advertisement = TwinAdvertisement(whole: whole, rssi: -50)
        #expect(advertisement.data.localName == nil)
        #expect(advertisement.scanResponse?.localName == "A lamp with a long name")
        #expect(advertisement.data.packet.count <= 31)
        #expect(TwinAdvertisement(whole: PeripheralAdvertisements(localName: "Lamp")).scanResponse == nil)
        let resolved = PeripheralAdvertisements(
            serviceUUIDs: ["1800", "1801", "180F", LampSession.service, "F000AA20-0451-4000-B000-000000000000"])
        #expect(TwinAdvertisement(whole: resolved).data.serviceUUIDs == ["180F", LampSession.service])
    }
}
