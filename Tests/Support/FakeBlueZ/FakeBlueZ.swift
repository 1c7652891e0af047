// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapCore
package import BlueCapLoop
import BlueCapPrivateBus
package import BlueCapTesting
package import BlueCapDBus

/// A scripted `bluetoothd` on a private bus of the test: the part of `org.bluez` that a central sees, over real D-Bus.
///
/// Its messages and their order follow the traces of the real daemon in `Tests/TestBed/traces`; the tests in
/// `TraceReplayTests` check this. It runs on its own event loop, as a separate process would.
package actor FakeBlueZ {
    /// The fake's own thread.
    package nonisolated let loop: EventLoop
    private nonisolated let address: BusAddress
    private nonisolated let clock: BlueCapClock
    private var daemon: FakeDaemon?
    /// The devices at the far end outlive the daemon, as real ones do.
    private var air = FakeAir()
    private var store = FakeDaemon.Store()
    private nonisolated let airIsOnClock: Bool
    private var misconduct = Misconduct()
    /// The number of starts and ends of the daemon that are under way.
    private var moves = 0
    /// The names of daemons that have ended, which the bus need not have noticed.
    private(set) var departures: [String] = []
    private static let bus = "org.freedesktop.DBus"

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        // SAFETY: `loop` is a `let` of this actor.
        unsafe loop.asUnownedSerialExecutor()
    }

    /// A fake that is not on the bus yet.
    ///
    /// - Parameters:
    ///   - clock: By which the daemon's time passes.
    ///   - airIsOnClock: Whether devices advertise by that clock, too, rather than by real time.
    package init(
        on address: BusAddress, clock: BlueCapClock = .continuous, airIsOnClock: Bool = false
    ) throws(DBusError) {
        loop = try DBusError.translating(EventLoop.init)
        self.address = address
        self.clock = clock
        self.airIsOnClock = airIsOnClock
    }

    /// Comes onto the bus as `org.bluez`, with one adapter that is on.
    package func start() async throws(DBusError) {
        moves += 1
        defer { moves -= 1 }
        let connection = try await BusConnection.open(address, on: loop)
        let daemon = FakeDaemon(
            connection: connection, air: air, clock: clock, airIsOnClock: airIsOnClock, store: store)
        daemon.misconduct = misconduct
        try connection.link.exportObjectManager(at: "/")
        // The name is requested before there are objects, so that programs that follow the name hear of the objects. A
        // busy bus learns of the end of the daemon before this one a little later.
        var attempts = 0
        while try await !connection.requestName("org.bluez") {
            attempts += 1
            guard attempts < 1000 else { throw .invalidArgument("org.bluez is owned") }
        }
        try daemon.export()
        self.daemon = daemon
    }

    /// Ends the daemon as the system does, in order (`serve-daemon-restarted.trace`).
    package func terminate() async {
        guard let daemon else { return }
        moves += 1
        defer { moves -= 1 }
        self.daemon = nil
        store = daemon.withdraw()
        // Once the bus fails to write to a daemon that is gone, it reads nothing more of it. So the daemon leaves only
        // when its last words were read.
        _ = try? await daemon.connection.call(Self.busCall("GetId"), deadline: .seconds(30))
        departures.append(daemon.link.uniqueName)
        daemon.crash()
    }

    /// Leaves the bus at once, as a daemon that is killed: calls in flight are answered by the bus.
    package func kill() {
        guard let daemon else { return }
        store = daemon.store
        departures.append(daemon.link.uniqueName)
        daemon.crash()
        self.daemon = nil
    }

    /// Returns when every program on the bus has handled all messages that the daemon has sent so far.
    package func settle() async {
        guard let connection = daemon?.connection else { return }
        let names = try? await connection.call(Self.busCall("ListNames"))
        for name in (try? names?.body().first?.stringsValue) ?? [] where name.hasPrefix(":") {
            // The ping is answered after all earlier messages; an error is an answer, too.
            let ping = try? Message.methodCall(to: name, path: "/", interface: Self.bus + ".Peer", member: "Ping")
            if let ping { _ = try? await connection.call(ping, deadline: .seconds(30)) }
        }
    }

    private static func busCall(_ member: String) throws(DBusError) -> Message {
        try .methodCall(to: bus, path: "/org/freedesktop/DBus", interface: bus, member: member)
    }

    /// Lets this daemon, and later ones, misbehave.
    package func begin(_ fault: ServiceFault) {
        misconduct.begin(fault)
        daemon?.misconduct.begin(fault)
    }

    /// Has it behave again.
    package func end(_ fault: ServiceFault) {
        _ = misconduct.end(fault)
        for serve in daemon?.misconduct.end(fault) ?? [] { serve() }
    }

    /// The daemon's connection while it is on the bus.
    var link: BusLink? { daemon?.link }

    /// Whether the daemon comes onto the bus, or leaves it in order.
    var isMoving: Bool { moves > 0 }

    /// The bus knows that a daemon has ended.
    func forgetDeparture(of name: String) { departures.removeAll { $0 == name } }

    /// Ends the fake and its thread.
    package func stop() async {
        kill()
        await loop.stop()
    }

    /// Runs `body` with the daemon, on the fake's thread.
    package func with<Result: Sendable>(
        _ body: @Sendable (FakeDaemon) throws -> Result
    ) throws -> Result {
        guard let daemon else { throw FakeError.notRunning }
        return try body(daemon)
    }

    /// Runs `body` with the devices at the far end, on the fake's thread.
    package func withAir<Result: Sendable>(_ body: @Sendable (FakeAir) throws -> Result) rethrows -> Result {
        try body(air)
    }
}

/// Wrong use of the fake.
package enum FakeError: Error {
    /// The daemon was killed.
    case notRunning
    /// The daemon or the program does not do it.
    case refused(String)
    /// No far device or attribute goes by that index.
    case unknown(String)
}
#endif
