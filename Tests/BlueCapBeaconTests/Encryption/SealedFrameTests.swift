// SPDX-License-Identifier: MIT

#if Crypto
import BlueCapCore
import BlueCapSerDe
import Testing

@testable import BlueCapBeacon

@Suite("Encrypted frames of sensors that are played", .timeLimit(.minutes(60)))
struct SealedFrameTests {
    private static let key = "231d39c1d7cc1ab1aee224cd096db932"
    private static let address: Bytes = [0xA4, 0xC1, 0x38, 0x11, 0x22, 0x33]

    private func frame(
        _ format: String, _ values: [String: SensorSetting], counter: UInt64 = 5, key: String? = Self.key,
        address: Bytes? = Self.address
    ) throws -> SensorFrame {
        try SensorFormats.shipped.frame(
            of: format, values, counter: counter, address: address, key: try key.map { try Bytes(hex: $0) })
    }

    private func received(_ frame: SensorFrame) -> PeripheralAdvertisements {
        PeripheralAdvertisements(serviceData: frame.advertisement.serviceData)
    }

    private func decryptor(_ key: String = Self.key) throws -> BTHomeDecryptor {
        BTHomeDecryptor(
            key: try #require(BTHomeKey(try Bytes(hex: key))), device: PeerIdentifier("A4:C1:38:11:22:33"))
    }

    @Test func `an encrypted frame is that of another implementation of the encryption`() throws {
        let measured: [String: SensorSetting] = [
            "temperature": .number(23.06), "humidity": .number(45.12), "battery": .number(97),
        ]
        #expect(
            try frame("pvvx encrypted", measured).advertisement.serviceData
                == ["181A": try Bytes(hex: "05959b8770ee61dc291729")])
        let rounded: [String: SensorSetting] = [
            "temperature": .number(23.5), "humidity": .number(45.5), "battery": .number(97),
        ]
        #expect(
            try frame("ATC1441 encrypted", rounded).advertisement.serviceData
                == ["181A": try Bytes(hex: "05ec5c51e45791f6")])
    }

    @Test(
        arguments: [
            ("MiBeacon", "humidity 45 %, temperature -7.5 °C", 0x0102_0304, ["temperature": -7.5, "humidity": 45]),
            ("MiBeacon", "conductivity 300 µS/cm, moisture 50 %", 0, ["moisture": 50, "conductivity": 300]),
            (
                "pvvx encrypted", "temperature -7.25 °C, humidity unknown, battery 97 %", 0xFF,
                ["temperature": -7.25, "battery": 97]
            ),
        ] as [(String, String, UInt64, [String: Double])])
    func `an encrypted frame is read with its key, and has the counter`(
        _ format: String, _ text: String, _ counter: UInt64, _ values: [String: Double]
    ) throws {
        let frame = try frame(format, values.mapValues { .number($0) }, counter: counter)
        #expect(frame.text == text)
        var decryptor = try decryptor()
        let reading = try #require(try decryptor.decrypt(received(frame)))
        #expect("\(reading)" == text && reading.format == format && reading.counter == counter)
        var stranger = try self.decryptor("00112233445566778899aabbccddeeff")
        #expect(throws: BTHomeError.notAuthentic) { try stranger.decrypt(received(frame)) }
    }

    @Test func `an encrypted frame of BTHome is read with its key`() throws {
        let frame = try frame("BTHome", ["temperature": .number(21.5), "door": .word("open")], counter: 1_796_000_000)
        var decryptor = try decryptor()
        let read = try decryptor.decrypt(try #require(BTHome(received(frame))))
        #expect(read.measurements.map(\.description).joined(separator: ", ") == frame.text)
        #expect(decryptor.newestCounter == 1_796_000_000 && frame.text.contains("door open"))
    }

    @Test(
        arguments: [
            ("pvvx encrypted", nil, address, .key), ("ATC1441 encrypted", "0011", address, .key),
            ("MiBeacon", key, nil, .address), ("BTHome", key, nil, .address), ("pvvx encrypted", key, nil, .address),
            ("BTHome", "00", address, .key), ("RuuviTag 5", key, address, .key),
        ] as [(String, String?, Bytes?, SensorFrameError.Part)])
    func `a key that is missing, wrong or for nothing, and a missing address, are refused`(
        _ format: String, _ key: String?, _ address: Bytes?, _ part: SensorFrameError.Part
    ) {
        let values: [String: SensorSetting] = [
            "temperature": .number(20), "humidity": .number(40), "battery": .number(9),
        ]
        let error = #expect(throws: SensorFrameError.self) {
            try frame(format, format == "RuuviTag 5" ? [:] : values, key: key, address: address)
        }
        #expect(error?.part == part, "\(error?.reason ?? "")")
    }
}
#endif
