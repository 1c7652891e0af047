// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapSerDe

/// Finds the devices in a capture, with their advertisements and the contents of their databases.
///
/// Give it the packets of a ``CaptureReader`` one after another. It follows links by their connection handles (HCI) or
/// their access addresses (sniffers), puts fragments of L2CAP together, matches requests of the Attribute Protocol with
/// their answers, and joins the units of connection-oriented channels, in both directions of each link.
///
/// ```swift
/// var analysis = CaptureAnalysis()
/// while let packet = try reader.next() { analysis.add(packet) }
/// for device in analysis.devices { print(device.identifier, device.name ?? "") }
/// let twin = analysis.twin(of: "C0:DE:00:00:00:01")
/// ```
///
/// Packets are not trusted: damaged, truncated or unexpected ones are skipped. Memory is bounded by ``Limits``; data
/// beyond them is counted in ``droppedCount``.
///
/// Not understood are links whose payload is ciphertext, enhanced channels with their Attribute Protocol, and BR/EDR.
/// Where a file does not record directions (link type 251, and the continuations of 187), a packet's opcode decides,
/// and the peripheral is taken for the server.
public struct CaptureAnalysis: Sendable {
    /// The limits of the data that an analysis keeps of a capture.
    public struct Limits: Sendable, Hashable {
        /// The number of devices. One that has a link takes the place of one that only advertised.
        public var devices: Int
        /// The approximate number of bytes of databases and values, of all devices together.
        public var bytes: Int

        /// Creates limits; by default 4096 devices and 64 MiB.
        ///
        /// - Parameters:
        ///   - devices: The number of devices.
        ///   - bytes: The approximate number of bytes of databases and values, of all devices together.
        public init(devices: Int = 4096, bytes: Int = 64 << 20) {
            self.devices = max(devices, 1)
            self.bytes = max(bytes, 0)
        }
    }

    /// A link is named by its controller and handle, or by its access address.
    enum LinkKey: Sendable, Hashable {
        case hci(adapter: Int, handle: UInt16)
        case air(UInt32)
    }

    /// More links at once than controllers have; beyond it, the link that was not used for longest is forgotten.
    static let maximumLinkCount = 64
    /// So many of the devices that are asked for are kept beyond the limit.
    private static let maximumWantedCount = 64

    /// The only device whose databases and values the analysis keeps; nil for all.
    public let only: PeerIdentifier?
    /// The limits of the data that the analysis keeps.
    public let limits: Limits
    /// Which devices are asked for, by identifier and name: they are kept, however many there are.
    package var isWanted: (@Sendable (PeerIdentifier, String?) -> Bool)?
    /// The number of packets that were added.
    public private(set) var packetCount = 0
    /// The number of devices, values and declarations that were left out because of the ``limits``.
    public internal(set) var droppedCount = 0
    /// How many of them are of devices that are not kept at all.
    package private(set) var leftOutCount = 0

    /// The packets about connection-oriented channels that belong to no channel.
    public internal(set) var channelCounts = CapturedChannelCounts()
    /// How many channels were asked for: the number of the newest.
    var channelCount = 0

    /// The units of channels that the newest packet completes.
    package internal(set) var joined: [JoinedUnit] = []
    /// The devices that advertise in the newest packet.
    package internal(set) var sighted: [PeerIdentifier] = []

    var links: [LinkKey: LinkTrace] = [:]
    var chains = AdvertisingChains()
    var adapterNames: [Int: PeerIdentifier] = [:]
    /// Resolvable private addresses, and the identities that controllers found behind them.
    private var aliases: [PeerIdentifier: PeerIdentifier] = [:]
    /// How many links without a known beginning have ended, by the key that names the next one.
    var endedCounts: [LinkKey: Int] = [:]
    private var traces: [PeerIdentifier: DeviceTrace] = [:]
    /// How many devices were ever kept: the place of the next one.
    private var placeCount = 0
    /// The devices in the order of their places that another may replace, from the index on.
    private var replaceable: [(device: PeerIdentifier, place: Int)] = []
    private var replaceableIndex = 0
    /// How many devices were looked at to find others. Tests count them, as a clock would count the machine, too.
    private(set) var stepCount = 0
    private var byteCount = 0
    /// About how many bytes databases and values take.
    var storedByteCount: Int { byteCount }

