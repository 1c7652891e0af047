// SPDX-License-Identifier: MIT

#if Crypto
import BlueCapCore
import BlueCapSerDe
import Crypto
import Testing

@testable import BlueCapBeacon

@Suite("Encrypted readings of sensors", .timeLimit(.minutes(60)))
struct SealedReadingTests {
    private func reading(_ hex: String) throws -> SensorReading {
        try #require(SensorReading(PeripheralAdvertisements(serviceData: ["FE95": try Bytes(hex: hex)])))
    }

    private func decryptor(_ key: String, _ address: String) throws -> BTHomeDecryptor {
        BTHomeDecryptor(key: try #require(BTHomeKey(try Bytes(hex: key))), device: PeerIdentifier(address))
    }

    // Recorded frames of devices, as the tests of decoders of others have them.
    @Test(
        arguments: [
            (
                "5858480b685f12342d585a0b1841e2aa000e00a4964fb5", "5A:58:2D:34:12:5F",
                "814aac74c4f17b6c1581e1ab87816b99", "humidity 59.6 %", 0x000E_0068
            ),
            (
                "58586f0607892012342d585f176dd54f0200002fa453fa", "58:2D:34:12:20:89",
                "a3bfe9853dd85a620debe3620caaa351", "temperature 22.6 °C", 0x0207
            ),
            (
                "5859eb2a9ee98e0538c1a4d07ad3e338000033635d10", "A4:C1:38:05:8E:E9",
                "7475a4a77584401780ffc3ee62dd353c", "battery 100 %", 0x389E
            ),
            (
                "4859eb2ac2fce02ca0b43af2380000a2d9f05f", "A4:C1:38:05:8E:E9", "7475a4a77584401780ffc3ee62dd353c",
                "motion detected, illuminance 228 lx", 0x38C2
            ),
            (
                "585989189167e56638c1a4d6120d6d2600006fbc0cb4", "A4:C1:38:66:E5:67",
                "0fdcc30fe9289254876b5ef7c11ef1f0", "button press", 0x2691
            ),
            // Version 3: a key of 12 bytes, and a tag of one.
            (
                "5830b603d28b98c54124f8c3491476757e00000099", "F8:24:41:C5:98:8B", "b853075158487ca39a5b5ea9",
                "dimmer press 1", 0xD2
            ),
            (
                "5830b603368b98c54124f88bb8f2661351000000d6", "F8:24:41:C5:98:8B", "b853075158487ca39a5b5ea9",
                "dimmer rotate left 1", 0x36
            ),
        ] as [(String, String, String, String, UInt64)])
    func `a recorded frame is decrypted with its key and address, once`(
        _ hex: String, _ address: String, _ key: String, _ text: String, _ counter: UInt64
    ) throws {
        let sealed = try reading(hex)
        #expect(sealed.isEncrypted && sealed.values.isEmpty && sealed.events.isEmpty && "\(sealed)" == "encrypted")
        var decryptor = try decryptor(key, address)
        let clear = try decryptor.decrypt(sealed)
        #expect("\(clear)" == text && !clear.isEncrypted)
        #expect(clear.counter == counter && sealed.counter == counter)
        #expect(clear.format == sealed.format)
        #expect(throws: BTHomeError.repeated(counter: UInt32(counter))) { try decryptor.decrypt(sealed) }
    }

    /// Frames made by another implementation of AES-CCM.
    @Test(
        arguments: [
            ("05959b8770ee61dc291729", "temperature 23.06 °C, humidity 45.12 %, battery 97 %", "pvvx encrypted"),
            ("05ec5c51e45791f6", "temperature 23.5 °C, humidity 45.5 %, battery 97 %", "ATC1441 encrypted"),
        ])
    func `a frame of a firmware for thermometers is claimed by its key and address, and not without them`(
        _ hex: String, _ text: String, _ format: String
    ) throws {
        let sealed = PeripheralAdvertisements(serviceData: ["181A": try Bytes(hex: hex)])
        // Other senders may have as many bytes under the service.
        #expect(SensorReading(sealed) == nil && SensorFormats.shipped.readings(in: sealed).isEmpty)
        var decryptor = try decryptor("231d39c1d7cc1ab1aee224cd096db932", "A4:C1:38:11:22:33")
        let reading = try #require(try decryptor.decrypt(sealed))
        #expect("\(reading)" == text && reading.format == format)
        #expect(throws: BTHomeError.repeated(counter: 5)) { try decryptor.decrypt(sealed) }
        // Its counter has one byte, and so is not that of frames of BTHome.
        #expect(decryptor.newestCounter == nil)
        var stranger = try self.decryptor("231d39c1d7cc1ab1aee224cd096db932", "A4:C1:38:11:22:34")
        #expect(throws: BTHomeError.notAuthentic) { try stranger.decrypt(sealed) }
        #expect(try stranger.decrypt(PeripheralAdvertisements(serviceData: ["181A": [1, 2, 3]])) == nil)
    }

    @Test func `a frame with an older counter is refused as replayed`() throws {
        var decryptor = try decryptor("0fdcc30fe9289254876b5ef7c11ef1f0", "A4:C1:38:66:E5:67")
        _ = try decryptor.decrypt(try reading("585989189a67e56638c1a49dd97af3260000c8a60bd5"))
        #expect(throws: BTHomeError.replayed(counter: 0x2691, newest: 0x269A)) {
            try decryptor.decrypt(try reading("585989189167e56638c1a4d6120d6d2600006fbc0cb4"))
        }
        #expect(decryptor.newestCounter == 0x269A)
    }

