// SPDX-License-Identifier: MIT

#if Crypto
import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe
import Testing

@Suite("Encrypted BTHome", .timeLimit(.minutes(60)))
struct BTHomeEncryptionTests {
    private static let device = PeerIdentifier("54:48:E6:8F:80:A5")
    /// The example of bthome.io/encryption.
    private static let example = "41a47266c95f730011223378237214"
    private static let exampleCounter: UInt32 = 0x3322_1100

    private let key: BTHomeKey

    init() throws {
        key = try #require(BTHomeKey(try Bytes(hex: "231d39c1d7cc1ab1aee224cd096db932")))
    }

    private func frame(_ hex: String) throws -> BTHome {
        try SerDe.deserialize(try Bytes(hex: hex))
    }

    private func measurements(isTriggered: Bool = false) -> BTHome {
        BTHome(
            objects: [BTHomeObject(0x02, 25.06), BTHomeObject(0x03, 50.55)].compactMap(\.self),
            isTriggered: isTriggered)
    }

    @Test func `the frame of the specification is decrypted with its key and address`() throws {
        var decryptor = BTHomeDecryptor(key: key, device: Self.device)
        let clear = try decryptor.decrypt(try frame(Self.example))
        #expect(clear.measurements.map(\.description) == ["temperature 25.06 °C", "humidity 50.55 %"])
        #expect(clear == measurements())
        #expect(decryptor.newestCounter == Self.exampleCounter)
    }

    @Test func `the frame of the specification is encrypted from its objects`() throws {
        var encryptor = BTHomeEncryptor(key: key, device: Self.device, counter: Self.exampleCounter)
        let sent = try encryptor.encrypt(measurements())
        #expect(SerDe.serialize(sent).hex == Self.example)
        #expect(sent.isEncrypted)
        #expect(encryptor.counter == Self.exampleCounter + 1)
    }

    @Test(arguments: [false, true], [false, true])
    func `a frame is decrypted as it was, whether it has the address and is sent at events or not`(
        sendsAddress: Bool, isTriggered: Bool
    ) throws {
        var encryptor = BTHomeEncryptor(key: key, device: Self.device, counter: 1, sendsAddress: sendsAddress)
        let sent = try encryptor.encrypt(measurements(isTriggered: isTriggered))
        // A frame with the address is read under any identifier, as under those of Apple's platforms.
        let device = sendsAddress ? PeerIdentifier("6F1D7C1E-0000-4000-8000-000000000001") : Self.device
        var decryptor = BTHomeDecryptor(key: key, device: device)
        let clear = try decryptor.decrypt(try SerDe.deserialize(SerDe.serialize(sent)))
        #expect(clear.objects == measurements().objects)
        #expect(clear.isTriggered == isTriggered)
        #expect(clear.address?.hex == (sendsAddress ? "5448e68f80a5" : nil))
    }

