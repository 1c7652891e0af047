// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import BlueCapDBus

/// The services, in applications: one each, so that they come and go one by one. Loop only.
final class Applications {
    typealias Backend = BlueZPeripheralBackend

    private var applications: [Application] = []
    private var last = 0

    func add(_ service: LocalService, _ request: RequestID, _ backend: isolated Backend) {
        // BlueZ knows included services only within one application, so theirs are registered again together with this.
        let old = applications.filter { application in
            application.services.contains { service.includedServices.contains($0.id) }
        }
        let kept = Self.services(of: old)
        guard Set(kept.map(\.id)).isSuperset(of: service.includedServices) else {
            let failure = BackendFailure(
                name: BlueZError.invalidArguments, message: "an included service was not added before")
            return backend.reply(request, .failure(.backend(failure)))
        }
        register(kept + [service], inPlaceOf: old, request, backend)
    }

    func remove(_ service: AttributeID, _ request: RequestID, _ backend: isolated Backend) {
        let old = applications.filter { $0.services.contains { $0.id == service } }
        guard !old.isEmpty else {
            let failure = BackendFailure(name: BlueZError.doesNotExist, message: "there is no such service")
            return backend.reply(request, .failure(.backend(failure)))
        }
        // The manager removes a service that others include only when it has no use for those either.
        let isGone = { (other: LocalService) in other.id == service || other.includedServices.contains(service) }
        let whole = old.filter { $0.services.allSatisfy(isGone) }
        guard whole.count < old.count else { return takeBack(whole, backend) { $0.emit(.reply(request, $1)) } }
        for application in old where !application.services.allSatisfy(isGone) {
            withdraw(application.services.filter(isGone), from: application, backend)
        }
        takeBack(whole, backend) { backend, result in
            backend.onceHeard { backend, answer in
                guard case .failure(let error) = answer else { return backend.emit(.reply(request, result)) }
                backend.emit(.reply(request, .failure(BlueZFailure.registering(error))))
            }
        }
    }

    /// Takes services out of an application, whose others stay as they are. The end of their objects informs the
    /// daemon. To register the others again would move them, and report two removals at once to centrals, of which
    /// bluetoothd as a central misses one now and then.
    private func withdraw(_ services: [LocalService], from application: Application, _ backend: isolated Backend) {
        for service in services.reversed() {
            for path in application.paths(service) { backend.session?.link?.unexport(at: path) }
            for characteristic in service.characteristics { backend.notifiers.remove(characteristic.id, backend) }
        }
        guard let index = applications.firstIndex(where: { $0.root == application.root }) else { return }
        applications[index].services.removeAll { services.map(\.id).contains($0.id) }
    }

    /// Registers services, some of which stand in other applications; answers the request. Those applications go once
    /// the daemon has taken the new one, so that a refusal leaves everything as it is.
    private func register(
        _ services: [LocalService], inPlaceOf old: [Application], _ request: RequestID, _ backend: isolated Backend
    ) {
        register(services, backend) { backend, result in
            guard case .success = result else { return backend.emit(.reply(request, result)) }
            // The services are there; an old place that the daemon holds on to answers no central any more.
            backend.applications.takeBack(old, backend) { backend, _ in backend.emit(.reply(request, result)) }
        }
    }

    /// The services of several applications, each once, behind those that it includes.
    private static func services(of applications: [Application]) -> [LocalService] {
        var seen: Set<AttributeID> = []
        return applications.flatMap(\.services).filter { seen.insert($0.id).inserted }
    }

    /// Unregisters applications, one after the other, and calls `then` when the daemon has answered for all of them.
    private func takeBack(
        _ old: [Application], refusal: OperationFailure? = nil, _ backend: isolated Backend,
        then: @escaping @Sendable (isolated Backend, Result<Void, OperationFailure>) -> Void
    ) {
        let next = old.first { old in applications.contains { $0.root == old.root } }
        guard let application = next else { return then(backend, refusal.map { .failure($0) } ?? .success(())) }
        backend.registrar.giveUp(application.root, backend)
        unregister(application, backend) { backend, result in
            var refusal = refusal
            switch result {
            case .success, .failure(.remote(BlueZError.doesNotExist, _)): break
            case .failure(let error): refusal = refusal ?? BlueZFailure.registering(error)
            }
            backend.applications.takeBack(old, refusal: refusal, backend, then: then)
        }
        drop(application, backend)
        for service in application.services {
            for characteristic in service.characteristics { backend.notifiers.remove(characteristic.id, backend) }
        }
    }

