// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapLoop

/// Names one watch of a bus name.
package struct NameWatchID: Hashable, Sendable {
    let name: String
    let value: UInt64
}

/// The bus names of one connection whose owners are followed, each with the handlers of its changes. Loop only.
final class NameWatches {
    private struct Watch {
        var owner: String? { didSet { sender.owner = owner.map { Array($0.utf8) } } }
        let sender: SignalSender
        let match: MatchID
        /// The reason why the bus does not report changes of the owner.
        var failure: DBusError?
        var handlers: [(id: UInt64, body: (NameOwnerChange) -> Void)] = []
    }

    private var watches: [String: Watch] = [:]
    private var last: UInt64 = 0

    func contains(_ name: String) -> Bool { watches[name] != nil }

    /// The unique name behind a watched name, as far as known.
    func owner(of name: String) -> String? { watches[name]?.owner }

    /// Begins to follow a name.
    ///
    /// - Parameters:
    ///   - name: The well-known name.
    ///   - sender: The sender of its signals, which is given its owner.
    ///   - match: The rule by which the bus reports its changes.
    func begin(_ name: String, _ sender: SignalSender, _ match: MatchID) {
        watches[name] = Watch(sender: sender, match: match)
    }

    /// Adds a handler of a followed name's changes.
    func add(_ handler: @escaping (NameOwnerChange) -> Void, to name: String) -> NameWatchID {
        last += 1
        watches[name]?.handlers.append((last, handler))
        return NameWatchID(name: name, value: last)
    }

    /// Removes a handler.
    ///
    /// - Returns: The rule of the name, which is not followed any more, if this was its last handler.
    func remove(_ id: NameWatchID) -> MatchID? {
        watches[id.name]?.handlers.removeAll { $0.id == id.value }
        guard let watch = watches[id.name], watch.handlers.isEmpty else { return nil }
        watches[id.name] = nil
        watch.sender.owner = nil
        return watch.match
    }

    func removeAll() { watches = [:] }

    /// The bus refuses to report changes of a name's owner.
    func refused(_ name: String, _ error: DBusError) { watches[name]?.failure = error }

    /// The bus has answered who owns a name; nil without an owner.
    func answered(_ name: String, _ result: Result<Message, DBusError>) -> Result<String?, DBusError> {
        if let failure = watches[name]?.failure { return .failure(failure) }
        do throws(DBusError) {
            let owner = try result.get().body(expecting: "s").first?.stringValue
            watches[name]?.owner = owner
            return .success(owner)
        } catch {
            guard error.remoteName == ErrorName.nameHasNoOwner else { return .failure(error) }
            watches[name]?.owner = nil
            return .success(nil)
        }
    }

    private static let daemonPath = Array(BusDaemon.path.utf8)
    private static let daemonName = Array(BusDaemon.name.utf8)
    private static let nameOwnerChanged = Array("NameOwnerChanged".utf8)

    /// Whether a signal is the bus's report that a name has another owner.
    static func isOwnerChange(_ frame: Frame) -> Bool {
        frame.has(.path, daemonPath) && frame.has(.sender, daemonName) && frame.has(.member, nameOwnerChanged)
    }

    /// Hands a change to its handlers.
    ///
    /// - Returns: Whether it is one of a followed name.
    func receive(_ message: Message) -> Bool {
        guard let body = try? message.body(expecting: "sss"), let name = body[0].stringValue,
            let handlers = watches[name]?.handlers
        else { return false }
        let change = NameOwnerChange(
            name: name, previous: body[1].stringValue.flatMap { $0.isEmpty ? nil : $0 },
            owner: body[2].stringValue.flatMap { $0.isEmpty ? nil : $0 })
        watches[name]?.owner = change.owner
        for handler in handlers {
            // An earlier handler may have removed a later one.
            guard watches[name]?.handlers.contains(where: { $0.id == handler.id }) == true else { continue }
            handler.body(change)
        }
        return true
    }
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
        if !names.contains(name) {
            let match = addMatch(rule) { [names] in
                if case .failure(let error) = $0 { names.refused(name, error) }
            }
            names.begin(name, router.sender(named: name), match)
        }
        let id = names.add(handler, to: name)
        callDaemon("GetNameOwner", [.string(name)]) { [weak self] result in
            ready(self?.names.answered(name, result) ?? .failure(.disconnected))
        }
        return id
    }

    /// Ends a watch. Loop only.
    package func unwatchName(_ id: NameWatchID) {
        loop.preconditionOnLoop()
        if let match = names.remove(id) { removeMatch(match) }
    }

    /// The unique name behind a watched name, as far as known. Loop only.
    package func owner(of name: String) -> String? {
        loop.preconditionOnLoop()
        return names.owner(of: name)
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
}
#endif