    @Test func `reserved bits of the first byte are part of the encryption`() throws {
        var encryptor = BTHomeEncryptor(key: key, device: Self.device, counter: 1)
        let sent = try encryptor.encrypt(try frame("48016100"))
        #expect(SerDe.serialize(sent)[0] == 0x49)
        var changed = Array(SerDe.serialize(sent))
        changed[0] = 0x41
        var decryptor = BTHomeDecryptor(key: key, device: Self.device)
        #expect(throws: BTHomeError.notAuthentic) {
            try decryptor.decrypt(try SerDe.deserialize(Bytes(changed)))
        }
        #expect(try decryptor.decrypt(sent).objects.first?.number == 97)
    }

    @Test func `each counter is read once, and no smaller one afterwards`() throws {
        var encryptor = BTHomeEncryptor(key: key, device: Self.device, counter: 41)
        let (first, second) = (try encryptor.encrypt(measurements()), try encryptor.encrypt(measurements()))
        var decryptor = BTHomeDecryptor(key: key, device: Self.device)
        _ = try decryptor.decrypt(second)
        #expect(throws: BTHomeError.repeated(counter: 42)) { try decryptor.decrypt(second) }
        #expect(throws: BTHomeError.replayed(counter: 41, newest: 42)) { try decryptor.decrypt(first) }
        // A receiver that was restarted, and a sensor that counts anew.
        var next = BTHomeDecryptor(key: key, device: Self.device, newestCounter: decryptor.newestCounter)
        #expect(throws: BTHomeError.replayed(counter: 41, newest: 42)) { try next.decrypt(first) }
        next.newestCounter = nil
        #expect(try next.decrypt(first) == measurements())
    }

    @Test func `a frame of another key, of another device, or with a changed bit gives no value`() throws {
        let other = try #require(BTHomeKey(Bytes(repeating: 1, count: 16)))
        var strangers = [
            BTHomeDecryptor(key: other, device: Self.device),
            BTHomeDecryptor(key: key, device: PeerIdentifier("54:48:E6:8F:80:A6")),
        ]
        for index in strangers.indices {
            #expect(throws: BTHomeError.notAuthentic) { try strangers[index].decrypt(try frame(Self.example)) }
            #expect(strangers[index].newestCounter == nil)
        }
        let bytes = Array(try Bytes(hex: Self.example))
        for bit in 8..<bytes.count * 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            var decryptor = BTHomeDecryptor(key: key, device: Self.device)
            #expect(throws: BTHomeError.notAuthentic) {
                try decryptor.decrypt(try SerDe.deserialize(Bytes(changed)))
            }
            #expect(decryptor.newestCounter == nil)
        }
    }

    @Test(
        arguments: [
            ("4002ca0903bf13", .notEncrypted), ("41", .incomplete), ("4100112233782372", .incomplete),
            ("43010203", .incomplete), ("43010203040506", .incomplete),
        ] as [(String, BTHomeError)])
    func `a frame that is clear or cut is refused as that`(hex: String, error: BTHomeError) throws {
        var decryptor = BTHomeDecryptor(key: key, device: Self.device)
        #expect(throws: error) { try decryptor.decrypt(try frame(hex)) }
    }

    @Test func `without an address nothing is decrypted or encrypted`() throws {
        let device = PeerIdentifier("6F1D7C1E-0000-4000-8000-000000000001")
        var decryptor = BTHomeDecryptor(key: key, device: device)
        #expect(throws: BTHomeError.addressUnknown) { try decryptor.decrypt(try frame(Self.example)) }
        var encryptor = BTHomeEncryptor(key: key, device: device, counter: 5)
        #expect(throws: BTHomeError.addressUnknown) { try encryptor.encrypt(measurements()) }
        #expect(encryptor.counter == 5)
    }

    @Test func `a frame is not encrypted twice, nor with half an address, nor with a used counter`() throws {
        var encryptor = BTHomeEncryptor(key: key, device: Self.device, counter: .max - 1)
        #expect(throws: BTHomeError.encrypted) { try encryptor.encrypt(try frame(Self.example)) }
        #expect(throws: BTHomeError.incomplete) { try encryptor.encrypt(try frame("42010203")) }
        _ = try encryptor.encrypt(measurements())
        #expect(throws: BTHomeError.countersExhausted) { try encryptor.encrypt(measurements()) }
        #expect(throws: BTHomeError.countersExhausted) { try encryptor.encrypt(measurements()) }
    }

    @Test func `a key has 16 bytes, which nothing prints`() throws {
        #expect(BTHomeKey(Bytes(repeating: 1, count: 15)) == nil)
        #expect(BTHomeKey(Bytes(repeating: 1, count: 32)) == nil)
        #expect("\(key)" == "BTHomeKey" && String(reflecting: key) == "BTHomeKey")
        var text = ""
        dump(key, to: &text)
        dump(BTHomeDecryptor(key: key, device: Self.device), to: &text)
        #expect(!text.contains("cipher") && !text.contains("SymmetricKey"))
    }
}
#endif
