// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapDBus

/// Has the daemon report devices of an adapter while the kernel refuses it a discovery, because it goes on with that of
/// a `bluetoothd` that was killed.
///
/// The kernel hands the packets of the old discovery to the new daemon, which drops them unless they match an
/// `AdvertisementMonitor1` (`btd_adapter_device_found` in `src/adapter.c` of BlueZ 5.87). It has monitors with `-E`
/// only. A daemon without a discovery reports a device when its data change, or its signal strength by 8 dB.
// Loop only, like its session.
final class AdvertisementMonitor {
    /// Nil once the session is over, while the daemon may still call the monitor.
    private weak var session: BlueZSession?
    private let adapter: String
    /// The number of registrations so far. Each has objects of its own, as the daemon may answer an earlier one, or
    /// call its monitor, after that was taken back.
    private var number = 0
    /// The object manager that the daemon is given, and the monitor below it.
    private var root: String { "/org/bluecap/monitor/\(adapter.split(separator: "/").last ?? "")/\(number)" }
    private var path: String { root + "/flags" }
    private(set) var isRegistered = false
    /// Whether the daemon has said that it uses the monitor.
    private var isActive = false
    private var isRefused = false

    init(session: BlueZSession, adapter: String) { (self.session, self.adapter) = (session, adapter) }

    /// Registers the monitor, unless it is registered already or would be of no use.
    func begin() {
        guard !isRegistered, !isRefused, isUseful, let link = session?.link else { return }
        number += 1
        isActive = false
        do throws(DBusError) {
            try link.exportObjectManager(at: root)
            try link.export([interface(of: number)], at: path)
        } catch {
            return end()
        }
        isRegistered = true
        call("RegisterMonitor") { [weak self, number] result in
            guard let self, number == self.number, isRegistered, case .failure = result else { return }
            (isRegistered, isRefused) = (false, true)
            end()
        }
    }

    /// The daemon has dropped a monitor, and calls it no more. One that it has never used it would refuse again.
    private func released(_ number: Int) {
        guard number == self.number, isRegistered else { return }
        isRefused = !isActive
        end()
    }

    private func call(_ member: String, reply: @escaping (Result<Message, DBusError>) -> Void = { _ in }) {
        let manager = BlueZInterface.advertisementMonitorManager
        session?.call(adapter, manager, member, [.objectPath(root)], reply: reply)
    }

    /// Whether this daemon has monitors that match packets themselves. It leaves that to a controller that can, whose
    /// kernel then reports a device once in a discovery. bluetoothd 5.56 writes to a monitor that was taken back early
    /// (`add_adv_patterns_monitor_cb` in `src/adv_monitor.c`).
    private var isUseful: Bool {
        guard let session, let version = session.tree.version(ofAdapter: adapter), version > BlueZVersion(5, 56),
            let manager = session.tree[adapter, BlueZInterface.advertisementMonitorManager]
        else { return false }
        return manager[AdvertisementMonitorManager1.supportedFeatures]?.contains("controller-patterns") != true
    }

    /// The next daemon may take a monitor that this one has refused.
    func forgetRefusal() { isRefused = false }

    /// Takes the monitor back; a daemon that is gone has none.
    func end() {
        if isRegistered { call("UnregisterMonitor") }
        isRegistered = false
        session?.link?.unexport(at: path)
        session?.link?.unexportObjectManager(at: root)
    }

    private func interface(of number: Int) -> ExportedInterface {
        var interface = ExportedInterface(BlueZInterface.advertisementMonitor)
        interface.property("Type", "s") { .string("or_patterns") }
        let patterns = Self.flags.map { DBusValue.structure([.byte(0), .byte(0x01), .bytes([$0])]) }
        interface.property("Patterns", "a(yyay)") { .array(patterns, of: "(yyay)") }
        interface.method("Activate") { [weak self] call in
            call.reply()
            if number == self?.number { self?.isActive = true }
        }
        interface.method("Release") { [weak self] call in
            call.reply()
            self?.released(number)
        }
        // The mirror reports the devices, like those of a discovery.
        for member in ["DeviceFound", "DeviceLost"] { interface.method(member, in: "o") { $0.reply() } }
        return interface
    }

    /// A monitor has to name bytes: these are the usual values of the flags (AD type 1; Core Specification Supplement,
    /// part A, 1.3), for LE alone and for both radios. So a device with other flags, or without, is not heard.
    ///
    /// There must not be more than seven: bluetoothd counts the 34 bytes of each in one byte, and is killed by its own
    /// write beyond the end (`merged_pattern_send_add_pattern` in `src/adv_monitor.c`; seen with 5.66 and 5.87).
    private static let flags: [UInt8] = [0x06, 0x05, 0x04, 0x02, 0x1A, 0x18, 0x00]
}
#endif
