// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

// Advertisements: objects that the daemon reads at registration and watches from then on.
extension BlueZPeripheralBackend {
    func advertise(_ id: AdvertisementID, _ advertisement: Advertisement, _ request: RequestID) {
        whenPossible(advertisement, request) { $0.register(id, advertisement, request) }
    }

    private func register(_ id: AdvertisementID, _ advertisement: Advertisement, _ request: RequestID) {
        guard let link = session?.link else { return reply(request, .failure(.poweredOff)) }
        let object = AdvertisementObject(path: "\(rootPath)/advertisement\(id.rawValue)", advertisement: advertisement)
        do throws(DBusError) {
            try link.export([interface(of: object, id)], at: object.path)
        } catch {
            return reply(request, .failure(.backend(BlueZFailure.failure(error))))
        }
        advertisements[id] = object
        registrar.register(object.path, with: BlueZInterface.advertisingManager, "RegisterAdvertisement", self) { backend, result in
            switch result {
            case .success: backend.emit(.reply(request, .success(())))
            case .failure(let error):
                if let object = backend.advertisements.removeValue(forKey: id) { backend.unexport(object) }
                backend.emit(.reply(request, .failure(BlueZFailure.registering(error))))
            }
        }
    }

    private func interface(of object: AdvertisementObject, _ id: AdvertisementID) -> ExportedInterface {
        var interface = ExportedInterface(BlueZInterface.advertisement)
        for (name, signature) in AdvertisementObject.signatures {
            interface.property(name, signature) { object.properties[name] }
        }
        interface.method("Release", onCall { $0.released(id, $1) })
        return interface
    }

    /// The daemon has released an advertisement. It does so for every one when it ends and when the adapter is
    /// unplugged, after it has taken `LEAdvertisingManager1` off the bus (`btd_adv_manager_destroy` in
    /// `src/advertising.c`): such an advertisement is as lost as everything else that was registered, and comes back
    /// with the adapter.
    private func released(_ id: AdvertisementID, _ call: MethodCall) {
        call.reply()
        guard let object = advertisements.removeValue(forKey: id) else { return }
        unexport(object)
        if isAdvertisingOffered { emit(.advertisingEnded(id, Self.takenDown)) } else { registrar.lose() }
    }

    private var isAdvertisingOffered: Bool {
        watch.state == .poweredOn && offers(BlueZInterface.advertisingManager)
    }

    private static let takenDown = BackendFailure(
        name: BlueZInterface.advertisement + ".Release", message: "bluetoothd has taken the advertisement down")

    /// Changes an advertisement while it is on the air: the daemon follows the changes of the properties.
    func update(_ id: AdvertisementID, _ advertisement: Advertisement, _ request: RequestID) {
        whenPossible(advertisement, request) { $0.change(id, to: advertisement, request) }
    }

    private func change(_ id: AdvertisementID, to advertisement: Advertisement, _ request: RequestID) {
        guard let object = advertisements[id], let link = session?.link else {
            return reply(request, .failure(.backend(Self.noAdvertisement)))
        }
        let old = object.properties
        let oldInterval = object.advertisement.interval
        object.advertisement = advertisement
        let new = object.properties
        do throws(DBusError) {
            for (changed, gone) in Self.steps(from: old, to: new, oldInterval, advertisement.interval) {
                try link.emitPropertiesChanged(
                    at: object.path, interface: BlueZInterface.advertisement, changed: changed, invalidated: gone)
            }
        } catch {
            return reply(request, .failure(.backend(BlueZFailure.failure(error))))
        }
        reply(request, .success(()))
    }

    /// The signals that report a change. The daemon sends an advertisement again after each property, so the least
    /// interval must never be above the greatest: the controller would refuse it, and a daemon before 5.74 may crash
    /// then (`add_adv_params_callback` in `src/advertising.c`).
    private static func steps(
        from old: [String: DBusValue], to new: [String: DBusValue], _ oldInterval: ClosedRange<Duration>?,
        _ newInterval: ClosedRange<Duration>?
    ) -> [(changed: [String: DBusValue], gone: [String])] {
        var changed = new.filter { old[$0.key] != $0.value }
        let gone = old.keys.filter { new[$0] == nil }.sorted()
        var steps: [(changed: [String: DBusValue], gone: [String])] = []
        if let oldInterval, let newInterval {
            let first = newInterval.upperBound < oldInterval.lowerBound ? "MinInterval" : "MaxInterval"
            if let value = changed.removeValue(forKey: first) { steps.append(([first: value], [])) }
        }
        if !changed.isEmpty || !gone.isEmpty { steps.append((changed, gone)) }
        // The daemon forgets an interval without sending the advertisement again; any property makes it do that.
        if gone.contains("MinInterval"), let kind = new["Type"] { steps.append((["Type": kind], [])) }
        return steps
    }

    func stopAdvertising(_ id: AdvertisementID, _ request: RequestID) {
        guard let object = advertisements.removeValue(forKey: id) else {
            return reply(request, .failure(.backend(Self.noAdvertisement)))
        }
        let path = object.path
        registrar.giveUp(path, self)
        call(BlueZInterface.advertisingManager, "UnregisterAdvertisement", [.objectPath(path)]) { backend, result in
            backend.session?.link?.unexport(at: path)
            switch result {
            case .success: backend.emit(.reply(request, .success(())))
            case .failure(let error): backend.emit(.reply(request, .failure(BlueZFailure.registering(error))))
            }
        }
    }

    func unregister(_ object: AdvertisementObject) {
        call(BlueZInterface.advertisingManager, "UnregisterAdvertisement", [.objectPath(object.path)])
    }

    func unexport(_ object: AdvertisementObject) { session?.link?.unexport(at: object.path) }

    private static let noAdvertisement = BackendFailure(
        name: BlueZError.doesNotExist, message: "there is no such advertisement")
}
#endif
