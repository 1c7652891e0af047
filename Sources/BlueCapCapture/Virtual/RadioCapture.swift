// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
public import BlueCapVirtual

/// A capture of a virtual radio's traffic, until it is stopped.
///
/// Each adapter appears as a controller whose HCI is captured: reports of the advertisements that it hears while it
/// scans, LE Connection Complete and Disconnection Complete, Encryption Change, and ACL data with the Attribute
/// Protocol and connection-oriented channels. A link between two adapters appears twice, once at each. Virtual
/// peripherals have no controller; they appear as the other ends.
///
/// ```swift
/// let writer = CaptureWriter(.btsnoop(.monitor))
/// let capture = radio.capture { packet in
///     if let record = writer.record(packet) { file.write(record) }
/// }
/// // … the run
/// capture.stop()
/// ```
///
/// Links that are up already when it begins are left out. So are the packets of pairing, which the virtual radio does
/// not have, and all commands except the one that asks a controller for its address.
public final class RadioCapture: Sendable {
    private let radio: VirtualRadio
    private let number: UInt64

    init(_ radio: VirtualRadio, _ sink: @escaping @Sendable (CapturedPacket) -> Void) {
        self.radio = radio
        let translator = Locked(RadioTranslator())
        let clock = radio.clock
        number = radio.observe { event in
            let packets = translator.withLock { $0.packets(for: event, time: clock.date) }
            for packet in packets { sink(packet) }
        }
    }

    /// Ends the capture. The last packets may still come from the radio's executor, unless this is called on it.
    public func stop() { radio.stopObserving(number) }
}

extension VirtualRadio {
    /// Calls `sink` with each packet that the controllers of this radio would exchange with their hosts from now on.
    ///
    /// - Parameter sink: Takes the packets, in order, on the radio's executor. It must not block for long.
    /// - Returns: The capture, with which it can be stopped.
    public func capture(_ sink: @escaping @Sendable (CapturedPacket) -> Void) -> RadioCapture {
        RadioCapture(self, sink)
    }
}

/// Makes packets of HCI of the events in the air.
private struct RadioTranslator {
    /// The longest data of one extended advertising report (Core Specification, Vol 4, Part E, 7.7.65.13).
    private static let maximumReportByteCount = 229

    private struct End {
        var adapter: Int
        var handle: UInt16
        var isCentral: Bool
    }

    private var adapters: [String: Int] = [:]
    private var handles: [Int: UInt16] = [:]
    private var links: [UInt64: [End]] = [:]

    mutating func packets(for event: AirEvent, time: Timestamp) -> [CapturedPacket] {
        switch event {
        case .advertisement(let heard): return advertised(heard, time)
        case .opened(let link): return opened(link, time)
        case .sent(let link, let fromCentral, let frame):
            return ends(link, isCentral: fromCentral).map { data(frame, $0, .sent, time) }
        case .delivered(let link, let fromCentral, let frame):
            return ends(link, isCentral: !fromCentral).map { data(frame, $0, .received, time) }
        case .encrypted(let link):
            return (links[link.number] ?? []).map { end in
                var parameters: [UInt8] = [0]
                parameters.append(end.handle, .littleEndian)
                parameters.append(1)
                return Self.event(0x08, parameters, end.adapter, time)
            }
        case .timed(let link):
            return (links[link.number] ?? []).map { end in
                var parameters: [UInt8] = [0x03, 0]
                parameters.append(end.handle, .littleEndian)
                parameters += Self.timing(of: link)
                return Self.event(0x3E, parameters, end.adapter, time)
            }
        case .closed(let link, let central, let peripheral):
            return (links.removeValue(forKey: link.number) ?? []).map { end in
                var parameters: [UInt8] = [0]
                parameters.append(end.handle, .littleEndian)
                parameters.append(end.isCentral ? central : peripheral)
                return Self.event(0x05, parameters, end.adapter, time)
            }
        }
    }

    private func ends(_ link: AirLink, isCentral: Bool) -> [End] {
        (links[link.number] ?? []).filter { $0.isCentral == isCentral }
    }

    // MARK: Controllers

    /// The index of an adapter, with the packets that introduce it the first time.
    private mutating func index(_ adapter: String, _ time: Timestamp) -> (Int, [CapturedPacket]) {
        if let index = adapters[adapter] { return (index, []) }
        let index = adapters.count
        adapters[adapter] = index
        let address = Self.address(adapter, isRandom: false).littleEndianBytes
        var completed: [UInt8] = [1, 0x09, 0x10, 0]
        completed += address
        return (
            index,
            [
                CapturedPacket(time: time, adapter: index, kind: .controllerAdded, bytes: Bytes(address)),
                // Read BD_ADDR, as not all formats have a place for the address.
                CapturedPacket(time: time, adapter: index, kind: .command, bytes: [0x09, 0x10, 0]),
                Self.event(0x0E, completed, index, time),
            ]
        )
    }

    /// An address of six octets; for a name of another kind, a random static one that follows from it.
    private static func address(_ text: String, isRandom: Bool) -> DeviceAddress {
        if let address = DeviceAddress(text: text, isRandom: isRandom) { return address }
        let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let octets = (0..<6).map { UInt8(truncatingIfNeeded: hash >> (8 * $0)) }
        return DeviceAddress(octets.dropLast() + [octets[5] | 0xC0], type: 1)
    }

    // MARK: Advertisements

