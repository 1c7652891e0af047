// SPDX-License-Identifier: MIT

#if Gateway && Crypto
import BlueCapBeacon
import BlueCapCore
import BlueCapSerDe
import BlueCapVirtual

@testable import BlueCapGateway

/// A sensor or a button of a model, which advertises the frames of its family.
struct FamilySensor {
    /// A family, with how its frames are told from others.
    struct Family: Sendable {
        let format: String
        var isEncrypted = false
        var name: String?
        var isButton = false
        /// Whether the frames of a button have a number.
        var isNumbered = true

        static let all = [
            Family(format: "RuuviTag 5"), Family(format: "MiBeacon", isEncrypted: true), Family(format: "ATC1441"),
            Family(format: "BTHome", isButton: true), Family(format: "pvvx"),
            Family(format: "pvvx encrypted", isEncrypted: true), Family(format: "Govee H5074"),
            Family(format: "BTHome", isEncrypted: true, isButton: true), Family(format: "Govee H5072"),
            Family(format: "Inkbird IBS-TH", name: "sps"), Family(format: "BTHome", isEncrypted: true),
            Family(format: "BTHome", isButton: true, isNumbered: false),
        ]
    }

    /// A press that was made.
    struct Press {
        let number: UInt64?
        let action: SensorEvent.Action
        let moment: Int
        /// How many messages about it have come to the broker.
        var count = 0
    }

    static let key = "231d39c1d7cc1ab1aee224cd096db932"
    private static let actions: [SensorEvent.Action] = [.press, .doublePress, .triplePress, .longPress]
    private static let codes: [Double] = [1, 2, 3, 4]

    let identifier: PeerIdentifier
    let family: Family
    private(set) var frame: BTHome?
    private(set) var readings: [SensorReading] = []
    /// When each measurement began; its number is its temperature.
    private(set) var measuredAt: [Int] = []
    var presses: [Press] = []
    private var counter: UInt64 = 0

    init(_ index: Int, _ identifier: PeerIdentifier) {
        (self.identifier, family) = (identifier, Family.all[index % Family.all.count])
    }

    /// The number of the last measurement.
    var measurement: Int { measuredAt.count - 1 }

    /// The rule with its key; nil for one of clear frames.
    var rule: GatewayRule? {
        guard family.isEncrypted else { return nil }
        var rule = GatewayRule()
        (rule.match.address, rule.key) = (identifier, BindKey(hex: Self.key))
        return rule
    }

    /// Measures, and has another frame; a button has one without a press.
    mutating func measure(at moment: Int) throws {
        counter += 1
        measuredAt.append(moment)
        if family.isButton { return try press(code: 0) }
        var values = SensorFormats.shipped.exampleValues(of: family.format)
        // A frame that needs a key has no example.
        if values.isEmpty { values = ["humidity": .number(45), "battery": .number(90)] }
        values["temperature"] = .number(Double(measurement))
        let sent = try SensorFormats.shipped.frame(
            of: family.format, values, counter: counter, name: family.name,
            address: address, key: family.isEncrypted ? try Bytes(hex: Self.key) : nil)
        let data = VirtualAdvertising(sent.advertisement).data
        frame = BTHome(data)
        readings = SensorFormats.shipped.readings(in: data, name: family.name, hasKey: family.isEncrypted)
    }

    /// Is pressed, in another way than the time before.
    mutating func press(at moment: Int) throws {
        counter += 1
        let index = presses.count % Self.actions.count
        let number: UInt64? = family.isNumbered ? counter : nil
        presses.append(Press(number: number, action: Self.actions[index], moment: moment))
        try press(code: Self.codes[index])
    }

    private mutating func press(code: Double) throws {
        let number = family.isNumbered ? BTHomeObject(0x00, Double(counter % 256)) : nil
        let clear = BTHome(objects: [number, BTHomeObject(0x3A, code)].compactMap(\.self))
        frame = clear
        guard family.isEncrypted, let key = BTHomeKey(try Bytes(hex: Self.key)) else { return }
        var encryptor = BTHomeEncryptor(key: key, device: identifier, counter: UInt32(counter))
        frame = try encryptor.encrypt(clear)
    }

    private var address: Bytes? { try? Bytes(hex: identifier.text.replacing(":", with: "")) }
}
#endif