    /// So many bytes more are kept.
    mutating func store(_ count: Int) { byteCount += count }

    /// Creates an analysis without packets.
    ///
    /// - Parameters:
    ///   - device: The only device whose databases and values the analysis keeps; nil for all.
    ///   - limits: The limits of the data that the analysis keeps.
    public init(only device: PeerIdentifier? = nil, limits: Limits = Limits()) {
        only = device
        self.limits = limits
    }

    /// Adds the next packet.
    ///
    /// - Returns: The values that the packet completes.
    @discardableResult
    public mutating func add(_ packet: CapturedPacket) -> [CapturedAccess] {
        packetCount += 1
        sighted.removeAll(keepingCapacity: true)
        joined.removeAll(keepingCapacity: true)
        switch packet.kind {
        case .event:
            if let event = HCIEvent(packet.bytes.array[...]) { add(event, of: packet) }
            return []
        case .data(let direction):
            guard let fragment = ACLFragment(packet.bytes.array[...]) else { return [] }
            return add(fragment, direction ?? fragment.direction, of: packet)
        case .linkLayer(let reception):
            return add(packet, reception)
        case .controllerAdded:
            guard packet.bytes.count == 6 else { return [] }
            own(DeviceAddress(packet.bytes.array[...], type: 0), adapter: packet.adapter)
            return []
        case .command:
            if let command = HCICommand(packet.bytes.array[...]) { add(command, of: packet) }
            return []
        case .other: return []
        }
    }

    /// The devices in the order in which they were first heard.
    public var devices: [CapturedDevice] { traces.values.sorted { $0.place < $1.place }.map(\.summary) }

    /// The name of a device as far as it is known by now, found without a look at the other devices.
    package func name(of device: PeerIdentifier) -> String? { trace(of: device)?.name }

    /// The advertisement of a device as far as it is known by now, with its scan response; nil where none was heard.
    package func advertisements(of device: PeerIdentifier) -> PeripheralAdvertisements? {
        trace(of: device)?.advertisements
    }

    /// The trace of a device; nil where the capture does not show it.
    func trace(of device: PeerIdentifier) -> DeviceTrace? { traces[identity(of: device)] }

    // MARK: Devices

    /// The identity behind an address, or behind a name that replaces an address, as far as it is known by now.
    package func identity(of device: PeerIdentifier) -> PeerIdentifier {
        var device = device
        while let next = aliases[device] { device = next }
        return device
    }

    /// The same, found with one step from then on.
    mutating func shortenedIdentity(of device: PeerIdentifier) -> PeerIdentifier {
        guard var next = aliases[device] else { return device }
        let identity = identity(of: next)
        var device = device
        while next != identity {
            stepCount += 1
            aliases[device] = identity
            device = next
            next = aliases[device] ?? identity
        }
        return identity
    }

    /// Changes the trace of a device, which is empty before the first time.
    ///
    /// Where there are as many devices as may be, one with a link takes the place of one that only advertised.
    ///
    /// - Returns: Whether the device is kept.
    @discardableResult
    mutating func change(_ device: PeerIdentifier, _ body: (inout DeviceTrace) -> Void) -> Bool {
        let device = shortenedIdentity(of: device)
        if traces[device] != nil {
            body(&traces[device, default: DeviceTrace(device)])
            return true
        }
        var trace = DeviceTrace(device)
        trace.place = placeCount
        body(&trace)
        guard traces.count < limits.devices || keepsBeyondLimit(trace) else {
            leftOut()
            return false
        }
        traces[device] = trace
        replaceable.append((device, trace.place))
        placeCount += 1
        return true
    }

