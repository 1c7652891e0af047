// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapRuntime
import BlueCapSerDe
import BlueCapDBus

/// The peer's database on one link: read from the mirror once BlueZ says that it is complete, and followed from then
/// on.
// Loop only, like its link.
final class LinkDatabase {
    typealias Backend = BlueZCentralBackend

    /// The time after the last change of services until the change is reported, when BlueZ does not mark its end.
    private static let changeSettling = Duration.milliseconds(150)
    /// The same while services have only gone: BlueZ removes them first, and announces the new ones once it has read
    /// all of those from the peer.
    private static let removalSettling = Duration.seconds(1)
    /// Services that BlueZ uses itself and never shows: Generic Access and Generic Attribute.
    private static let claimed: Set<BluetoothUUID> = ["1800", "1801"]

    private unowned let link: BlueZLink
    /// Requests that wait for the services.
    private var waiting: [CentralRequest] = []
    /// Whether services were handed out: changes are news from then on.
    private var isResolved = false
    private var isRefreshing = false
    /// Whether everything that BlueZ resolved is in the mirror.
    private var isComplete = false
    private var changedServices: Set<AttributeID> = []
    /// Whether there are new services among them.
    private var hasNewServices = false
    private var changeTimer: ClockTimer?
    /// The calls that wait until the changes are reported.
    private var settled: [@Sendable (isolated Backend) -> Void] = []
    /// The objects of the attributes; nil until they are asked for, and after each change.
    private var paths: [AttributeID: String]?
    /// The prepared read calls of attributes that were read, until objects come or go.
    private var readCalls: [AttributeID: Message] = [:]
    /// Whether BlueZ was asked for the MTU of this link, and has answered.
    private enum Measurement { case due, underWay, done }
    private var measurement = Measurement.due
    /// The MTU of this link, once it is known.
    private var maximumTransmissionUnit: Int?

    init(_ link: BlueZLink) { self.link = link }

    /// The link begins. Resolved on a link that was up before: everything was announced long ago.
    func begin(_ backend: isolated Backend) { isComplete = isInMirror(backend) }

    func end(_ backend: isolated Backend) {
        changeTimer?.cancel()
        unlearn(backend)
    }

    private func mirrored(_ backend: isolated Backend) -> PeerDatabase { backend.database(link.path) }

    // MARK: Services

    func discoverServices(_ request: CentralRequest, _ uuids: [BluetoothUUID]?, _ backend: isolated Backend) {
        if isComplete, measurement == .done, changedServices.isEmpty {
            isResolved = true
            return backend.answer(request, services(uuids, backend))
        }
        waiting.append(request)
        if isComplete, changedServices.isEmpty {
            backend.later(on: link) { $1.database.answerOnceMeasured($0) }
        } else if isSaidResolved(backend) {
            backend.later(on: link) { $1.database.complete($0) }
        }
    }

    private func isSaidResolved(_ backend: isolated Backend) -> Bool {
        backend.facts(link.path)?.areServicesResolved == true
    }

    private func isInMirror(_ backend: isolated Backend) -> Bool {
        isSaidResolved(backend) && mirrored(backend).hasServices
    }

    func resolvedChanged(_ isResolved: Bool, _ backend: isolated Backend) {
        isComplete = false
        if isResolved { complete(backend) }
    }

    /// BlueZ has read the database. Mostly it has announced all of it by now. When it has not, or has failed to read
    /// anything, a look at all its objects shows that.
    private func complete(_ backend: isolated Backend) {
        guard backend.isCurrent(link), !isComplete, !isRefreshing, let session = backend.session else { return }
        if isInMirror(backend) {
            isComplete = true
            return answerOnceMeasured(backend)
        }
        isRefreshing = true
        session.refresh(done: backend.callback(on: link) { $1.database.refreshed($0) })
    }

    private func refreshed(_ backend: isolated Backend) {
        isRefreshing = false
        guard isSaidResolved(backend) else { return }
        isComplete = true
        answerOnceMeasured(backend)
    }