    /// Exports services and registers them. The daemon reads the objects before it answers.
    private func register(
        _ services: [LocalService], _ backend: isolated Backend,
        then: @escaping @Sendable (isolated Backend, Result<Void, OperationFailure>) -> Void
    ) {
        guard let link = backend.session?.link else { return backend.later { then($0, .failure(.poweredOff)) } }
        last += 1
        let application = Application(root: "\(backend.rootPath)/app\(last)", services: services)
        do throws(DBusError) {
            for service in services { try export(service, of: application, on: link, backend) }
            try link.exportObjectManager(at: application.root)
        } catch {
            drop(application, backend)
            let failure = OperationFailure.backend(BlueZFailure.failure(error))
            return backend.later { then($0, .failure(failure)) }
        }
        applications.append(application)
        let manager = BlueZInterface.gattManager
        backend.registrar.register(application.root, with: manager, "RegisterApplication", backend) { backend, result in
            switch result {
            case .success: then(backend, .success(()))
            case .failure(let error):
                backend.applications.drop(application, backend)
                // Another program's service may stand there by now.
                if error != .cancelled, services.contains(where: { $0.handle ?? 0 != 0 }) {
                    return backend.applications.register(services.map(\.anywhere), backend, then: then)
                }
                then(backend, .failure(BlueZFailure.registering(error)))
            }
        }
    }

    private func unregister(
        _ application: Application, _ backend: isolated Backend,
        reply: @escaping @Sendable (isolated Backend, Result<Message, DBusError>) -> Void = { _, _ in }
    ) {
        let path = DBusValue.objectPath(application.root)
        backend.call(BlueZInterface.gattManager, "UnregisterApplication", [path], reply: reply)
    }

    private func drop(_ application: Application, _ backend: isolated Backend) {
        applications.removeAll { $0.root == application.root }
        guard let link = backend.session?.link else { return }
        link.unexportObjectManager(at: application.root)
        for path in application.paths { link.unexport(at: path) }
    }

    /// Asks the daemon to remove all of them.
    func unregister(_ backend: isolated Backend) {
        for application in applications { unregister(application, backend) }
    }

    /// Takes all of them off the bus.
    func forget(_ backend: isolated Backend) { for application in applications { drop(application, backend) } }

    /// The security level that the daemon wants of a link for a read or a write; nil for an attribute that is gone.
    func level(of id: AttributeID, isRead: Bool) -> SecurityLevel? {
        let permissions = characteristic(id)?.permissions ?? descriptor(id)?.permissions
        return isRead ? permissions?.readLevel : permissions?.writeLevel
    }

    /// The level that it wants for a subscription.
    func subscriptionLevel(of id: AttributeID) -> SecurityLevel? {
        guard let local = characteristic(id) else { return nil }
        let secured: CharacteristicProperties = [.notifyEncryptionRequired, .indicateEncryptionRequired]
        return local.permissions.subscriptionLevel(isEncrypted: !local.properties.isDisjoint(with: secured))
    }

    private func descriptor(_ id: AttributeID) -> LocalDescriptor? {
        applications.lazy.flatMap(\.services).flatMap(\.characteristics).flatMap(\.descriptors).first { $0.id == id }
    }

    func characteristic(_ id: AttributeID) -> LocalCharacteristic? {
        for application in applications {
            for service in application.services {
                if let found = service.characteristics.first(where: { $0.id == id }) { return found }
            }
        }
        return nil
    }

    /// The daemon reports the handle of a service.
    private func place(_ service: AttributeID, _ call: MethodCall, _ backend: isolated Backend) {
        guard call.arguments.count == 3, case .variant(.uint16(let handle)) = call.arguments[2] else {
            return call.fail(ErrorName.invalidArgs, "a handle is of type q")
        }
        call.reply()
        backend.emit(.servicePlaced(service, handle: handle))
    }

    // MARK: Objects

