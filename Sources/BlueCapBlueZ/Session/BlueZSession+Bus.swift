#if BlueZ && os(Linux)
import BlueCapCore
import DBus

// The connection to the bus and the life of the daemon behind it.
extension BlueZSession {
    static let name = "org.bluez"

    func open() {
        BusLink.open(address, on: loop) { [weak self] result in
            guard let self else {
                if case .success(let link) = result { link.close() }
                return
            }
            switch result {
            case .success(let link): attach(link)
            case .failure(let error): openFailed(error)
            }
        }
    }

    private func openFailed(_ error: DBusError) {
        become(.unreachable(BlueZFailure.failure(error), isRefusal: BlueZFailure.isRefusal(error)))
        if case .unavailable = error { return }
        retry()
    }

    /// Tries the bus again, later each time: 0.25 s doubled up to 30 s.
    private func retry() {
        let delay = Duration.milliseconds(250 * (1 << min(failures, 7)))
        failures += 1
        after(min(delay, .seconds(30))) { [weak self] in self?.open() }
    }

    private func attach(_ link: BusLink) {
        self.link = link
        failures = 0
        link.onDisconnect { [weak self] in self?.busLost() }
        do throws(DBusError) {
            try link.watchName(
                Self.name, handler: { [weak self] in self?.ownerChanged(to: $0.owner) },
                ready: { [weak self] in self?.ownerKnown($0) })
            try addRules(to: link)
        } catch {
            become(.refused(BlueZFailure.failure(error), isRefusal: false))
        }
    }

    /// Four rules in all; signals are told apart by path on this side.
    private func addRules(to link: BusLink) throws(DBusError) {
        let properties = "org.freedesktop.DBus.Properties"
        let manager = "org.freedesktop.DBus.ObjectManager"
        let rules = [
            try MatchRule(sender: Self.name, interface: manager, path: "/"),
            try MatchRule(
                sender: Self.name, interface: properties, member: "PropertiesChanged",
                pathNamespace: BlueZPath.root),
            try MatchRule(
                sender: Self.name, interface: BlueZInterface.device, member: "Disconnected",
                pathNamespace: BlueZPath.root),
        ]
        for rule in rules {
            link.addMatch(rule) { [weak self] in
                guard case .failure(let error) = $0, let self, self.link === link else { return }
                become(.refused(BlueZFailure.failure(error), isRefusal: BlueZFailure.isRefusal(error)))
            }
        }
        link.onSignal(.path("/"), sender: Self.name, interface: manager) { [weak self] in self?.receive($0) }
        link.onSignal(.namespace(BlueZPath.root), sender: Self.name, interface: properties) { [weak self] in
            self?.receive($0)
        }
        link.onSignal(.namespace(BlueZPath.root), sender: Self.name, interface: BlueZInterface.device) {
            [weak self] in self?.receive($0)
        }
    }

    private func busLost(_ message: String = "the connection to the message bus was lost") {
        link = nil
        forgetDaemon()
        let failure = BackendFailure(
            name: "org.freedesktop.DBus.Error.Disconnected", message: message, isTransient: true)
        become(.unreachable(failure, isRefusal: false))
        retry()
    }

    /// How long bluetoothd may take for its slowest answer: 40 s for `Connect`.
    private static let patience = Duration.seconds(60)

    /// bluetoothd never answers some calls, as a read on a link whose pairing failed, and each of these takes a place among
    /// the calls that the bus allows for as long as the connection lives. When they have all of them, only a new one helps.
    func watchForStall(_ link: BusLink) {
        guard link.isSaturated, !isWatchingForStall else { return }
        isWatchingForStall = true
        let answered = link.metrics.answered
        after(Self.patience) { [weak self] in
            guard let self else { return }
            isWatchingForStall = false
            guard self.link === link, link.isSaturated else { return }
            let metrics = link.metrics
            if metrics.answered != answered { return watchForStall(link) }
            link.close()
            busLost("bluetoothd has answered none of \(metrics.inFlight) calls for a minute")
        }
    }

    private func ownerKnown(_ result: Result<String?, DBusError>) {
        switch result {
        case .success(let owner): ownerChanged(to: owner)
        case .failure(.disconnected): break
        case .failure(let error):
            become(.refused(BlueZFailure.failure(error), isRefusal: BlueZFailure.isRefusal(error)))
        }
    }

