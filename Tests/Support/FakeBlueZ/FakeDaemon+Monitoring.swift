// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapDBus

/// AdvertisementMonitorManager1: devices that a daemon without a discovery hears for the monitors of programs, all of
/// which are taken to match (`btd_adapter_device_found` in `src/adapter.c` of BlueZ 5.87).
extension FakeDaemon {
    func monitorInterface() -> ExportedInterface {
        var interface = ExportedInterface("org.bluez.AdvertisementMonitorManager1")
        interface.property("SupportedMonitorTypes", "as", get: { .strings(["or_patterns"]) })
        interface.property("SupportedFeatures", "as", get: { .strings([]) })
        interface.method("RegisterMonitor", in: "o") { [unowned self] call in
            serve(call) { [unowned self] in
                guard monitors.insert(monitor(of: call)).inserted else {
                    return call.fail(FakeFailure("AlreadyExists", "Already Exists"))
                }
                call.reply()
                if !isTicking { tick() }
            }
        }
        interface.method("UnregisterMonitor", in: "o") { [unowned self] call in
            serve(call) { [unowned self] in
                guard monitors.remove(monitor(of: call)) != nil else {
                    return call.fail(FakeFailure("DoesNotExist", "Does Not Exist"))
                }
                call.reply()
            }
        }
        return interface
    }

    private func monitor(of call: MethodCall) -> String {
        call.sender + (call.arguments.first?.objectPathValue ?? "")
    }
}
#endif
