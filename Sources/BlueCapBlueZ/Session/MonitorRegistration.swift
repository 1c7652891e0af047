// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus
import BlueCapSerDe

/// Advertisement monitors of a program below one object manager, once registered with the daemon.
///
/// Each registration has a path of its own, as the daemon may answer an earlier one, or call its monitors, after that
/// was taken back.
// Loop only, like its session.
final class MonitorRegistration {
    /// A call of the daemon to one of the monitors, or its answer.
    enum Event {
        /// The daemon does not take the monitors.
        case refused(DBusError)
        /// The daemon has dropped a monitor, and calls it no more. One that it has never used it would refuse again.
        case released(wasUsed: Bool)
        /// The object of a device that matches.
        case found(String)
        case lost(String)
    }

    /// A monitor as the daemon reads it.
    struct Monitor {
        let name: String
        let patterns: [AdvertisingPattern]
        var signal: SignalThresholds?
    }

    /// The most patterns of one monitor: bluetoothd counts the 34 bytes of each in one byte, and is killed by its own
    /// write beyond the end (`merged_pattern_send_add_pattern` in `src/adv_monitor.c`; seen with 5.66 and 5.87).
    static let patternLimit = 7

    /// Nil once the session is over, while the daemon may still call the monitors.
    private weak var session: BlueZSession?
    private let adapter: String
    private let root: String
    private let monitors: [Monitor]
    private let handle: (Event) -> Void
    private(set) var isRegistered = false
    /// The names of the monitors that the daemon has said it uses.
    private var used: Set<String> = []

    /// - Parameters:
    ///   - root: The path that the daemon is given, with the monitors below it.
    ///   - handle: Takes what happens until the end; none of it comes from inside a call of a method here.
    init(
        session: BlueZSession, adapter: String, root: String, monitors: [Monitor], handle: @escaping (Event) -> Void
    ) {
        (self.session, self.adapter, self.root, self.monitors) = (session, adapter, root, monitors)
        self.handle = handle
    }

    /// Puts the monitors on the bus and has the daemon read them.
    func begin() {
        guard !isRegistered, let session, let link = session.link else { return }
        isRegistered = true
        do throws(DBusError) {
            try link.exportObjectManager(at: root)
            for monitor in monitors { try link.export([interface(of: monitor)], at: path(of: monitor)) }
        } catch {
            // The bus is gone, and the session says so.
            isRegistered = false
            return withdraw()
        }
        let generation = session.generation
        call("RegisterMonitor") { [weak self] result in
            guard let self, isRegistered, self.session?.isAnswer(result, in: generation) == true,
                case .failure(let error) = result
            else { return }
            isRegistered = false
            withdraw()
            handle(.refused(error))
        }
    }

    /// Takes the monitors back; a daemon that is gone has none.
    func end() {
        if isRegistered { call("UnregisterMonitor") }
        isRegistered = false
        withdraw()
    }

    private func withdraw() {
        for monitor in monitors { session?.link?.unexport(at: path(of: monitor)) }
        session?.link?.unexportObjectManager(at: root)
    }

    private func path(of monitor: Monitor) -> String { "\(root)/\(monitor.name)" }

    private func call(_ member: String, reply: @escaping (Result<Message, DBusError>) -> Void = { _ in }) {
        let manager = BlueZInterface.advertisementMonitorManager
        session?.call(adapter, manager, member, [.objectPath(root)], reply: reply)
    }

    // MARK: Objects

    private func interface(of monitor: Monitor) -> ExportedInterface {
        var interface = ExportedInterface(BlueZInterface.advertisementMonitor)
        interface.property("Type", "s") { .string("or_patterns") }
        let patterns = monitor.patterns.map { pattern in
            DBusValue.structure([
                .byte(UInt8(clamping: pattern.start)), .byte(pattern.type), .bytes(Array(pattern.content)),
            ])
        }
        interface.property("Patterns", "a(yyay)") { .array(patterns, of: "(yyay)") }
        if let signal = monitor.signal { add(signal, to: &interface) }
        method("Activate", on: &interface) { $0.used.insert(monitor.name) }
        method("Release", on: &interface) { $0.handle(.released(wasUsed: $0.used.contains(monitor.name))) }
        device("DeviceFound", on: &interface) { .found($0) }
        device("DeviceLost", on: &interface) { .lost($0) }
        return interface
    }

    private func add(_ signal: SignalThresholds, to interface: inout ExportedInterface) {
        let strengths = [("RSSIHighThreshold", signal.high), ("RSSILowThreshold", signal.low)]
        for (name, strength) in strengths { interface.property(name, "n") { .int16(Int16(clamping: strength)) } }
        let times = [("RSSIHighTimeout", signal.highTime), ("RSSILowTimeout", signal.lowTime)]
        for (name, time) in times {
            interface.property(name, "q") { .uint16(UInt16(clamping: time.components.seconds)) }
        }
        guard let (seconds, attoseconds) = signal.samplingPeriod?.components else { return }
        // In tenths of a second; 255 would be one report alone.
        let tenths = seconds * 10 + attoseconds / 100_000_000_000_000_000
        interface.property("RSSISamplingPeriod", "q") { .uint16(UInt16(clamping: tenths)) }
    }

    private func method(
        _ name: String, in signature: String = "", on interface: inout ExportedInterface,
        _ body: @escaping (MonitorRegistration, MethodCall) -> Void
    ) {
        interface.method(name, in: signature) { [weak self] call in
            // Other programs can call the object, too.
            guard let self, isRegistered, call.sender == session?.owner else {
                return call.fail("org.freedesktop.DBus.Error.AccessDenied", "it is for bluetoothd alone")
            }
            call.reply()
            body(self, call)
        }
    }

    private func method(
        _ name: String, on interface: inout ExportedInterface, _ body: @escaping (MonitorRegistration) -> Void
    ) {
        method(name, on: &interface) { me, _ in body(me) }
    }

    private func device(_ name: String, on interface: inout ExportedInterface, _ event: @escaping (String) -> Event) {
        method(name, in: "o", on: &interface) { me, call in
            guard let path = call.arguments.first?.objectPathValue,
                BlueZPath.device(of: path, adapter: me.adapter) == path
            else { return }
            me.handle(event(path))
        }
    }
}
#endif
