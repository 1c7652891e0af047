// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus

/// Advertisements: objects that the daemon reads at registration and watches from then on. Loop only.
final class Advertisements {
    typealias Backend = BlueZPeripheralBackend

    private static let manager = BlueZInterface.advertisingManager

    private var objects: [AdvertisementID: AdvertisementObject] = [:]
    /// The requests whose advertisement is not registered yet, as the daemon is asked first what it takes.
    private var asking: [AdvertisementID: RequestID] = [:]
    /// Whether the daemon of that life takes `ScanResponseData`; nil before it was tried.
    private var scanResponses: (generation: UInt64, areTaken: Bool)?

    func add(_ id: AdvertisementID, _ advertisement: Advertisement, _ request: RequestID, _ backend: isolated Backend) {
        asking[id] = request
        whenPossible(advertisement, request, backend) { $0.advertisements.register(id, advertisement, request, $0) }
    }

    private func register(
        _ id: AdvertisementID, _ advertisement: Advertisement, _ request: RequestID, _ backend: isolated Backend
    ) {
        // It may have been removed meanwhile.
        guard asking[id] == request else { return refuse(request, .backend(Self.noAdvertisement), backend) }
        asking[id] = nil
        guard let link = backend.session?.link else { return refuse(request, .poweredOff, backend) }
        let object = AdvertisementObject(
            path: "\(backend.rootPath)/advertisement\(id.rawValue)", advertisement: advertisement)
        do throws(DBusError) {
            try link.export([interface(of: object, id, backend)], at: object.path)
        } catch {
            return backend.reply(request, .failure(.backend(BlueZFailure.failure(error))))
        }
        objects[id] = object
        backend.registrar.register(object.path, with: Self.manager, "RegisterAdvertisement", backend) {
            backend, result in
            switch result {
            case .success: backend.emit(.reply(request, .success(())))
            case .failure(let error):
                backend.advertisements.drop(id, backend)
                backend.emit(.reply(request, .failure(BlueZFailure.registering(error))))
            }
        }
    }

    /// Takes an advertisement off the bus; returns whether there was one.
    @discardableResult
    private func drop(_ id: AdvertisementID, _ backend: isolated Backend) -> Bool {
        guard let object = objects.removeValue(forKey: id) else { return false }
        backend.session?.link?.unexport(at: object.path)
        return true
    }

    private func interface(
        of object: AdvertisementObject, _ id: AdvertisementID, _ backend: isolated Backend
    ) -> ExportedInterface {
        var interface = ExportedInterface(BlueZInterface.advertisement)
        for (name, signature) in AdvertisementObject.signatures {
            interface.property(name, signature) { object.properties[name] }
        }
        interface.method("Release", backend.onCall { $0.advertisements.released(id, $1, $0) })
        return interface
    }

    /// The daemon has released an advertisement. It does so for every one when it ends and when the adapter is
    /// unplugged, after it has taken `LEAdvertisingManager1` off the bus (`btd_adv_manager_destroy` in
    /// `src/advertising.c`): such an advertisement is as lost as everything else that was registered, and comes back
    /// with the adapter.
    private func released(_ id: AdvertisementID, _ call: MethodCall, _ backend: isolated Backend) {
        call.reply()
        guard drop(id, backend) else { return }
        if backend.isOn, backend.offers(Self.manager) {
            backend.emit(.advertisingEnded(id, Self.takenDown))
        } else {
            backend.registrar.lose()
        }
    }

    private static let takenDown = BackendFailure(
        name: BlueZInterface.advertisement + ".Release", message: "bluetoothd has taken the advertisement down")

    /// Changes an advertisement while it is on the air: the daemon follows the changes of the properties.
    func update(
        _ id: AdvertisementID, _ advertisement: Advertisement, _ request: RequestID, _ backend: isolated Backend
    ) {
        whenPossible(advertisement, request, backend) { $0.advertisements.change(id, to: advertisement, request, $0) }
    }

