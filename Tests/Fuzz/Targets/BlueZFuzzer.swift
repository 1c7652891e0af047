// SPDX-License-Identifier: MIT

import BlueCapBlueZ
import BlueCapCore
import BlueCapDBus
import BlueCapSerDe

/// BlueZ's descriptions of its objects: properties of any names and types, paths, and the texts of errors.
struct BlueZFuzzer {
    #if BlueZ && os(Linux)
    func run(_ input: inout FuzzInput) {
        switch input.byte() % 5 {
        case 0: Self.path(&input)
        case 1: Self.failure(&input)
        case 2: Self.tree(&input)
        case 3: Self.flags(&input)
        default: Self.facts(&input)
        }
    }

    private static let names = [
        "Address", "Name", "Alias", "RSSI", "Connected", "ServicesResolved", "UUIDs", "TxPower", "Appearance",
        "AdvertisingFlags", "AdvertisingData", "ManufacturerData", "ServiceData", "Value",
    ]

    private static func properties(_ input: inout FuzzInput) -> ObjectMirror.Properties {
        var properties = ObjectMirror.Properties()
        for _ in 0..<input.byte() % 8 {
            let chosen = Int(input.byte())
            let name = chosen < names.count ? names[chosen] : input.text()
            // A value that cannot come over a bus is not a property.
            guard (try? properties.set(name, to: value(&input, depth: 0))) != nil else { continue }
            expect(properties.has(name), "\(name) is not there")
        }
        expect(Set(properties.names).count == properties.names.count, "a name twice in \(properties.names)")
        return properties
    }

    /// A value of any type; containers no deeper than BlueZ's.
    private static func value(_ input: inout FuzzInput, depth: Int) -> DBusValue {
        switch input.byte() % (depth < 3 ? 16 : 9) {
        case 0: return .string(input.text())
        case 1: return .int16(Int16(bitPattern: input.word()))
        case 2: return .bytes(input.counted())
        case 3: return .uint16(input.word())
        case 4: return .byte(input.byte())
        case 5: return .bool(input.byte() % 2 == 1)
        case 6: return .objectPath(input.text())
        case 7: return .uint64(UInt64(input.word()) << 48)
        case 8: return .double(.nan)
        case 9: return .strings((0..<input.byte() % 4).map { _ in input.text() })
        case 10: return .variant(value(&input, depth: depth + 1))
        case 11: return .structure([value(&input, depth: depth + 1)])
        case 12: return .array((0..<input.byte() % 4).map { _ in .variant(value(&input, depth: depth + 1)) }, of: "v")
        case 13: return .properties([input.text(): value(&input, depth: depth + 1)])
        case let other:
            let entries = (0..<input.byte() % 4).map { _ in
                let key: DBusValue = other == 14 ? .uint16(input.word()) : .byte(input.byte())
                return DBusDictionary.Entry(key: key, value: value(&input, depth: depth + 1))
            }
            return .dictionary(
                DBusDictionary(keySignature: other == 14 ? "q" : "y", valueSignature: "v", entries: entries))
        }
    }

    private static func facts(_ input: inout FuzzInput) {
        let (known, news) = (properties(&input), properties(&input))
        let gone = Array(known.names.sorted().prefix(Int(input.byte() % 3)))
        var advertisements = PeripheralAdvertisements(known)
        advertisements.renew(news, without: gone)
        var rest = known
        rest.take(news)
        for name in gone { rest.remove(name) }
        expect(advertisements == PeripheralAdvertisements(rest), "a change and a reading of a device differ")
        let facts = DeviceFacts(rest)
        expect(facts.rssi != 127, "an RSSI of 127")
        expect(facts.rssi == nil || facts.isSighted, "a signal strength and no sighting")
        _ = facts.name
        _ = facts.isConnected
        _ = facts.areServicesResolved
        for uuid in advertisements.solicitedServiceUUIDs + facts.uuids { roundTrip(uuid) }
    }

    private static func roundTrip(_ uuid: BluetoothUUID) {
        expect((try? BluetoothUUID(text: uuid.fullDescription)) == uuid, "\(uuid) is lost in its own text")
    }

    private static func flags(_ input: inout FuzzInput) {
        var flags: [String] = []
        while !input.isAtEnd { flags.append(input.text()) }
        let properties = CharacteristicProperties(flags: flags)
        expect(properties == CharacteristicProperties(flags: flags.reversed()), "the order of \(flags) matters")
    }

    private static let parts = [
        "/", "org", "bluez", "/org/bluez", "/org/bluez/hci0", "/hci", "0", "/dev_", "C0_DE_00_00_01_01", "/service",
        "/char",
        "/desc", "0010", "ffff", "+123", "_",
    ]

