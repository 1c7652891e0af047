// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

/// AdvertisementMonitorManager1: devices that a daemon without a discovery hears for the monitors of programs
/// (`btd_adapter_device_found` in `src/adapter.c` of BlueZ 5.87).
extension FakeDaemon {
    private static let monitorLimit = 32

    func monitorInterface() -> ExportedInterface {
        var interface = ExportedInterface("org.bluez.AdvertisementMonitorManager1")
        interface.property("SupportedMonitorTypes", "as", get: { .strings(["or_patterns"]) })
        interface.property("SupportedFeatures", "as", get: { .strings([]) })
        interface.method("RegisterMonitor", in: "o") { [unowned self] call in
            serve(call) { [unowned self] in registerMonitor(call) }
        }
        interface.method("UnregisterMonitor", in: "o") { [unowned self] call in
            serve(call) { [unowned self] in
                guard monitorRoots.remove(monitorRoot(of: call)) != nil else {
                    return call.fail(FakeFailure("DoesNotExist", "Does Not Exist"))
                }
                let root = call.arguments.first?.objectPathValue
                monitors.removeAll { $0.client == call.sender && $0.root == root }
                call.reply()
            }
        }
        return interface
    }

    private func monitorRoot(of call: MethodCall) -> String {
        call.sender + (call.arguments.first?.objectPathValue ?? "")
    }

    private func registerMonitor(_ call: MethodCall) {
        let key = monitorRoot(of: call)
        guard let root = call.arguments.first?.objectPathValue, monitorRoots.insert(key).inserted else {
            return call.fail(FakeFailure("AlreadyExists", "Already Exists"))
        }
        let client = call.sender
        ask(client, root, StandardInterface.objectManager, "GetManagedObjects") { [weak self] result in
            guard let self, monitorRoots.contains(key) else {
                return call.fail(FakeFailure("Failed", "Adv Monitor app destroyed"))
            }
            call.reply()
            let objects = (try? result.get().body())?.first?.entriesValue ?? []
            for entry in objects {
                let interfaces = entry.value.entriesValue?.first { $0.key.stringValue == FakeMonitor.interface }
                guard let path = entry.key.objectPathValue, let properties = interfaces?.value.propertiesValue else {
                    continue
                }
                add(FakeMonitor(client: client, root: root, path: path, properties), client, path)
            }
            if !isTicking { tick() }
        }
    }

    /// Uses a monitor, or calls its `Release` where it cannot.
    private func add(_ monitor: FakeMonitor?, _ client: String, _ path: String) {
        guard let monitor, monitors.count < Self.monitorLimit else {
            return tell(client, path, FakeMonitor.interface, "Release", [])
        }
        monitors.append(monitor)
        monitor.tell("Activate", by: self)
    }

    /// Drops all monitors, as when the kernel has removed them.
    package func dropMonitors() {
        let dropped = monitors
        monitors = []
        for monitor in dropped { monitor.tell("Release", by: self) }
    }

    /// The monitors that a device's packet matches; the scan response is not looked at.
    func matchingMonitors(_ far: FarDevice) -> [FakeMonitor] {
        if monitors.isEmpty { return [] }
        var data = far.advertisement.data
        data.flags = data.flags ?? [.generalDiscoverable, .noBREDR]
        let structures = PeripheralAdvertisements(packets: [Bytes(data.packet)]).structures
        return monitors.filter { $0.matches(structures) }
    }
}
#endif
