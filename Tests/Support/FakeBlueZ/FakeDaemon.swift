// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapCore
import BlueCapLoop
import BlueCapPrivateBus
import BlueCapTesting
import BlueCapDBus

/// The fake's `bluetoothd` while it is on the bus: one adapter and the devices it knows; on the fake's thread only.
package final class FakeDaemon {
    static let adapterPath = "/org/bluez/hci0"

    /// The path of a device's object.
    package static func path(of address: PeerIdentifier) -> String {
        adapterPath + "/dev_" + address.text.map { $0 == ":" ? "_" : String($0) }.joined()
    }

    let connection: BusConnection
    let air: FakeAir
    /// The clock of all of the daemon's timers.
    let clock: BlueCapClock
    var link: BusLink { connection.link }
    var loop: EventLoop { connection.loop }

    /// Whether the adapter is plugged in.
    var hasAdapter = true
    /// Whether the adapter is on.
    package internal(set) var isPowered = true
    /// Whether the adapter has its object for advertisements.
    var canAdvertise = false
    /// The adapter's alias where no program has set one.
    static let ownName = DBusValue.string("BlueZ fake")
    /// The adapter's properties that a program may set (`adapter-properties.trace`).
    var settings: [String: DBusValue] = [
        "Alias": FakeDaemon.ownName, "Discoverable": .bool(false), "Pairable": .bool(false),
    ]
    /// The discovery filter of each client, by unique name.
    var filters: [String: [String: DBusValue]] = [:]
    /// The clients that have a discovery session.
    var sessions: Set<String> = []
    /// The devices that have an object, by address.
    var devices: [PeerIdentifier: FakeDevice] = [:]
    /// The object managers that programs have registered for monitors, each with the program's unique name before it.
    package internal(set) var monitorRoots: Set<String> = []
    /// The monitors below them that are in use.
    var monitors: [FakeMonitor] = []
    /// Devices seen since discovery began.
    var found: Set<PeerIdentifier> = []

    /// The applications and advertisements that programs have registered.
    private(set) lazy var server = FakeServer(daemon: self)
    /// Centrals at the far end, by index.
    var farCentralsByIndex: [Int: FakeCentralLink] = [:]

    /// The agents that answer for pairing.
    private(set) lazy var agents = FakeAgents(daemon: self)
    /// The devices that this machine has keys for; they outlive their objects.
    var bonded: Set<PeerIdentifier> = []

    // Behaviours that the real daemon shows only at times, chosen by the test.

    /// Whether ServicesResolved comes before the objects rather than after them (`connect.trace` has this order).
    package var resolvesBeforeObjects = false
    /// Whether ServicesResolved comes without any object.
    package var hidesObjects = false
    /// Whether attribute objects of the battery service are hidden behind Battery1, as BlueZ before 5.80 may.
    package var hidesClaimedServices = false
    /// Whether a request is given up with 0x0E when the device has to be paired with for it, as on a busy host
    /// (`can_write_data` in `src/shared/att.c`).
    package var givesUpToPair = false
    /// Whether an `AcquireNotify` that the device refuses is never answered, as before BlueZ 5.84.
    package var forgetsRefusedSockets = false
    /// The bearers that devices with both radios prefer (`PreferredBearer`, with `-E` since 5.80).
    package var bearers: [PeerIdentifier: Bearer] = [:]
    /// Errors for coming calls, by member; each answers one call.
    package var failures: [String: [(name: String, text: String)]] = [:]
    /// Members whose calls are never answered.
    package var unanswered: Set<String> = []
    /// The daemon's misbehaviour in a simulation.
    var misconduct = Misconduct()
    private let airIsOnClock: Bool
    private(set) var isTicking = false

    init(connection: BusConnection, air: FakeAir, clock: BlueCapClock, airIsOnClock: Bool, store: Store) {
        self.connection = connection
        self.air = air
        self.clock = clock
        self.airIsOnClock = airIsOnClock
        restore(store)
    }

    /// Whether a `Connect` to a device waits for its answer.
    package func isConnecting(_ address: PeerIdentifier) -> Bool { devices[address]?.pendingConnect != nil }

    /// Whether any program has a discovery.
    package var isDiscovering: Bool { !sessions.isEmpty }

    /// The number of applications and advertisements that programs have registered.
    package var registrationCount: Int { server.applications.count + server.advertisements.count }

    /// Emits a signal; after the link is closed it has no receiver.
    func emit(_ path: String, _ interface: String, _ changed: [String: DBusValue], invalidated: [String] = []) {
        try? link.emitPropertiesChanged(at: path, interface: interface, changed: changed, invalidated: invalidated)
        // A repeated signal of a characteristic would be a second value.
        guard misconduct.repeatsItself, interface != FakeCharacteristic.interface else { return }
        try? link.emitPropertiesChanged(at: path, interface: interface, changed: changed, invalidated: invalidated)
    }

    /// Carries out a call, unless the script or the misconduct replaces this.
    func serve(_ call: MethodCall, _ body: @escaping () -> Void) {
        if isScripted(call) { return }
        for earlier in misconduct.letIn(before: call) { earlier() }
        let serve = { [weak self] in
            // The adapter may have gone while the call was held back.
            let isOfAdapter = call.message.path?.hasPrefix(Self.adapterPath) == true
            if isOfAdapter, self?.hasAdapter != true { call.fail(.gone) } else { body() }
        }
        if !misconduct.takes(call, of: self, serve) { serve() }
    }

    /// Whether the script answers a call in the daemon's place.
    private func isScripted(_ call: MethodCall) -> Bool {
        let member = call.message.member ?? ""
        if unanswered.contains(member) {
            kept.append(call)
            return true
        }
        guard var planned = failures[member], !planned.isEmpty else { return false }
        let failure = planned.removeFirst()
        failures[member] = planned
        call.fail(failure.name, failure.text)
        return true
    }

    /// Calls that are never answered are kept: a dropped one would be answered with an error.
    private var kept: [MethodCall] = []

    /// Never answers the calls.
    func abandon(_ calls: [MethodCall]) { kept += calls }

    func airChanged(_ far: FarDevice) {
        if far.isHeard { sight(far) }
        devices[far.address]?.farChanged()
    }

    // MARK: Advertising

    /// Devices advertise again and again; on a clock only while that is heard, so that it may leap.
    func tick() {
        guard link.isOpen else { return }
        for far in air.all where far.isHeard { sight(far) }
        if airIsOnClock {
            isTicking = !sessions.isEmpty || !monitors.isEmpty
            if isTicking { _ = after(.milliseconds(500)) { $0.tick() } }
        } else {
            isTicking = true
            loop.after(.milliseconds(20)) { [weak self] in self?.tick() }
        }
    }

    /// The devices on the air send a packet, if there is a monitor for it.
    func tellMonitors() {
        guard !monitors.isEmpty else { return }
        for far in air.all where far.isHeard { sight(far) }
    }

    /// A packet of a device is heard.
    private func sight(_ far: FarDevice) {
        let matching = isPowered ? matchingMonitors(far) : []
        guard isPowered, !matching.isEmpty || !sessions.isEmpty && matchesFilters(far) else { return }
        let isNew = found.insert(far.address).inserted
        if let device = devices[far.address] {
            device.sighted(isNew: isNew, everyPacket: wantsEveryPacket)
        } else {
            let device = FakeDevice(far, daemon: self)
            devices[far.address] = device
            device.export()
        }
        for monitor in matching { monitor.heard(far, self) }
    }

    /// Whether a discovery or a monitor hears the device now.
    func hears(_ far: FarDevice?) -> Bool {
        guard let far, far.isHeard, isPowered else { return false }
        return !sessions.isEmpty && matchesFilters(far) || !matchingMonitors(far).isEmpty
    }

    private func matchesFilters(_ far: FarDevice) -> Bool {
        let advertised = far.advertisedServiceUUIDs
        return sessions.contains { client in
            // Of the address or the name; a device that is known already is heard all the same.
            if let pattern = filters[client]?["Pattern"]?.stringValue, devices[far.address] == nil,
                !far.address.text.hasPrefix(pattern), !(far.twin.name ?? "").hasPrefix(pattern)
            {
                return false
            }
            guard let wanted = filters[client]?["UUIDs"]?.stringsValue, !wanted.isEmpty else { return true }
            return wanted.contains { advertised.contains($0.lowercased()) }
        }
    }

    /// Whether any client asked for every change of the signal strength.
    private var wantsEveryPacket: Bool {
        sessions.contains { filters[$0]?["RSSI"] != nil || filters[$0]?["DuplicateData"]?.boolValue == true }
    }
}
#endif
