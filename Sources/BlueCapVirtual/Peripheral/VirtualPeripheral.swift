// SPDX-License-Identifier: MIT

public import BlueCapCore
import BlueCapRuntime
public import BlueCapSerDe

/// The visible state of a virtual peripheral, readable from anywhere.
struct PeripheralFacts {
    var name: String
    var identifier: PeerIdentifier
    var proximity: VirtualProximity
    var advertising: VirtualAdvertising
    var isAdvertising: Bool
    var pairing: VirtualPairing
    var services: [VirtualService]
    var connections = 0
    var totalConnections = 0
    private(set) var connectionParameters: ConnectionParameters?
    var shownPasskey: UInt32?
    /// The units of channels, and the number of those that are open, by PSM.
    private(set) var channelUnits: [UInt16: RingBuffer<Bytes>] = [:]
    private(set) var channelCounts: [UInt16: Int] = [:]

    private static let maximumUnits = 10_000

    mutating func took(_ unit: Bytes, on psm: UInt16) {
        channelUnits[psm, default: RingBuffer()].append(unit)
        if let count = channelUnits[psm]?.count, count > Self.maximumUnits { _ = channelUnits[psm]?.popFirst() }
    }

    func units(on psm: UInt16) -> [Bytes] {
        channelUnits[psm].map { units in (0..<units.count).map { units[$0] } } ?? []
    }

    mutating func count(_ channels: Int, on psm: UInt16) { channelCounts[psm] = channels }

    mutating func take(_ parameters: ConnectionParameters) { connectionParameters = parameters }
}

/// A peripheral in a virtual radio's air: its declaration, and the handle to act on it.
///
/// ```swift
/// let level = VirtualCharacteristic("2A19", properties: [.read, .notify], value: [100])
/// let strap = VirtualPeripheral(name: "Strap", services: [VirtualService("180F", characteristics: [level])])
/// radio.add(strap)
/// level.update([99])                                  // kept for reads, and sent to all who are subscribed
/// strap.vanish()                                      // out of reach: links are lost
/// ```
///
/// Methods may be called from any thread. On the radio's executor (in ``VirtualRadio/run(limit:patience:_:)`` too) they
/// take effect at once; elsewhere they take effect in the order of the calls, after the executor's queued jobs. Before
/// ``VirtualRadio/add(_:)`` they wait for it, in their order.
public final class VirtualPeripheral: Sendable, Identifiable {
    /// The settings that do not change by themselves.
    struct World: Sendable {
        var advertising: VirtualAdvertising
        var connection: VirtualConnection
    }

    private struct Home {
        var node: Confined<PeripheralNode>?
        /// The actions that were called before it came on a radio.
        var actions: [@Sendable (PeripheralNode) -> Void] = []
    }

    let facts: Locked<PeripheralFacts>
    /// Its state on the executor of the radio that it is on; apart from the facts, which the node holds.
    var node: Confined<PeripheralNode>? { home.withLock { $0.node } }
    private let home = Locked(Home())
    private let hasOwnAddress: Bool
    let caster = Multicaster<VirtualPeripheralEvent>(replay: .none)
    private let world: World

    /// Creates a peripheral, which is not yet in the air.
    ///
    /// - Parameters:
    ///   - name: The GAP device name.
    ///   - address: The address; nil derives one from the name.
    ///   - proximity: The distance from the adapters.
    ///   - advertising: The packets and their timing; nil advertises the name and the primary services every 100 ms.
    ///   - isAdvertising: Whether the peripheral advertises as soon as it is in the air.
    ///   - connection: The parameters of connections to it.
    ///   - pairing: The behaviour when a central wants to encrypt the link.
    ///   - services: The GATT database, without the Generic Access and Generic Attribute services, which stacks keep to
    ///     themselves.
    public init(
        name: String, address: String? = nil, proximity: VirtualProximity = .near,
        advertising: VirtualAdvertising? = nil, isAdvertising: Bool = true,
        connection: VirtualConnection = VirtualConnection(), pairing: VirtualPairing = .justWorks,
        services: [VirtualService] = []
    ) {
        let usual = VirtualAdvertising(
            data: PeripheralAdvertisements(
                localName: name, serviceUUIDs: services.filter(\.isPrimary).map(\.uuid),
                flags: [.generalDiscoverable, .noBREDR]))
        hasOwnAddress = address != nil
        world = World(advertising: advertising ?? usual, connection: connection)
        facts = Locked(
            PeripheralFacts(
                name: name, identifier: PeerIdentifier(address ?? Self.address(for: name)), proximity: proximity,
                advertising: advertising ?? usual, isAdvertising: isAdvertising, pairing: pairing, services: services))
    }

