#if BlueZ && os(Linux) && canImport(CDBus)
import BlueCapCore
import DBus

// Advertisements: objects that the daemon reads at registration and watches from then on.
extension BlueZPeripheralBackend {
    func advertise(_ id: AdvertisementID, _ advertisement: Advertisement, _ request: RequestID) {
        guard let link = session?.link else { return reply(request, .failure(.poweredOff)) }
        let object = AdvertisementObject(path: "\(rootPath)/advertisement\(id.rawValue)", advertisement: advertisement)
        do throws(DBusError) {
            try link.export([interface(of: object, id)], at: object.path)
        } catch {
            return reply(request, .failure(.backend(BlueZFailure.failure(error))))
        }
        advertisements[id] = object
        call(
            BlueZInterface.advertisingManager, "RegisterAdvertisement", [.objectPath(object.path), .properties([:])]
        ) { backend, result in
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
        interface.method(
            "Release",
            onCall { backend, call in
                call.reply()
                guard let object = backend.advertisements.removeValue(forKey: id) else { return }
                backend.unexport(object)
                backend.emit(.advertisingEnded(id, nil))
            })
        return interface
    }

    /// Changes what is said while it is on the air: the daemon follows the changes of the properties.
    func update(_ id: AdvertisementID, _ advertisement: Advertisement, _ request: RequestID) {
        guard let object = advertisements[id], let link = session?.link else {
            return reply(request, .failure(.backend(Self.noAdvertisement)))
        }
        let old = object.properties
        object.advertisement = advertisement
        let new = object.properties
        let changed = new.filter { old[$0.key] != $0.value }
        let gone = old.keys.filter { new[$0] == nil }.sorted()
        do throws(DBusError) {
            try link.emitPropertiesChanged(
                at: object.path, interface: BlueZInterface.advertisement, changed: changed, invalidated: gone)
        } catch {
            return reply(request, .failure(.backend(BlueZFailure.failure(error))))
        }
        reply(request, .success(()))
    }

    func stopAdvertising(_ id: AdvertisementID, _ request: RequestID) {
        guard let object = advertisements.removeValue(forKey: id) else {
            return reply(request, .failure(.backend(Self.noAdvertisement)))
        }
        let path = object.path
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