    private func change(
        _ id: AdvertisementID, to advertisement: Advertisement, _ request: RequestID, _ backend: isolated Backend
    ) {
        guard let object = objects[id], let link = backend.session?.link else {
            return backend.reply(request, .failure(.backend(Self.noAdvertisement)))
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
            return backend.reply(request, .failure(.backend(BlueZFailure.failure(error))))
        }
        backend.reply(request, .success(()))
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

    func remove(_ id: AdvertisementID, _ request: RequestID, _ backend: isolated Backend) {
        if asking.removeValue(forKey: id) != nil { return backend.reply(request, .success(())) }
        guard let object = objects.removeValue(forKey: id) else {
            return refuse(request, .backend(Self.noAdvertisement), backend)
        }
        let path = object.path
        backend.registrar.giveUp(path, backend)
        backend.call(Self.manager, "UnregisterAdvertisement", [.objectPath(path)]) { backend, result in
            backend.session?.link?.unexport(at: path)
            switch result {
            case .success: backend.emit(.reply(request, .success(())))
            case .failure(let error): backend.emit(.reply(request, .failure(BlueZFailure.registering(error))))
            }
        }
    }

    /// Has the daemon send all of them again after the radio was off, where the kernel has forgotten them. The daemon
    /// takes them for sent, and sends one again when any property of it changes.
    func sendAgain(_ backend: isolated Backend) {
        guard backend.limits.forgetsAdvertisements, let link = backend.session?.link else { return }
        for object in objects.values {
            guard let kind = object.properties["Type"] else { continue }
            try? link.emitPropertiesChanged(
                at: object.path, interface: BlueZInterface.advertisement, changed: ["Type": kind], invalidated: [])
        }
    }

    /// Asks the daemon to take all of them off the air.
    func unregister(_ backend: isolated Backend) {
        for object in objects.values {
            backend.call(Self.manager, "UnregisterAdvertisement", [.objectPath(object.path)])
        }
    }

    /// Takes all of them off the bus.
    func forget(_ backend: isolated Backend) {
        asking = [:]
        for id in objects.keys { drop(id, backend) }
    }

    private func refuse(_ request: RequestID, _ failure: OperationFailure, _ backend: isolated Backend) {
        if let id = asking.first(where: { $0.value == request })?.key { asking[id] = nil }
        backend.reply(request, .failure(failure))
    }

    private static let noAdvertisement = BackendFailure(
        name: BlueZError.doesNotExist, message: "there is no such advertisement")

    // MARK: Options that the daemon would ignore

    /// Goes on with an advertisement that the daemon takes as it is; refuses any other. The daemon may have been
    /// replaced since the manager asked.
    private func whenPossible(
        _ advertisement: Advertisement, _ request: RequestID, _ backend: isolated Backend,
        _ body: @escaping @Sendable (isolated Backend) -> Void
    ) {
        if let option = backend.unsupportedOption(of: advertisement) {
            return refuse(request, .advertisingOption(option), backend)
        }
        guard !advertisement.scanResponse.isEmpty else { return body(backend) }
        if let scanResponses, scanResponses.generation == backend.registrar.generation {
            if scanResponses.areTaken { return body(backend) }
            return refuse(request, .advertisingOption(.scanResponse), backend)
        }
        tryScanResponse(request, backend, body)
    }

    /// Registers an advertisement whose `ScanResponseData` is not of its type: a daemon that knows the property (5.80)
    /// cannot parse it; any other takes it, and it is removed at once. Nothing on the bus shows the daemon's version.
    private func tryScanResponse(
        _ request: RequestID, _ backend: isolated Backend, _ body: @escaping @Sendable (isolated Backend) -> Void
    ) {
        guard let link = backend.session?.link else { return refuse(request, .poweredOff, backend) }
        let path = "\(backend.rootPath)/trial\(request.rawValue)"
        // The appearance 0 means an unknown one.
        let properties: [(name: String, value: DBusValue)] = [
            ("Type", .string("broadcast")), ("Appearance", .uint16(0)), ("ScanResponseData", .string("")),
        ]
        var interface = ExportedInterface(BlueZInterface.advertisement)
        for (name, value) in properties { interface.property(name, value.signature) { value } }
        interface.method("Release", backend.onCall { _, call in call.reply() })
        do throws(DBusError) {
            try link.export([interface], at: path)
        } catch {
            return refuse(request, .backend(BlueZFailure.failure(error)), backend)
        }
        backend.registrar.register(path, with: Self.manager, "RegisterAdvertisement", backend) { backend, result in
            switch result {
            case .failure(.remote(BlueZError.failed, Self.unreadable)):
                backend.session?.link?.unexport(at: path)
                backend.advertisements.scanResponses = (backend.registrar.generation, true)
                body(backend)
            case .failure(let error):
                backend.session?.link?.unexport(at: path)
                backend.advertisements.refuse(request, BlueZFailure.registering(error), backend)
            case .success:
                backend.advertisements.scanResponses = (backend.registrar.generation, false)
                backend.call(Self.manager, "UnregisterAdvertisement", [.objectPath(path)]) { backend, _ in
                    backend.session?.link?.unexport(at: path)
                    backend.advertisements.refuse(request, .advertisingOption(.scanResponse), backend)
                }
            }
        }
    }

    /// The error text of `parse_advertisement` in BlueZ's `src/advertising.c`.
    private static let unreadable = "Failed to parse advertisement."
}
#endif
