// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus
import BlueCapRuntime

/// Fills a session's mirror of the daemon's objects: reads them once, then keeps the mirror by signals. Loop only.
final class ObjectReader {
    /// A first reading that is under way.
    private struct Reading {
        let number: UInt64
        /// The signals that came during the reading, in order; they are applied to its result.
        var signals: [Message] = []
        var patience: ClockTimer?
    }

    /// How many signals are kept during a reading. A daemon that sends more before it answers is asked again.
    private static let maximumSignals = 65_536

    /// Nil when the objects are read, and between two attempts.
    private var reading: Reading?
    private var last: UInt64 = 0

    /// Reads all objects of a new daemon, however often it takes.
    func load(into session: BlueZSession) {
        last += 1
        let number = last
        let patience = session.after(DaemonConnection.answerTime) { [weak session] in
            session.map { $0.objects.failed(number, .unanswered(Self.getObjects, by: "bluetoothd"), $0) }
        }
        reading = Reading(number: number, patience: patience)
        Self.read(session) { session, result in
            let reader = session.objects
            guard reader.reading?.number == number else { return }
            switch result {
            case .success(let objects): reader.loaded(objects, session)
            case .failure(let error):
                reader.failed(number, .unreadObjects(error), isRefusal: BlueZFailure.isRefusal(error), session)
            }
        }
    }

    private func loaded(_ objects: [ObjectSelection.Object], _ session: BlueZSession) {
        let signals = reading?.signals ?? []
        end()
        session.daemon.succeeded()
        session.tree = ObjectMirror(objects)
        session.discoveries.daemonCame(with: session.tree)
        // The mirror is not used before it is complete, so no observer receives the changes.
        for signal in signals { apply(signal, isTold: false, session) }
        session.pairing.register()
        session.become(.ready)
    }

    private func failed(_ number: UInt64, _ failure: BackendFailure, isRefusal: Bool = false, _ session: BlueZSession) {
        guard reading?.number == number else { return }
        end()
        session.become(.refused(failure, isRefusal: isRefusal))
        let generation = session.generation
        session.daemon.retry(session) { if $0.generation == generation { $0.objects.load(into: $0) } }
    }

    /// Gives a reading up.
    func end() {
        reading?.patience?.cancel()
        reading = nil
    }

    /// Reads all objects again and reports the differences as changes; `done` follows them.
    func refresh(_ session: BlueZSession, done: @escaping () -> Void) {
        Self.read(session) { session, result in
            if case .success(let objects) = result {
                let objects = Dictionary(objects.map { ($0.path, Self.interfaces(of: $0)) }) { $1 }
                session.objects.changed(session.tree.replace(with: objects), isTold: true, session)
            }
            done()
        }
    }

    private static let getObjects = "GetManagedObjects"
    private static let mirrored = ObjectSelection(BlueZInterface.mirrored)
    private static let told = ObjectSelection(BlueZInterface.told)

    /// Calls back only if the bus and the daemon are still the same.
    private static func read(
        _ session: BlueZSession,
        _ done: @escaping (BlueZSession, Result<[ObjectSelection.Object], DBusError>) -> Void
    ) {
        let generation = session.generation
        session.call("/", StandardInterface.objectManager, getObjects) { [weak session] result in
            guard let session, session.isAnswer(result, in: generation) else { return }
            do throws(DBusError) {
                done(session, .success(try mirrored.objects(in: try result.get())))
            } catch {
                done(session, .failure(error))
            }
        }
    }

    private static func interfaces(of object: ObjectSelection.Object) -> ObjectMirror.Interfaces {
        Dictionary(object.interfaces.map { ($0.name, $0.properties) }) { $1 }
    }

    // MARK: Signals

    /// A signal that may change the objects.
    func receive(_ signal: Message, _ session: BlueZSession) {
        guard let count = reading?.signals.count, let number = reading?.number else {
            // Between two readings there is no mirror to apply a change to.
            if session.status == .ready { apply(signal, isTold: true, session) }
            return
        }
        if count < Self.maximumSignals {
            reading?.signals.append(signal)
        } else {
            failed(number, .tooManySignals, session)
        }
    }

    /// Takes note of changes that the mirror holds already, and reports them.
    private func changed(_ changes: [TreeChange], isTold: Bool, _ session: BlueZSession) {
        for change in changes {
            session.discoveries.treeChanged(change)
            if isTold { session.notify(.tree(change)) }
        }
    }

    /// Changes the mirror. A signal of another shape, or about an object that was not announced, changes nothing.
    private func apply(_ signal: Message, isTold: Bool, _ session: BlueZSession) {
        guard let path = signal.path else { return }
        switch (signal.member, signal.signature) {
        case ("PropertiesChanged", "sa{sv}as"):
            guard let change = PropertiesChanged.of(signal),
                let (interface, set) = Self.told.properties(in: change),
                let change = session.tree.change(path, interface, set: set, invalidated: change.invalidated)
            else { return }
            changed([change], isTold: isTold, session)
        case ("InterfacesAdded", "oa{sa{sv}}"):
            guard let object = try? Self.mirrored.object(addedBy: signal) else { return }
            changed(session.tree.add(object.path, Self.interfaces(of: object)), isTold: isTold, session)
        case ("InterfacesRemoved", "oas"):
            guard let body = try? signal.body(), let object = body[0].objectPathValue, let names = body[1].stringsValue
            else { return }
            changed(session.tree.remove(object, names), isTold: isTold, session)
        case ("Disconnected", "ss"):
            guard isTold, let body = try? signal.body(), let name = body[0].stringValue,
                let text = body[1].stringValue
            else { return }
            session.notify(.disconnectReason(path: path, name: name, text: text))
        default: break
        }
    }
}

extension BackendFailure {
    /// A call that everything else waits for was not answered.
    static func unanswered(_ member: String, by callee: String) -> BackendFailure {
        BackendFailure(
            name: ErrorName.noReply, message: "\(callee) has not answered \(member) for 25 s",
            advice: "it is asked again; if that does not help, restart it", isTransient: true)
    }

    /// The daemon refused to list its objects, or the list cannot be read.
    static func unreadObjects(_ error: DBusError) -> BackendFailure {
        let failure = BlueZFailure.failure(error)
        return BackendFailure(
            name: failure.name, message: "bluetoothd's answer to GetManagedObjects is of no use: \(failure.message)",
            advice: failure.advice ?? "it is asked again; if that does not help, restart bluetoothd",
            isTransient: true)
    }

    /// The daemon sends signals instead of an answer.
    static var tooManySignals: BackendFailure {
        BackendFailure(
            name: ErrorName.limitsExceeded, message: "bluetoothd sends more signals than are kept while it is read",
            isTransient: true)
    }
}
#endif
