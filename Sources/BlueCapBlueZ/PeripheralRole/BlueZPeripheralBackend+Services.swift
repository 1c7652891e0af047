// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

// Services: one application each, so that they come and go one by one.
extension BlueZPeripheralBackend {
    func add(_ service: LocalService, _ request: RequestID) {
        // BlueZ knows included services only within one application, so theirs are registered again together with this.
        let old = applications.filter { application in
            application.services.contains { service.includedServices.contains($0.id) }
        }
        let kept = Self.services(of: old)
        guard Set(kept.map(\.id)).isSuperset(of: service.includedServices) else {
            let failure = BackendFailure(
                name: BlueZError.invalidArguments, message: "an included service was not added before")
            return reply(request, .failure(.backend(failure)))
        }
        register(kept + [service], inPlaceOf: old, request)
    }

    func remove(_ service: AttributeID, _ request: RequestID) {
        let old = applications.filter { $0.services.contains { $0.id == service } }
        guard !old.isEmpty else {
            let failure = BackendFailure(name: BlueZError.doesNotExist, message: "there is no such service")
            return reply(request, .failure(.backend(failure)))
        }
        // The manager removes a service that others include only when it has no use for those either.
        let isGone = { (other: LocalService) in other.id == service || other.includedServices.contains(service) }
        let whole = old.filter { $0.services.allSatisfy(isGone) }
        guard whole.count < old.count else { return takeBack(whole) { $0.emit(.reply(request, $1)) } }
        for application in old where !application.services.allSatisfy(isGone) {
            withdraw(application.services.filter(isGone), from: application)
        }
        takeBack(whole) { backend, result in
            backend.onceHeard { backend, answer in
                guard case .failure(let error) = answer else { return backend.emit(.reply(request, result)) }
                backend.emit(.reply(request, .failure(BlueZFailure.registering(error))))
            }
        }
    }

    /// Takes services out of an application, whose others stay as they are. The end of their objects informs the
    /// daemon. To register the others again would move them, and report two removals at once to centrals, of which
    /// bluetoothd as a central misses one now and then.
    private func withdraw(_ services: [LocalService], from application: Application) {
        for service in services.reversed() {
            for path in application.paths(service) { session?.link?.unexport(at: path) }
            for characteristic in service.characteristics { endNotifying(characteristic.id) }
        }
        guard let index = applications.firstIndex(where: { $0.root == application.root }) else { return }
        applications[index].services.removeAll { services.map(\.id).contains($0.id) }
    }

    /// Registers services, some of which stand in other applications; answers the request. Those applications go once
    /// the daemon has taken the new one, so that a refusal leaves everything as it is.
    private func register(_ services: [LocalService], inPlaceOf old: [Application], _ request: RequestID) {
        register(services) { backend, result in
            guard case .success = result else { return backend.emit(.reply(request, result)) }
            // The services are there; an old place that the daemon holds on to answers no central any more.
            backend.takeBack(old) { backend, _ in backend.emit(.reply(request, result)) }
        }
    }

    /// The services of several applications, each once, behind those that it includes.
    private static func services(of applications: [Application]) -> [LocalService] {
        var seen: Set<AttributeID> = []
        return applications.flatMap(\.services).filter { seen.insert($0.id).inserted }
    }

    /// Unregisters applications, one after the other, and calls `then` when the daemon has answered for all of them.
    private func takeBack(
        _ old: [Application], refusal: OperationFailure? = nil,
        then: @escaping @Sendable (isolated BlueZPeripheralBackend, Result<Void, OperationFailure>) -> Void
    ) {
        let next = old.first { old in applications.contains { $0.root == old.root } }
        guard let application = next else {
            return then(self, refusal.map { .failure($0) } ?? .success(()))
        }
        registrar.giveUp(application.root, self)
        unregister(application) { backend, result in
            var refusal = refusal
            switch result {
            case .success, .failure(.remote(BlueZError.doesNotExist, _)): break
            case .failure(let error): refusal = refusal ?? BlueZFailure.registering(error)
            }
            backend.takeBack(old, refusal: refusal, then: then)
        }
        unexport(application)
        applications.removeAll { $0.root == application.root }
        for service in application.services {
            for characteristic in service.characteristics { endNotifying(characteristic.id) }
        }
    }

    /// Exports services and registers them. The daemon reads the objects before it answers.
    private func register(
        _ services: [LocalService],
        then: @escaping @Sendable (isolated BlueZPeripheralBackend, Result<Void, OperationFailure>) -> Void
    ) {
        guard let link = session?.link else { return later { then($0, .failure(.poweredOff)) } }
        lastApplication += 1
        let application = Application(root: "\(rootPath)/app\(lastApplication)", services: services)
        do throws(DBusError) {
            for service in services { try export(service, of: application, on: link) }
            try link.exportObjectManager(at: application.root)
        } catch {
            unexport(application)
            let failure = OperationFailure.backend(BlueZFailure.failure(error))
            return later { then($0, .failure(failure)) }
        }
        applications.append(application)
        registrar.register(application.root, with: BlueZInterface.gattManager, "RegisterApplication", self) { backend, result in
            switch result {
            case .success: then(backend, .success(()))
            case .failure(let error):
                backend.unexport(application)
                backend.applications.removeAll { $0.root == application.root }
                // Another program's service may stand there by now.
                if error != .cancelled, services.contains(where: { $0.handle ?? 0 != 0 }) {
                    return backend.register(services.map(\.anywhere), then: then)
                }
                then(backend, .failure(BlueZFailure.registering(error)))
            }
        }
    }