    /// Whether a device is kept although there are as many as may be.
    private mutating func keepsBeyondLimit(_ trace: DeviceTrace) -> Bool {
        if isWanted?(trace.identifier, trace.name) == true, traces.count < limits.devices + Self.maximumWantedCount {
            return true
        }
        guard trace.hasMoreThanAdvertised else { return false }
        while replaceableIndex < replaceable.count {
            let (other, place) = replaceable[replaceableIndex]
            replaceableIndex += 1
            stepCount += 1
            // One with a link stays. One that is gone may be there again with a later place.
            guard let heard = traces[other], heard.place == place, !heard.hasMoreThanAdvertised,
                isWanted?(other, heard.name) != true
            else { continue }
            traces[other] = nil
            leftOut()
            forgetReplaced()
            return true
        }
        return false
    }

    /// Cuts off the front of the devices that another may replace, when it is as long as the rest.
    private mutating func forgetReplaced() {
        guard replaceableIndex > 64, 2 * replaceableIndex > replaceable.count else { return }
        stepCount += replaceable.count - replaceableIndex
        replaceable.removeFirst(replaceableIndex)
        replaceableIndex = 0
    }

    /// A device, or a packet of one, is left out.
    private mutating func leftOut() {
        droppedCount += 1
        leftOutCount += 1
    }

    /// Two addresses turn out to be one device's, which has the place of the one that was heard first.
    mutating func alias(_ alias: PeerIdentifier, of device: PeerIdentifier) {
        let (alias, device) = (shortenedIdentity(of: alias), shortenedIdentity(of: device))
        guard alias != device, aliases.count < limits.devices else { return }
        aliases[alias] = device
        guard let other = traces.removeValue(forKey: alias) else { return }
        let before = other.database.byteCount + (traces[device]?.database.byteCount ?? 0)
        var steps = 0
        change(device) { trace in
            steps = trace.merge(other)
            trace.place = min(trace.place, other.place)
        }
        stepCount += steps
        byteCount += (traces[device]?.database.byteCount ?? 0) - before
    }

    /// A name for a controller that has no known address yet.
    func placeholder(adapter: Int) -> PeerIdentifier {
        adapterNames[adapter] ?? PeerIdentifier("hci\(adapter)")
    }

    /// A controller has reported its own address. Its earlier packets belong to the same device.
    mutating func own(_ address: DeviceAddress, adapter: Int) {
        guard !address.isZero, adapterNames[adapter] != nil || adapterNames.count < limits.devices else { return }
        if adapterNames[adapter] == nil { alias(placeholder(adapter: adapter), of: address.identifier) }
        adapterNames[adapter] = address.identifier
    }

    // MARK: The Attribute Protocol

    mutating func learn(_ frame: LinkTrace.Frame, on link: inout LinkTrace, of packet: CapturedPacket)
        -> [CapturedAccess]
    {
        let frame = link.pair(frame, time: packet.time)
        let device = shortenedIdentity(of: link.device(frame.server))
        if let only, identity(of: only) != device { return [] }
        if byteCount >= limits.bytes {
            droppedCount += 1
            return []
        }
        var accesses: [CapturedAccess] = []
        var change = 0
        let isKept = self.change(device) { trace in
            let before = trace.database.byteCount
            trace.seen(at: packet.time)
            let found = link.learn(frame, &trace.database, time: packet.time)
            trace.mtu = link.serverMTU(frame.server) ?? trace.mtu
            change = trace.database.byteCount - before
            accesses = found.map {
                CapturedAccess(
                    time: packet.time, device: device, handle: $0.handle, uuid: trace.database.type(of: $0.handle),
                    kind: $0.kind, value: $0.value)
            }
        }
        guard isKept else { return [] }
        byteCount += change
        return accesses
    }
}