    /// Parts of BlueZ's paths in any order, with any text between.
    private static func path(of input: inout FuzzInput) -> String {
        var path = ""
        for _ in 0..<input.byte() % 12 {
            let chosen = Int(input.byte())
            path += chosen < parts.count ? parts[chosen] : input.text()
        }
        return path
    }

    private static func path(_ input: inout FuzzInput) {
        let path = path(of: &input)
        if let index = BlueZPath.adapterIndex(of: path) { expect(index >= 0, "adapter \(index) in \(path)") }
        if let attribute = BlueZPath.attribute(of: path) {
            let digits = String(path.utf8.suffix(4)) ?? ""
            expect(UInt16(digits, radix: 16) == attribute, "attribute \(attribute) in \(path)")
            expect(digits.utf8.allSatisfy { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }, "a sign in \(path)")
        }
        _ = BlueZPath.address(of: path)
        let adapter = Self.path(of: &input)
        for adapter in [adapter, "/org/bluez/hci0"] {
            guard let device = BlueZPath.device(of: path, adapter: adapter) else { continue }
            expect(BlueZPath.device(of: device, adapter: adapter) == device, "\(device) of \(path) is none itself")
            expect(path.utf8.starts(with: device.utf8), "\(device) is no beginning of \(path)")
        }
        var parents = 0
        var next = BlueZPath.parent(of: path)
        while let parent = next {
            parents += 1
            expect(parents <= path.utf8.count, "\(path) has parents without end")
            next = BlueZPath.parent(of: parent)
        }
    }

    private static let errors = [
        BlueZError.failed, BlueZError.inProgress, BlueZError.notReady, BlueZError.notConnected, BlueZError.notPermitted,
        BlueZError.notSupported, BlueZError.notAuthorized, BlueZError.invalidArguments, BlueZError.invalidOffset,
        BlueZError.invalidValueLength, BlueZError.doesNotExist, BlueZError.alreadyExists, BlueZError.invalidLength,
    ]
    private static let texts = [
        "", "Operation failed with ATT error: 0x", "ATT error: 0x", "Operation failed", "80", "0e",
    ]

    private static func failure(_ input: inout FuzzInput) {
        let chosen = Int(input.byte())
        let name = chosen < errors.count ? errors[chosen] : input.text()
        let start = Int(input.byte())
        let text = (start < texts.count ? texts[start] : "") + input.restOfText()
        for error in [
            DBusError.remote(name: name, message: text), .openFailed(name: name, message: text),
            .malformed(text), .unexpectedSignature(expected: name, found: text),
        ] {
            if case .att(let code) = BlueZFailure.attribute(error) {
                expect(code.rawValue != 0 || text.contains("0"), "an ATT error without a code in \(text)")
            }
            _ = (BlueZFailure.connecting(error), BlueZFailure.registering(error), BlueZFailure.failure(error))
            _ = (BlueZFailure.isAmbiguous(error), BlueZFailure.isConnecting(error), BlueZFailure.isRefusal(error))
        }
    }

    /// Any changes to the mirror of BlueZ's objects.
    private static func tree(_ input: inout FuzzInput) {
        let interfaces = BlueZInterface.mirrored.keys.sorted() + ["org.example.Other"]
        var tree = ObjectMirror()
        var snapshot: [String: ObjectMirror.Interfaces] = [:]
        while !input.isAtEnd {
            let path = path(of: &input)
            let interface = input.pick(interfaces)
            switch input.byte() % 4 {
            case 0: _ = tree.add(path, [interface: properties(&input)])
            case 1: _ = tree.remove(path, [interface])
            case 2:
                let change = tree.change(path, interface, set: properties(&input), invalidated: names)
                expect((change == nil) == (tree[path, interface] == nil), "a change of nothing at \(path)")
            default:
                snapshot[path, default: [:]][interface] = properties(&input)
                _ = tree.replace(with: snapshot)
                let expected = snapshot.filter { $0.value.keys.contains { BlueZInterface.mirrored[$0] != nil } }
                expect(Set(tree.paths) == Set(expected.keys), "\(tree.paths) after \(expected.keys)")
            }
            expect(tree.isEmpty == (tree.count == 0), "\(tree.count) objects")
            for path in tree.paths { expect(Self.isListed(path, in: tree), "\(path) is below nothing") }
        }
        _ = tree.replace(with: [:])
        expect(tree.isEmpty, "\(tree.paths) after everything is gone")
    }

    private static func isListed(_ path: String, in tree: ObjectMirror) -> Bool {
        guard let parent = BlueZPath.parent(of: path) else { return true }
        return BlueZInterface.mirrored.keys.contains { tree.children(of: parent, with: $0).contains(path) }
    }
    #else
    func run(_ input: inout FuzzInput) {}
    #endif
}
