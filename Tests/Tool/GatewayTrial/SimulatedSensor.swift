// SPDX-License-Identifier: MIT

import BlueCapBeacon
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapVirtual

/// A sensor in a simulated house, which may encrypt its frames.
final class SimulatedSensor: Sendable {
    /// What its frames are.
    enum Mode: Sendable, CaseIterable {
        case right
        /// Encrypted with another key.
        case wrongKey
        /// The first of its frames, again and again.
        case replayed
        /// No frames of BTHome.
        case garbage
    }

    private struct State {
        var mode = Mode.right
        var hundredths = 0
        var isAway = false
        var isHidden = false
        var encryptor: BTHomeEncryptor?
        var first: BTHome?
        var counter: UInt8 = 0
        var interval: Duration
        /// By how many dB gateways hear it better than the radio says: those that hear it. Nil for all, as they do.
        var gains: [String: Int]?
    }

    static let key = "231d39c1d7cc1ab1aee224cd096db932"
    private static let wrongKey = "00000000000000000000000000000000"

    let peripheral: VirtualPeripheral
    let isEncrypted: Bool
    /// The format of its frames, and the first of them; nil for BTHome.
    private let format: Format?
    private let frame: PeripheralAdvertisements?
    private let state: Locked<State>

    init(_ address: String, isEncrypted: Bool, format: Format? = nil, interval: Duration) {
        (self.isEncrypted, self.format) = (isEncrypted, format)
        frame = format.flatMap { format in
            let values = SensorFormats.shipped.exampleValues(of: format.name)
            let address = try? Bytes(hex: address)
            let frame = try? SensorFormats.shipped.frame(of: format.name, values, counter: 0, address: address)
            return frame.map { VirtualAdvertising($0.advertisement).data }
        }
        peripheral = VirtualPeripheral(name: "Sensor \(address)", address: address, isAdvertising: false)
        let device = PeerIdentifier(address)
        let key = isEncrypted ? Self.bindKey(Self.key) : nil
        let encryptor = key.map { BTHomeEncryptor(key: $0, device: device, counter: 1) }
        state = Locked(State(encryptor: encryptor, interval: interval))
    }

    private static func bindKey(_ hex: String) -> BTHomeKey? { (try? Bytes(hex: hex)).flatMap { BTHomeKey($0) } }

    var isAway: Bool { state.withLock { $0.isAway } }

    /// Whether another address makes it another sensor; one that sends its address stays the same.
    var hasPrivateAddress: Bool { !isEncrypted && !isHidden && format?.counter == nil }

    /// A format with hundredths of a degree as an integer of 16 bits, and the places of it and of the counter.
    struct Format: Sendable {
        let name: String
        let temperature: Int
        /// Nil where the frames have neither a counter nor the address of the device.
        let counter: Int?

        static let plain = Format(name: "Govee H5074", temperature: 1, counter: nil)
        static let addressed = Format(name: "pvvx", temperature: 6, counter: 13)
    }

    /// Whether a rule hides it.
    var isHidden: Bool {
        get { state.withLock { $0.isHidden } }
        set { state.withLock { $0.isHidden = newValue } }
    }

    /// Whether the gateway has to publish it when it is heard.
    var isReadable: Bool { state.withLock { $0.mode == .right && !$0.isHidden } }

    var temperature: Double { state.withLock { Double($0.hundredths) / 100 } }

    func change(to mode: Mode) {
        // Keys and counters are of encrypted frames alone.
        state.withLock { $0.mode = isEncrypted || mode == .garbage ? mode : .right }
        measure()
    }

    func go(away isAway: Bool) {
        state.withLock { $0.isAway = isAway }
        if isAway { peripheral.vanish() } else { peripheral.reappear() }
    }

    /// By how many dB a gateway hears it better than the radio says; nil where it does not.
    func gain(at gateway: String) -> Int? {
        state.withLock { state in state.gains.map { $0[gateway] } ?? 0 }
    }

    /// Carries it to where the gateways hear it so well.
    func move(to gains: [String: Int]) { state.withLock { $0.gains = gains } }

    /// Measures something else, and advertises it.
    func measure(interval: Duration? = nil) {
        let (frame, usual) = state.withLock { state -> (PeripheralAdvertisements, Duration) in
            state.hundredths = (state.hundredths + 7) % 4000
            return (advertisement(&state), state.interval)
        }
        peripheral.startAdvertising(VirtualAdvertising(interval: interval ?? usual, data: frame, isConnectable: false))
    }

    private func advertisement(_ state: inout State) -> PeripheralAdvertisements {
        guard let format, var data = frame else { return Self.advertisement(&state) }
        state.counter &+= 1
        let temperature = SerDe.serialize(Int16(state.hundredths))
        func change(_ bytes: Bytes) -> Bytes {
            var bytes = bytes
            let place = format.temperature
            (bytes[place], bytes[place + 1]) = (temperature[0], temperature[1])
            if let counter = format.counter { bytes[counter] = state.counter }
            // Longer than any frame of the format.
            return state.mode == .garbage ? bytes + bytes : bytes
        }
        data.manufacturerData = data.manufacturerData.mapValues(change)
        data.serviceData = data.serviceData.mapValues(change)
        return data
    }

    private static func advertisement(_ state: inout State) -> PeripheralAdvertisements {
        let clear = BTHome(objects: [BTHomeObject(0x02, Double(state.hundredths) / 100)].compactMap(\.self))
        var frame = clear
        switch (state.mode, state.encryptor) {
        case (.garbage, _):
            let bytes = (0..<state.hundredths % 24).map { UInt8($0) }
            return PeripheralAdvertisements(serviceData: [BTHome.uuid: Bytes(bytes)])
        case (.replayed, .some): frame = state.first ?? clear
        case (.wrongKey, .some(let right)):
            // As its own counter goes on.
            _ = try? state.encryptor?.encrypt(clear)
            var other = bindKey(wrongKey).map {
                BTHomeEncryptor(key: $0, device: PeerIdentifier("A4:C1:38:FF:FF:FF"), counter: right.counter)
            }
            frame = (try? other?.encrypt(clear)) ?? clear
        case (_, .some):
            frame = (try? state.encryptor?.encrypt(clear)) ?? clear
            if state.first == nil { state.first = frame }
        case (_, nil): break
        }
        return VirtualAdvertising(frame.advertisement).data
    }
}