    /// Services are handed out with the MTU known, which says how much may be written.
    private func answerOnceMeasured(_ backend: isolated Backend) {
        guard link.isConnected else { return }
        switch measurement {
        case .done: answerWaiting(backend)
        case .underWay: break
        case .due:
            let isAsked = measure(backend) { backend, link, unit in
                if let unit { link.database.noteMaximumTransmissionUnit(unit, backend) }
                if link.database.isComplete { link.database.answerWaiting(backend) }
            }
            if !isAsked { answerWaiting(backend) }
        }
    }

    private func answerWaiting(_ backend: isolated Backend) {
        let requests = waiting
        waiting = []
        if !requests.isEmpty { isResolved = true }
        tellChanges(backend)
        for request in requests {
            guard case .discoverServices(_, let uuids) = request.operation else { continue }
            backend.finish(request, services(uuids, backend))
        }
    }

    private func services(
        _ uuids: [BluetoothUUID]?, _ backend: isolated Backend
    ) -> Result<CentralReply, OperationFailure> {
        let all = mirrored(backend).services
        if all.isEmpty, !(backend.facts(link.path)?.uuids.contains(where: Self.claimed.contains) ?? false) {
            return .failure(.backend(Self.noServices))
        }
        let primary = all.filter(\.isPrimary)
        guard let uuids else { return .success(.services(primary)) }
        let found = primary.filter { uuids.contains($0.uuid) }
        if found.isEmpty, !uuids.isEmpty, uuids.allSatisfy(Self.claimed.contains) {
            return .failure(.backend(Self.claimedServices))
        }
        return .success(.services(found))
    }

    private static let noServices = BackendFailure(
        name: BlueZError.failed, message: "BlueZ found no services",
        advice: "it may have failed to read them: disconnect and connect again", isTransient: true)

    private static let claimedServices = BackendFailure(
        name: BlueZError.notPermitted, message: "BlueZ keeps the services 1800 and 1801 to itself",
        advice: "the name and the appearance are in the peripheral's advertisements")

    // MARK: Contents of a service

    func discoverIncluded(
        _ request: CentralRequest, of service: AttributeID, _ uuids: [BluetoothUUID]?, _ backend: isolated Backend
    ) {
        let isBattery = service == Battery.serviceID
        let path = path(of: service, backend)
        guard let all = isBattery ? [] : path.flatMap(mirrored(backend).services(includedBy:)) else {
            return backend.failUnknown(request, service, on: link)
        }
        backend.answer(request, .success(.services(all.filter { uuids?.contains($0.uuid) ?? true })))
    }

    func discoverCharacteristics(
        _ request: CentralRequest, of service: AttributeID, _ uuids: [BluetoothUUID]?, _ backend: isolated Backend
    ) {
        let battery = service == Battery.serviceID ? [Battery.characteristic] : nil
        let path = path(of: service, backend)
        guard let all = battery ?? path.flatMap(mirrored(backend).characteristics(of:)) else {
            return backend.failUnknown(request, service, on: link)
        }
        backend.answer(request, .success(.characteristics(all.filter { uuids?.contains($0.uuid) ?? true })))
    }

    func discoverDescriptors(_ request: CentralRequest, of characteristic: AttributeID, _ backend: isolated Backend) {
        if characteristic == Battery.characteristicID {
            return backend.answer(request, .success(.descriptors([])))
        }
        guard let path = path(of: characteristic, backend) else {
            return backend.failUnknown(request, characteristic, on: link)
        }
        backend.answer(request, .success(.descriptors(mirrored(backend).descriptors(of: path))))
    }

    // MARK: Objects

    func path(of attribute: AttributeID, _ backend: isolated Backend) -> String? {
        if paths == nil { learn(backend) }
        return paths?[attribute]
    }

    /// The call that reads an attribute, which is the same each time; nil for one that is not there.
    func readCall(of attribute: AttributeID, _ backend: isolated Backend) -> Message? {
        if let known = readCalls[attribute] { return known }
        guard let session = backend.session, let path = path(of: attribute, backend),
            let interface = backend.valueInterface(path),
            // The daemon itself reads a long value in parts.
            let call = try? session.message(path, interface, "ReadValue", [.properties([:])])
        else { return nil }
        readCalls[attribute] = call
        return call
    }

