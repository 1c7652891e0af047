// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapDBus
import BlueCapRuntime

/// A first reading of the daemon's objects that is under way.
struct ObjectReading {
    let number: UInt64
    /// The signals that came during the reading, in order; they are applied to its result.
    var signals: [Message] = []
    var patience: ClockTimer?
}

// The mirror of the daemon's objects: read once, then kept by signals.
extension BlueZSession {
    /// How many signals are kept during a reading. A daemon that sends more before it answers is asked again.
    private static let maximumSignals = 65_536

    /// Reads all objects of a new daemon, however often it takes.
    func load() {
        lastReading += 1
        let number = lastReading
        reading = ObjectReading(number: number)
        reading?.patience = after(DaemonConnection.answerTime) { [weak self] in
            self?.loadFailed(number, .unanswered(Self.getObjects, by: "bluetoothd"))
        }
        readObjects { [weak self] result in
            guard let self, reading?.number == number else { return }
            switch result {
            case .success(let objects): loaded(objects)
            case .failure(let error):
                loadFailed(number, .unreadObjects(error), isRefusal: BlueZFailure.isRefusal(error))
            }
        }
    }

    private func loaded(_ objects: [ObjectSelection.Object]) {
        let signals = reading?.signals ?? []
        endReading()
        daemon.succeeded()
        tree = ObjectMirror(objects)
        discoveries.daemonCame(with: tree)
        // The mirror is not used before it is complete, so no observer receives the changes.
        for signal in signals { apply(signal, isTold: false) }
        pairing.register()
        become(.ready)
    }

    private func loadFailed(_ number: UInt64, _ failure: BackendFailure, isRefusal: Bool = false) {
        guard reading?.number == number else { return }
        endReading()
        become(.refused(failure, isRefusal: isRefusal))
        let generation = generation
        daemon.retry(self) { if $0.generation == generation { $0.load() } }
    }

    func endReading() {
        reading?.patience?.cancel()
        reading = nil
    }

    /// Reads all objects again and reports the differences as changes; `done` follows them.
    ///
    /// Cures the races in which the daemon says that services are there before it has announced them.
    package func refresh(done: @escaping () -> Void) {
        loop.checkIsolated()
        guard status == .ready else { return loop.runLater(done) }
        readObjects { [weak self] result in
            guard let self else { return }
            if case .success(let objects) = result {
                let objects = Dictionary(objects.map { ($0.path, Self.interfaces(of: $0)) }) { $1 }
                changed(tree.replace(with: objects), isTold: true)
            }
            done()
        }
    }

    private static let getObjects = "GetManagedObjects"
    private static let mirrored = ObjectSelection(BlueZInterface.mirrored)
    private static let told = ObjectSelection(BlueZInterface.told)

    /// Calls back only if the bus and the daemon are still the same.
    private func readObjects(
        _ done: @escaping (Result<[ObjectSelection.Object], DBusError>) -> Void
    ) {
        let generation = generation
        call("/", StandardInterface.objectManager, Self.getObjects) { [weak self] result in
            guard let self, isAnswer(result, in: generation) else { return }
            do throws(DBusError) {
                done(.success(try Self.mirrored.objects(in: try result.get())))
            } catch {
                done(.failure(error))
            }
        }
    }

    private static func interfaces(of object: ObjectSelection.Object) -> ObjectMirror.Interfaces {
        Dictionary(object.interfaces.map { ($0.name, $0.properties) }) { $1 }
    }

    // MARK: Signals

    func receive(_ signal: Message) {
        guard let count = reading?.signals.count, let number = reading?.number else {
            // Between two readings there is no mirror to apply a change to.
            if status == .ready { apply(signal, isTold: true) }
            return
        }
        if count < Self.maximumSignals {
            reading?.signals.append(signal)
        } else {
            loadFailed(number, .tooManySignals)
        }
    }

    /// Takes note of changes that the mirror holds already, and reports them.
    private func changed(_ changes: [TreeChange], isTold: Bool) {
        for change in changes {
            discoveries.note(change)
            if isTold { tell(.tree(change)) }
        }
    }

    private func apply(_ signal: Message, isTold: Bool) {
        guard let path = signal.path else { return metrics.malformedSignals += 1 }
        switch (signal.member, signal.signature) {
        case ("PropertiesChanged", "sa{sv}as"):
            guard let change = PropertiesChanged.of(signal) else { return metrics.malformedSignals += 1 }
            guard let (interface, set) = Self.told.properties(in: change) else { return }
            guard let change = tree.change(path, interface, set: set, invalidated: change.invalidated) else {
                return metrics.unclaimedChanges += 1
            }
            changed([change], isTold: isTold)
        case ("InterfacesAdded", "oa{sa{sv}}"):
            guard let object = try? Self.mirrored.object(addedBy: signal) else { return metrics.malformedSignals += 1 }
            changed(tree.add(object.path, Self.interfaces(of: object)), isTold: isTold)
        case ("InterfacesRemoved", "oas"):
            guard let body = try? signal.body(), let object = body[0].objectPathValue, let names = body[1].stringsValue
            else {
                return metrics.malformedSignals += 1
            }
            changed(tree.remove(object, names), isTold: isTold)
        case ("Disconnected", "ss"):
            guard isTold, let body = try? signal.body(), let name = body[0].stringValue,
                let text = body[1].stringValue
            else { return }
            tell(.disconnectReason(path: path, name: name, text: text))
        default: metrics.malformedSignals += 1
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