    func unregister(
        _ application: Application,
        reply: @escaping @Sendable (isolated BlueZPeripheralBackend, Result<Message, DBusError>) -> Void = { _, _ in }
    ) {
        call(BlueZInterface.gattManager, "UnregisterApplication", [.objectPath(application.root)], reply: reply)
    }

    func unexport(_ application: Application) {
        guard let link = session?.link else { return }
        link.unexportObjectManager(at: application.root)
        for path in application.paths { link.unexport(at: path) }
    }

    /// The daemon reports the handle of a service.
    private func place(_ service: AttributeID, _ call: MethodCall) {
        guard call.arguments.count == 3, case .variant(.uint16(let handle)) = call.arguments[2] else {
            return call.fail(ErrorName.invalidArgs, "a handle is of type q")
        }
        call.reply()
        emit(.servicePlaced(service, handle: handle))
    }

    var rootPath: String { "/org/bluecap/peripheral\(number)" }

    // MARK: Objects

    private func export(_ service: LocalService, of application: Application, on link: BusLink) throws(DBusError) {
        let path = application.path(service)
        var interface = ExportedInterface(BlueZInterface.service)
        interface.property("UUID", "s") { .string(service.uuid.fullDescription) }
        interface.property("Primary", "b") { .bool(service.isPrimary) }
        let included = application.services.filter { service.includedServices.contains($0.id) }.map(application.path)
        if let handle = service.handle {
            // The daemon sets it where it is 0, and puts the service there where it is not.
            let placed = onCall { $0.place(service.id, $1) }
            interface.property("Handle", "q", get: { .uint16(handle) }, set: { placed($1) })
        }
        interface.property("Includes", "ao") { .objectPaths(included) }
        try link.export([interface], at: path)
        for characteristic in service.characteristics {
            try export(characteristic, at: application.path(characteristic, in: service), service: path, on: link)
        }
    }

    private func export(
        _ characteristic: LocalCharacteristic, at path: String, service: String, on link: BusLink
    ) throws(DBusError) {
        let id = characteristic.id
        let flags = characteristic.blueZFlags
        var interface = ExportedInterface(BlueZInterface.characteristic)
        interface.property("UUID", "s") { .string(characteristic.uuid.fullDescription) }
        interface.property("Service", "o") { .objectPath(service) }
        interface.property("Flags", "as") { .strings(flags) }
        interface.method("ReadValue", in: "a{sv}", out: "ay", onCall { $0.accesses.read(id, $1, $0) })
        interface.method("WriteValue", in: "aya{sv}", onCall { $0.accesses.write(id, $1, $0) })
        if characteristic.canNotify {
            interface.method("StartNotify", onCall { $0.startNotify(id, path, $1) })
            interface.method("StopNotify", onCall { $0.stopNotify(id, $1) })
            interface.method("Confirm", onCall { $0.confirmed(id, $1) })
            if characteristic.offersNotifySocket {
                interface.property("NotifyAcquired", "b") { .bool(false) }
                interface.method("AcquireNotify", in: "a{sv}", out: "hq", onCall { $0.acquireNotify(id, path, $1) })
            }
        }
        if characteristic.offersWriteSocket {
            interface.property("WriteAcquired", "b") { .bool(false) }
            interface.method("AcquireWrite", in: "a{sv}", out: "hq", onCall { $0.accesses.acquireWrite(id, $1, $0) })
        }
        try link.export([interface], at: path)
        for descriptor in characteristic.descriptors {
            let id = descriptor.id
            var interface = ExportedInterface(BlueZInterface.descriptor)
            let flags = descriptor.blueZFlags
            interface.property("UUID", "s") { .string(descriptor.uuid.fullDescription) }
            interface.property("Characteristic", "o") { .objectPath(path) }
            interface.property("Flags", "as") { .strings(flags) }
            interface.method("ReadValue", in: "a{sv}", out: "ay", onCall { $0.accesses.read(id, $1, $0) })
            interface.method("WriteValue", in: "aya{sv}", onCall { $0.accesses.write(id, $1, $0) })
            try link.export([interface], at: "\(path)/desc\(id.rawValue)")
        }
    }
}

extension LocalService {
    /// The service without a wish where to stand.
    fileprivate var anywhere: LocalService {
        var service = self
        if handle != nil { service.handle = 0 }
        return service
    }
}
#endif