    /// Creates a peripheral, which is not yet in the air, with services listed in braces.
    ///
    /// - Parameters:
    ///   - name: The GAP device name.
    ///   - address: The address; nil derives one from the name.
    ///   - proximity: The distance from the adapters.
    ///   - advertising: The packets and their timing; nil advertises the name and the primary services every 100 ms.
    ///   - isAdvertising: Whether the peripheral advertises as soon as it is in the air.
    ///   - connection: The parameters of connections to it.
    ///   - pairing: The behaviour when a central wants to encrypt the link.
    ///   - services: The GATT database, one service a line, without the Generic Access and Generic Attribute services.
    public convenience init(
        name: String, address: String? = nil, proximity: VirtualProximity = .near,
        advertising: VirtualAdvertising? = nil, isAdvertising: Bool = true,
        connection: VirtualConnection = VirtualConnection(), pairing: VirtualPairing = .justWorks,
        @VirtualList<VirtualService> _ services: () -> [VirtualService]
    ) {
        self.init(
            name: name, address: address, proximity: proximity, advertising: advertising,
            isAdvertising: isAdvertising, connection: connection, pairing: pairing, services: services())
    }

    /// A random static address that always is the same for the same name.
    private static func address(for name: String) -> String {
        var generator = SeededGenerator(seed: 0, name: name)
        var number = generator.next() >> 16 | 0xC000_0000_0000
        var octets: [String] = []
        for _ in 0..<6 {
            let octet = String(number & 0xFF, radix: 16, uppercase: true)
            octets.insert(octet.count == 1 ? "0" + octet : octet, at: 0)
            number >>= 8
        }
        return octets.joined(separator: ":")
    }

    // MARK: Facts

    /// The address that the peripheral uses now, as centrals see it.
    public var identifier: PeerIdentifier { facts.withLock { $0.identifier } }
    /// The same as ``identifier``.
    public var id: PeerIdentifier { identifier }
    /// The GAP device name of the peripheral.
    public var name: String { facts.withLock { $0.name } }
    /// The distance from the adapters.
    public var proximity: VirtualProximity { facts.withLock { $0.proximity } }
    /// A Boolean value that is true if the peripheral advertises while it accepts another connection.
    public var isAdvertising: Bool { facts.withLock { $0.isAdvertising } }
    /// The packets that the peripheral advertises, and their timing.
    public var advertising: VirtualAdvertising { facts.withLock { $0.advertising } }
    /// The behaviour when a central wants to encrypt the link.
    public var pairing: VirtualPairing { facts.withLock { $0.pairing } }
    /// The services of the device.
    public var services: [VirtualService] { facts.withLock { $0.services } }
    /// The number of connected centrals as the peripheral sees it: it detects a lost link by its supervision timeout.
    public var connectionCount: Int { facts.withLock { $0.connections } }
    /// The number of connections since the start, ended ones included.
    public var totalConnectionCount: Int { facts.withLock { $0.totalConnections } }
    /// The parameters that a central set last; nil if none has. A connection has the shortest of their intervals, and
    /// those of ``VirtualConnection`` until its central sets others.
    public var connectionParameters: ConnectionParameters? { facts.withLock { $0.connectionParameters } }
    /// The six digits that the peripheral shows while it pairs, to be compared with the central's or typed there; nil
    /// when it shows none.
    public var shownPasskey: UInt32? { facts.withLock { $0.shownPasskey } }

    /// Returns the first characteristic with the given UUID, or nil if there is none.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the characteristic.
    ///   - service: The UUID of the service to search; nil searches all.
    public func characteristic(_ uuid: BluetoothUUID, in service: BluetoothUUID? = nil) -> VirtualCharacteristic? {
        services.lazy.filter { service == nil || $0.uuid == service }
            .flatMap(\.characteristics).first { $0.uuid == uuid }
    }

    // MARK: In the air

    /// Gives the peripheral an address that is not taken.
    func takeAddress(_ isTaken: (PeerIdentifier) -> Bool) {
        facts.withLock { facts in
            var attempt = 1
            while isTaken(facts.identifier) {
                precondition(!hasOwnAddress, "two virtual peripherals have the address \(facts.identifier)")
                attempt += 1
                facts.identifier = PeerIdentifier(Self.address(for: "\(facts.name) \(attempt)"))
            }
        }
    }

    /// Comes into a radio's air.
    func join(_ ether: Confined<Ether>) {
        let (facts, world, caster) = (facts, world, caster)
        let node = Confined(on: ether.executor) {
            PeripheralNode(ether: ether.with { $0 }, facts: facts, caster: caster, world: world)
        }
        let (previous, actions) = home.withLock { home in
            defer { home = Home(node: home.node ?? node) }
            return (home.node, home.actions)
        }
        if let previous {
            precondition(previous.executor === ether.executor, "a virtual peripheral can be on one radio only")
            return previous.perform { $0.setPresent(true) }
        }
        let (services, isAdvertising) = facts.withLock { ($0.services, $0.isAdvertising) }
        node.perform { peripheral in
            peripheral.change(to: services, owner: node)
            peripheral.setPresent(true)
            if isAdvertising { peripheral.setAdvertising(true, nil) }
            for action in actions { action(peripheral) }
        }
    }

    func leave() { node?.perform { $0.setPresent(false) } }

    func act(_ body: @escaping @Sendable (PeripheralNode) -> Void) {
        let node = home.withLock { home in
            if home.node == nil { home.actions.append(body) }
            return home.node
        }
        node?.perform(body)
    }
}