    private static let dimmerKey = "b853075158487ca39a5b5ea9"
    private static let dimmerAddress = "F8:24:41:C5:98:8B"

    private func sealed(_ clear: Bytes, key: Bytes, nonce: Bytes, tagByteCount: Int) throws -> Bytes {
        let cipher = AESCCM(key: SymmetricKey(data: Array(key)), tagByteCount: tagByteCount)
        return try #require(cipher.seal(clear, nonce: nonce, header: [0x11]))
    }

    /// The frame of a dimmer of version 3, which is pressed once.
    private func dimmer(_ counter: Int, more: Bytes = [0, 0, 0]) throws -> SensorReading {
        let head = try Bytes(hex: "5830b603") + [UInt8(counter & 0xFF)]
        let address = try Bytes(hex: "8b98c54124f8")
        let key = SensorFormats.filledKey(try Bytes(hex: Self.dimmerKey))
        let body = try sealed(
            [0x01, 0x10, 3, 0, 1, 3], key: key, nonce: head + more + Bytes(address.prefix(5)), tagByteCount: 16)
        return try reading((head + address + Bytes(body.dropLast(16)) + more + [body[body.count - 16]]).hex)
    }

    /// - Parameter received: The frames of four in a row that are received.
    @Test(arguments: [[1, 2, 3], [0]])
    func `a recorded press is refused for as long as its counter of one byte is not near`(received: [Int]) throws {
        #expect(try dimmer(0xD2) == reading("5830b603d28b98c54124f8c3491476757e00000099"))
        let frames = try (0...0xFF).map { try dimmer($0) }
        var decryptor = try decryptor(Self.dimmerKey, Self.dimmerAddress)
        // Two rounds of all counters.
        for number in 0..<512 where received.contains(number % 4) {
            let newest = UInt32(number & 0xFF)
            #expect("\(try decryptor.decrypt(frames[number & 0xFF]))" == "dimmer press 1", "\(number)")
            for earlier in stride(from: number - 1, through: max(number - 127, 0), by: -7) {
                guard received.contains(earlier % 4) else { continue }
                let counter = UInt32(earlier & 0xFF)
                #expect(throws: BTHomeError.replayed(counter: counter, newest: newest), "\(earlier) at \(number)") {
                    try decryptor.decrypt(frames[earlier & 0xFF])
                }
            }
            #expect(throws: BTHomeError.repeated(counter: newest)) { try decryptor.decrypt(frames[number & 0xFF]) }
        }
    }

    @Test func `a recorded press is known by the random bytes of its counter, too`() throws {
        var decryptor = try decryptor(Self.dimmerKey, Self.dimmerAddress)
        for (counter, random) in [(1, 7), (2, 9), (3, 8)] as [(Int, UInt8)] {
            _ = try decryptor.decrypt(try dimmer(counter, more: [random, 0, 0]))
        }
        #expect(throws: BTHomeError.replayed(counter: 0x0701, newest: 0x0803)) {
            try decryptor.decrypt(try dimmer(1, more: [7, 0, 0]))
        }
        // A frame that is not of the device changes nothing.
        #expect(throws: BTHomeError.notAuthentic) {
            try decryptor.decrypt(try reading("5830b603058b98c54124f8c3491476757e00000099"))
        }
        _ = try decryptor.decrypt(try dimmer(5))
        _ = try decryptor.decrypt(try dimmer(1, more: [6, 0, 0]))
    }

    @Test func `values are read although a frame of before had their counter of one byte`() throws {
        let key = try Bytes(hex: "231d39c1d7cc1ab1aee224cd096db932")
        var decryptor = try decryptor(key.hex, "A4:C1:38:11:22:33")
        for counter in [5, 6, 5, 7, 5] as [UInt8] {
            let nonce = try Bytes(hex: "33221138c1a40e161a18") + [counter]
            let clear: Bytes = [0x02, 0x09, 0xA0, 0x11, 97, counter]
            let frame = Bytes([counter]) + (try sealed(clear, key: key, nonce: nonce, tagByteCount: 4))
            let values = try #require(try decryptor.decrypt(PeripheralAdvertisements(serviceData: ["181A": frame])))
            #expect("\(values)" == "temperature 23.06 °C, humidity 45.12 %, battery 97 %")
        }
    }

    @Test(
        arguments: [
            (
                "5858480b685f12342d585a0b1841e2aa000e00a4964fb5", "5A:58:2D:34:12:5F",
                "814aac74c4f17b6c1581e1ab87816b99"
            ), ("4859eb2ac2fce02ca0b43af2380000a2d9f05f", "A4:C1:38:05:8E:E9", "7475a4a77584401780ffc3ee62dd353c"),
        ])
    func `a frame with a changed bit, or of another key, gives no value`(
        _ hex: String, _ address: String, _ key: String
    ) throws {
        let bytes = try Bytes(hex: hex)
        // The first two bytes say how the others are read, and of them only the encryption of the rest is checked.
        for bit in 16..<bytes.count * 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            var decryptor = try decryptor(key, address)
            #expect(throws: BTHomeError.notAuthentic) { try decryptor.decrypt(try reading(changed.hex)) }
            #expect(decryptor.newestCounter == nil)
        }
        var stranger = try decryptor("00112233445566778899aabbccddeeff", address)
        #expect(throws: BTHomeError.notAuthentic) { try stranger.decrypt(try reading(hex)) }
    }

    @Test func `of wrong keys for a tag of one byte, none gives a value`() throws {
        let sealed = try reading("5830b603d28b98c54124f8c3491476757e00000099")
        for number in 0..<2000 {
            let key = SerDe.serialize(UInt64(number)) + Bytes(repeating: 7, count: 4)
            var decryptor = try decryptor(key.hex, "F8:24:41:C5:98:8B")
            #expect(throws: BTHomeError.notAuthentic) { try decryptor.decrypt(sealed) }
        }
    }

    @Test func `a clear reading, and a device without an address, are refused`() throws {
        var decryptor = try decryptor("00112233445566778899aabbccddeeff", "6F1D7C1E-0000-4000-8000-000000000001")
        #expect(throws: BTHomeError.notEncrypted) {
            try decryptor.decrypt(try reading("5020aa01da219335342d580d1004fe004802"))
        }
        #expect(throws: BTHomeError.addressUnknown) {
            try decryptor.decrypt(try reading("4859eb2ac2fce02ca0b43af2380000a2d9f05f"))
        }
    }

    @Test func `an encrypted frame that is cut is not claimed, or not authentic`() throws {
        let frame = try Bytes(hex: "5858480b685f12342d585a0b1841e2aa000e00a4964fb5")
        for count in 0..<frame.count {
            let cut = PeripheralAdvertisements(serviceData: ["FE95": Bytes(frame.prefix(count))])
            guard let reading = SensorReading(cut) else { continue }
            #expect(count >= 19)
            var decryptor = try decryptor("814aac74c4f17b6c1581e1ab87816b99", "5A:58:2D:34:12:5F")
            #expect(throws: BTHomeError.notAuthentic) { try decryptor.decrypt(reading) }
        }
    }
}
#endif