    /// Registers this link with the backend under the objects of its attributes.
    func learn(_ backend: isolated Backend) {
        // A link that has ended must find nothing, and leave nothing behind.
        guard paths == nil, backend.isCurrent(link) else { return }
        let mirrored = mirrored(backend)
        let attributes = mirrored.attributes
        paths = Dictionary(attributes.map { ($0.id, $0.path) }) { $1 }
        backend.routes.add(
            attributes.compactMap { attribute in mirrored.tree.number(of: attribute.path).map { ($0, attribute.id) } },
            to: link)
    }

    /// The objects of attributes have changed, or the link is gone.
    private func unlearn(_ backend: isolated Backend) {
        guard paths != nil else { return }
        paths = nil
        readCalls = [:]
        backend.routes.remove(link)
    }

    /// An attribute's object has come, or is gone.
    func changed(_ change: TreeChange, _ backend: isolated Backend) {
        unlearn(backend)
        guard link.isConnected, change.interface == BlueZInterface.service, isResolved,
            let handle = BlueZPath.attribute(of: change.path)
        else { return }
        changedServices.insert(AttributeID(handle: handle))
        if case .removed = change {
            link.values.forget(below: change.path, backend)
        } else {
            hasNewServices = true
        }
        changeTimer?.cancel()
        let settling = hasNewServices ? Self.changeSettling : Self.removalSettling
        changeTimer = backend.after(settling, on: link) { backend, link in
            if link.database.isSaidResolved(backend) { link.database.answerWaiting(backend) }
        }
    }

    private func tellChanges(_ backend: isolated Backend) {
        changeTimer?.cancel()
        if changedServices.isEmpty { return }
        let changed = changedServices.sorted()
        changedServices = []
        hasNewServices = false
        backend.emit(.servicesChanged(link.id, invalidated: changed))
        let bodies = settled
        settled = []
        for body in bodies { body(backend) }
    }

    /// Calls a function once the changes are reported, by which the manager ends requests for services that are gone;
    /// at once where there are none. Functions that wait when the link ends are dropped: its end answers all requests.
    func whenSettled(_ backend: isolated Backend, _ body: @escaping @Sendable (isolated Backend) -> Void) {
        if changedServices.isEmpty { body(backend) } else { settled.append(body) }
    }

    // MARK: MTU

    /// The link stands, with an MTU that is known already or has yet to be asked for.
    func connected(maximumTransmissionUnit unit: Int?) {
        maximumTransmissionUnit = unit
        measurement = unit == nil ? .due : .done
    }

    /// How many transactions of ATT an operation takes at most.
    func transactionCount(of operation: CentralOperation) -> Int {
        let unit = max(maximumTransmissionUnit ?? 0, 23)
        switch operation {
        // As many as the longest value there is takes.
        case .read: return 1 + 511 / (unit - 1)
        // Parts and their execution, where one request cannot hold the value.
        case .write(_, _, let value, _) where value.count > unit - 3: return 2 + (value.count - 1) / (unit - 5)
        default: return 1
        }
    }

    /// Asks BlueZ for the MTU of this link. BlueZ signals only the MTU of the link in which it made the objects
    /// (`characteristic_create` in `src/gatt-client.c`), so the mirror's MTU may be another link's.
    ///
    /// - Parameter body: Takes the MTU; nil where BlueZ has none, as before 5.62 and where the link is not LE.
    /// - Returns: Whether there is a characteristic that can be asked for it.
    func measure(
        _ backend: isolated Backend, _ body: @escaping @Sendable (isolated Backend, BlueZLink, Int?) -> Void
    ) -> Bool {
        guard let path = mirrored(backend).firstCharacteristic else { return false }
        measurement = .underWay
        let property = [BlueZInterface.characteristic, GattCharacteristic1.maximumTransmissionUnit.name]
        backend.call(path, StandardInterface.properties, "Get", property.map(DBusValue.string), on: link) {
            backend, link, result in
            link.database.measurement = .done
            let value = (try? result.get().body())?.first
            body(backend, link, GattCharacteristic1.maximumTransmissionUnit(value).map(Int.init))
        }
        return true
    }

    /// Reports the MTU if it has changed; not from inside a command.
    func noteMaximumTransmissionUnit(_ value: Int, _ backend: isolated Backend) {
        guard value >= 23, value != maximumTransmissionUnit else { return }
        maximumTransmissionUnit = value
        backend.emit(.maximumTransmissionUnitChanged(link.id, value))
    }
}
#endif