    private mutating func advertised(_ heard: AirAdvertisement, _ time: Timestamp) -> [CapturedPacket] {
        let (adapter, introduction) = index(heard.receiver, time)
        let address = Self.address(heard.sender.text, isRandom: !heard.isFromAdapter)
        let rssi = UInt8(bitPattern: Int8(clamping: heard.rssi))
        let (data, response) = (heard.data.packet, heard.scanResponse?.packet)
        var packets = introduction
        if heard.secondaryPHY == nil, data.count <= 31, response?.count ?? 0 <= 31 {
            // ADV_IND, ADV_SCAN_IND or ADV_NONCONN_IND; SCAN_RSP.
            let type: UInt8 = heard.isConnectable ? 0 : response == nil ? 3 : 2
            packets.append(Self.legacy(type, address, data, rssi, adapter, time))
            if let response { packets.append(Self.legacy(4, address, response, rssi, adapter, time)) }
        } else {
            let type: UInt16 = (heard.isConnectable ? 1 : 0) | (response == nil ? 0 : 2)
            let phy = heard.secondaryPHY ?? .le1M
            packets += Self.extended(type, address, data, phy, rssi, adapter, time)
            if let response { packets += Self.extended(type | 8, address, response, phy, rssi, adapter, time) }
        }
        return packets
    }

    private static func legacy(
        _ type: UInt8, _ address: DeviceAddress, _ data: [UInt8], _ rssi: UInt8, _ adapter: Int, _ time: Timestamp
    ) -> CapturedPacket {
        var report: [UInt8] = [0x02, 1, type, address.isRandom ? 1 : 0]
        report += address.littleEndianBytes
        report.append(UInt8(data.count))
        report += data
        report.append(rssi)
        return event(0x3E, report, adapter, time)
    }

    private static func extended(
        _ type: UInt16, _ address: DeviceAddress, _ data: [UInt8], _ phy: SecondaryPHY, _ rssi: UInt8, _ adapter: Int,
        _ time: Timestamp
    ) -> [CapturedPacket] {
        let starts = Array(stride(from: 0, to: max(data.count, 1), by: maximumReportByteCount))
        return starts.map { start in
            let part = data.dropFirst(start).prefix(maximumReportByteCount)
            var report: [UInt8] = [0x0D, 1]
            // Bit 5: more is to come.
            report.append(start == starts.last ? type : type | 0x20, .littleEndian)
            report.append(address.isRandom ? 1 : 0)
            report += address.littleEndianBytes
            // The PHYs of both channels, set 0, no transmit power, the signal strength.
            report += [phy == .coded ? 3 : 1, phy.number, 0, 127, rssi]
            // No periodic advertising, no address that it is directed to.
            report += Array(repeating: 0, count: 9)
            report.append(UInt8(part.count))
            report += part
            return event(0x3E, report, adapter, time)
        }
    }

    // MARK: Links

    private mutating func opened(_ link: AirLink, _ time: Timestamp) -> [CapturedPacket] {
        let central = Self.address(link.central, isRandom: false)
        let peripheral = Self.address(link.peripheral.text, isRandom: !link.isBetweenAdapters)
        var packets = open(link, at: link.central, isCentral: true, peer: peripheral, time)
        if link.isBetweenAdapters {
            packets += open(link, at: link.peripheral.text, isCentral: false, peer: central, time)
        }
        return packets
    }

    private mutating func open(
        _ link: AirLink, at adapter: String, isCentral: Bool, peer: DeviceAddress, _ time: Timestamp
    ) -> [CapturedPacket] {
        let (index, introduction) = index(adapter, time)
        // Handles go round in 0x0040 to 0x0EFF.
        let handle = handles[index] ?? 0x0040
        handles[index] = handle < 0x0EFF ? handle + 1 : 0x0040
        links[link.number, default: []].append(End(adapter: index, handle: handle, isCentral: isCentral))
        var event: [UInt8] = [0x01, 0]
        event.append(handle, .littleEndian)
        event += [isCentral ? 0 : 1, peer.isRandom ? 1 : 0]
        event += peer.littleEndianBytes
        event += Self.timing(of: link)
        event.append(0)
        return introduction + [Self.event(0x3E, event, index, time)]
    }

    /// Interval, latency and supervision timeout in units of 1.25 ms, connection events, and 10 ms.
    private static func timing(of link: AirLink) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(UInt16(clamping: Timestamp(sinceEpoch: link.interval).microseconds / 1250), .littleEndian)
        bytes.append(UInt16(clamping: link.latency), .littleEndian)
        bytes.append(
            UInt16(clamping: Timestamp(sinceEpoch: link.supervisionTimeout).microseconds / 10_000), .littleEndian)
        return bytes
    }

    private func data(
        _ frame: AirFrame, _ end: End, _ direction: CapturedPacket.Direction, _ time: Timestamp
    ) -> CapturedPacket {
        var packet: [UInt8] = []
        // The first packet of a frame: 0 from the host, 2 from the controller.
        packet.append(end.handle | (direction == .sent ? 0 : 0x2000), .littleEndian)
        packet.append(UInt16(frame.payload.count + 4), .littleEndian)
        packet.append(UInt16(frame.payload.count), .littleEndian)
        packet.append(frame.channel, .littleEndian)
        packet += frame.payload
        return CapturedPacket(time: time, adapter: end.adapter, kind: .data(direction), bytes: Bytes(packet))
    }

    private static func event(
        _ code: UInt8, _ parameters: [UInt8], _ adapter: Int, _ time: Timestamp
    ) -> CapturedPacket {
        CapturedPacket(
            time: time, adapter: adapter, kind: .event,
            bytes: Bytes([code, UInt8(parameters.count)] + parameters))
    }
}

extension SecondaryPHY {
    /// The number of HCI (Core Specification, Vol 4, Part E, 7.7.65.13).
    fileprivate var number: UInt8 {
        switch self {
        case .le1M: 1
        case .le2M: 2
        case .coded: 3
        }
    }
}