    private func export(
        _ service: LocalService, of application: Application, on link: BusLink, _ backend: isolated Backend
    ) throws(DBusError) {
        let path = application.path(service)
        var interface = ExportedInterface(BlueZInterface.service)
        interface.property("UUID", "s") { .string(service.uuid.fullDescription) }
        interface.property("Primary", "b") { .bool(service.isPrimary) }
        let included = application.services.filter { service.includedServices.contains($0.id) }.map(application.path)
        if let handle = service.handle {
            // The daemon sets it where it is 0, and puts the service there where it is not.
            let placed = backend.onCall { $0.applications.place(service.id, $1, $0) }
            interface.property("Handle", "q", get: { .uint16(handle) }, set: { placed($1) })
        }
        interface.property("Includes", "ao") { .objectPaths(included) }
        try link.export([interface], at: path)
        for characteristic in service.characteristics {
            try export(
                characteristic, at: application.path(characteristic, in: service), service: path, on: link, backend)
        }
    }

    private func export(
        _ characteristic: LocalCharacteristic, at path: String, service: String, on link: BusLink,
        _ backend: isolated Backend
    ) throws(DBusError) {
        let id = characteristic.id
        let flags = characteristic.blueZFlags
        var interface = ExportedInterface(BlueZInterface.characteristic)
        interface.property("UUID", "s") { .string(characteristic.uuid.fullDescription) }
        interface.property("Service", "o") { .objectPath(service) }
        interface.property("Flags", "as") { .strings(flags) }
        interface.method("ReadValue", in: "a{sv}", out: "ay", backend.onCall { $0.accesses.read(id, $1, $0) })
        interface.method("WriteValue", in: "aya{sv}", backend.onCall { $0.accesses.write(id, $1, $0) })
        if characteristic.canNotify {
            interface.method("StartNotify", backend.onCall { $0.notifiers.startNotify(id, path, $1, $0) })
            interface.method("StopNotify", backend.onCall { $0.notifiers.stopNotify(id, $1, $0) })
            interface.method("Confirm", backend.onCall { $0.notifiers.confirmed(id, $1, $0) })
            if characteristic.offersNotifySocket {
                interface.property("NotifyAcquired", "b") { .bool(false) }
                interface.method(
                    "AcquireNotify", in: "a{sv}", out: "hq",
                    backend.onCall { $0.notifiers.acquireNotify(id, path, $1, $0) })
            }
        }
        if characteristic.offersWriteSocket {
            interface.property("WriteAcquired", "b") { .bool(false) }
            interface.method(
                "AcquireWrite", in: "a{sv}", out: "hq", backend.onCall { $0.accesses.acquireWrite(id, $1, $0) })
        }
        try link.export([interface], at: path)
        for descriptor in characteristic.descriptors {
            let id = descriptor.id
            var interface = ExportedInterface(BlueZInterface.descriptor)
            let flags = descriptor.blueZFlags
            interface.property("UUID", "s") { .string(descriptor.uuid.fullDescription) }
            interface.property("Characteristic", "o") { .objectPath(path) }
            interface.property("Flags", "as") { .strings(flags) }
            interface.method("ReadValue", in: "a{sv}", out: "ay", backend.onCall { $0.accesses.read(id, $1, $0) })
            interface.method("WriteValue", in: "aya{sv}", backend.onCall { $0.accesses.write(id, $1, $0) })
            try link.export([interface], at: "\(path)/desc\(id.rawValue)")
        }
    }
}

/// One application of `GattManager1`: an object manager and the services below it.
struct Application {
    /// The path of its object manager.
    let root: String
    /// Its services, each behind those that it includes.
    var services: [LocalService]

    func path(_ service: LocalService) -> String { "\(root)/service\(service.id.rawValue)" }

    func path(_ characteristic: LocalCharacteristic, in service: LocalService) -> String {
        "\(path(service))/char\(characteristic.id.rawValue)"
    }

    var paths: [String] { services.flatMap(paths) }

    /// The paths of a service's objects, descriptors first and the service last.
    func paths(_ service: LocalService) -> [String] {
        service.characteristics.flatMap { characteristic in
            let path = path(characteristic, in: service)
            return characteristic.descriptors.map { "\(path)/desc\($0.id.rawValue)" } + [path]
        } + [path(service)]
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
