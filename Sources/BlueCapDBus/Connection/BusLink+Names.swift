// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
/// Names one watch of a bus name.
package struct NameWatchID: Hashable, Sendable {
    let name: String
    let value: UInt64
}

struct WatchedName {
    var owner: String? {
        didSet { sender.owner = owner.map { Array($0.utf8) } }
    }
    let sender: SignalSender
    /// Set once the bus has reported the owner of the name: before that, a reported change concerns no watcher.
    var match: MatchID
    /// Why changes of the owner are not reported.
    var failure: DBusError?
    var handlers: [(id: UInt64, body: (NameOwnerChange) -> Void)]
}

extension BusLink {
    /// Follows the owner of a well-known name. `ready` gets the owner of now, nil without one; `handler` every later
    /// change, in order with the signals of the old and the new owner. `ready` fails when the bus refuses to report
    /// changes.
    ///
    /// Match rules added after this call come into force after the owner is known. Loop only.
    @discardableResult
    package func watchName(
        _ name: String, handler: @escaping (NameOwnerChange) -> Void,
        ready: @escaping (Result<String?, DBusError>) -> Void = { _ in }
    ) throws(DBusError) -> NameWatchID {
        loop.preconditionOnLoop()
        let rule = try MatchRule(
            sender: BusDaemon.name, interface: BusDaemon.interface, member: "NameOwnerChanged",
            path: BusDaemon.path,
            argument0: name)
        let id = NameWatchID(name: name, value: nextNameWatch)
        nextNameWatch += 1
        if names[name] == nil {
            let match = addMatch(rule) { [weak self] in
                if case .failure(let error) = $0 { self?.names[name]?.failure = error }
            }
            names[name] = WatchedName(sender: router.sender(named: name), match: match, handlers: [])
        }
        names[name]?.handlers.append((id.value, handler))
        callDaemon("GetNameOwner", [.string(name)]) { [weak self] result in
            ready(self?.takeOwner(of: name, result) ?? .failure(.disconnected))
        }
        return id
    }

    /// Ends a watch. Loop only.
    package func unwatchName(_ id: NameWatchID) {
        loop.preconditionOnLoop()
        guard var watched = names[id.name] else { return }
        watched.handlers.removeAll { $0.id == id.value }
        if watched.handlers.isEmpty {
            names[id.name] = nil
            watched.sender.owner = nil
            removeMatch(watched.match)
        } else {
            names[id.name] = watched
        }
    }

    /// The unique name behind a watched name, as far as known. Loop only.
    package func owner(of name: String) -> String? {
        loop.preconditionOnLoop()
        return names[name]?.owner
    }

    /// Asks the bus for a well-known name, without queueing for it: false when another connection owns it. Loop only.
    package func requestName(_ name: String, reply: @escaping (Result<Bool, DBusError>) -> Void) {
        // 4 = do not queue; 1 and 4 in the answer: owner now, owner already.
        callDaemon("RequestName", [.string(name), .uint32(4)]) { result in
            reply(
                result.map { message in
                    let code = (try? message.body(expecting: "u"))?.first?.uint32Value
                    return code == 1 || code == 4
                })
        }
    }

    /// Gives a name back. Loop only.
    package func releaseName(_ name: String, reply: @escaping (Result<Void, DBusError>) -> Void = { _ in }) {
        callDaemon("ReleaseName", [.string(name)]) { reply($0.map { _ in }) }
    }

    private func takeOwner(of name: String, _ result: Result<Message, DBusError>) -> Result<String?, DBusError> {
        if let failure = names[name]?.failure { return .failure(failure) }
        do throws(DBusError) {
            let owner = try result.get().body(expecting: "s").first?.stringValue
            names[name]?.owner = owner
            return .success(owner)
        } catch {
            if error.remoteName == ErrorName.nameHasNoOwner {
                names[name]?.owner = nil
                return .success(nil)
            }
            return .failure(error)
        }
    }

    private static let daemonPath = Array(BusDaemon.path.utf8)
    private static let daemonName = Array(BusDaemon.name.utf8)
    private static let nameOwnerChanged = Array("NameOwnerChanged".utf8)

    /// Whether a signal is the bus's that a name has another owner.
    func isNameOwnerChange(_ frame: Frame) -> Bool {
        frame.has(.path, Self.daemonPath) && frame.has(.sender, Self.daemonName)
            && frame.has(.member, Self.nameOwnerChanged)
    }

    /// Whether the signal was a change of a watched name.
    func takeNameOwnerChange(_ frame: Frame) throws(DBusError) -> Bool {
        let message = try Message(frame)
        guard let body = try? message.body(expecting: "sss"), let name = body[0].stringValue,
            let watched = names[name]
        else { return false }
        let change = NameOwnerChange(
            name: name, previous: body[1].stringValue.flatMap { $0.isEmpty ? nil : $0 },
            owner: body[2].stringValue.flatMap { $0.isEmpty ? nil : $0 })
        names[name]?.owner = change.owner
        for handler in watched.handlers {
            guard names[name]?.handlers.contains(where: { $0.id == handler.id }) == true else { continue }
            handler.body(change)
        }
        return true
    }
}
#endif