    private func ownerChanged(to owner: String?) {
        if owner != nil, owner == self.owner { return }
        if self.owner != nil { forgetDaemon() }
        self.owner = owner
        guard owner != nil else { return become(.withoutDaemon) }
        // An exchange without a gap is a restart too: observers see the old daemon's end first.
        if status == .ready { become(.withoutDaemon) }
        become(.loading)
        load()
    }

    private func forgetDaemon() {
        generation += 1
        owner = nil
        queued = nil
        tree = ObjectTree()
        for discovery in discoveries.values { discovery.reset() }
        discoveries = [:]
        notifiers = [:]
        pairing.reset()
    }

    // MARK: The objects

    private func load() {
        queued = []
        readObjects { [weak self] result in
            guard let self else { return }
            let signals = queued ?? []
            queued = nil
            switch result {
            case .success(let objects):
                _ = tree.replace(with: objects)
                // Nobody looks at the mirror before it is complete, so the changes are told to nobody.
                for signal in signals { apply(signal, isTold: false) }
                pairing.register()
                become(.ready)
            case .failure(let error):
                become(.refused(BlueZFailure.failure(error), isRefusal: BlueZFailure.isRefusal(error)))
            }
        }
    }

    /// Reads all objects again and tells the differences as changes; `done` follows them.
    ///
    /// Cures the races in which the daemon says that services are there before it has announced them.
    package func refresh(done: @escaping () -> Void) {
        guard status == .ready else { return loop.runLater(done) }
        readObjects { [weak self] result in
            guard let self else { return }
            if case .success(let objects) = result {
                for change in tree.replace(with: objects) { tell(.tree(change)) }
            }
            done()
        }
    }

    /// Calls back only if the daemon is still the same.
    private func readObjects(
        _ done: @escaping (Result<[String: ObjectTree.Interfaces], DBusError>) -> Void
    ) {
        let generation = generation
        call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects") { [weak self] result in
            guard let self, self.generation == generation else { return }
            do throws(DBusError) {
                done(.success(try Self.objects(in: try result.get())))
            } catch {
                done(.failure(error))
            }
        }
    }

    private static func objects(in reply: Message) throws(DBusError) -> [String: ObjectTree.Interfaces] {
        var objects: [String: ObjectTree.Interfaces] = [:]
        for entry in try reply.body(expecting: "a{oa{sa{sv}}}").first?.entriesValue ?? [] {
            guard let path = entry.key.objectPathValue else { continue }
            objects[path] = interfaces(in: entry.value)
        }
        return objects
    }

    private static func interfaces(in value: DBusValue) -> ObjectTree.Interfaces {
        var interfaces: ObjectTree.Interfaces = [:]
        for entry in value.entriesValue ?? [] {
            guard let name = entry.key.stringValue, let properties = entry.value.propertiesValue else { continue }
            interfaces[name] = properties
        }
        return interfaces
    }

    // MARK: Signals

    private func receive(_ signal: Message) {
        if queued != nil {
            queued?.append(signal)
        } else {
            apply(signal, isTold: true)
        }
    }

    private func apply(_ signal: Message, isTold: Bool) {
        guard let path = signal.path, let body = try? signal.body() else { return metrics.malformedSignals += 1 }
        switch (signal.member, signal.signature) {
        case ("PropertiesChanged", "sa{sv}as"):
            guard let interface = body[0].stringValue, let set = body[1].propertiesValue,
                let invalidated = body[2].stringsValue
            else { return metrics.malformedSignals += 1 }
            guard BlueZInterface.mirrored.contains(interface) else { return }
            guard let change = tree.change(path, interface, set: set, invalidated: invalidated) else {
                return metrics.unclaimedChanges += 1
            }
            if isTold { tell(.tree(change)) }
        case ("InterfacesAdded", "oa{sa{sv}}"):
            guard let object = body[0].objectPathValue else { return metrics.malformedSignals += 1 }
            tell(tree.add(object, Self.interfaces(in: body[1])), if: isTold)
        case ("InterfacesRemoved", "oas"):
            guard let object = body[0].objectPathValue, let names = body[1].stringsValue else {
                return metrics.malformedSignals += 1
            }
            tell(tree.remove(object, names), if: isTold)
        case ("Disconnected", "ss"):
            guard isTold, let name = body[0].stringValue, let text = body[1].stringValue else { return }
            tell(.disconnectReason(path: path, name: name, text: text))
        default: metrics.malformedSignals += 1
        }
    }

    private func tell(_ changes: [TreeChange], if isTold: Bool) {
        guard isTold else { return }
        for change in changes { tell(.tree(change)) }
    }
}
#endif
