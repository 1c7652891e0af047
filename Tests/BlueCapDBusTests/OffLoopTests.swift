// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
@testable import BlueCapDBus
import BlueCapLoop
import BlueCapPlatform
import BlueCapPrivateBus
import Testing

/// Everything of a connection that belongs to its loop traps elsewhere, each in a process of its own.
@Suite(.timeLimit(.minutes(60)))
struct OffLoopTests {
    @Test(arguments: LoopOnly.allCases)
    func `a call of a connection does not trap on its loop, and traps elsewhere`(_ entry: LoopOnly) async throws {
        let observed: [any PartialKeyPath<ExitTest.Result> & Sendable] = [
            \.standardOutputContent, \.standardErrorContent,
        ]
        let exit = await #expect(processExitsWith: .failure, observing: observed) { [entry] in
            let things = try await LoopOnly.Things()
            try await things.loop.run { try entry.use(things) }
            await things.connection.close()
            await things.loop.stop()
            print("used on the loop")
            fflush(nil)
            try entry.use(await LoopOnly.Things())
        }
        let result = try #require(exit)
        let (output, errors) = (
            String(decoding: result.standardOutputContent, as: UTF8.self),
            String(decoding: result.standardErrorContent, as: UTF8.self)
        )
        #expect(output.contains("used on the loop"), "\(errors)")
        #expect(
            errors.contains(entry == .assumeIsolated ? "Incorrect actor executor" : "must be called on the event loop"))
    }
}

/// The methods that are for the loop alone.
enum LoopOnly: String, CaseIterable, Codable, Sendable {
    case assumeIsolated
    case open, uniqueName, isOpen, endCause, onDisconnect, addEndHandler, removeEndHandler, isSaturated, metrics
    case call, cancelCall, send, close
    case addMatch, removeMatch, matchCount, onSignal, onPropertiesChanged, removeHandler
    case watchName, unwatchName, owner, requestName, releaseName
    case export, exportHandler, unexport, exportObjectManager, unexportObjectManager, isExported
    case emitSignal, emitPropertiesChanged

    /// The objects that the calls are made on.
    struct Things: Sendable {
        let bus: FakeBus
        let loop: EventLoop
        let connection: BusConnection
        let match: MatchID
        let handler: SignalHandlerID
        let nameWatch: NameWatchID

        init() async throws {
            bus = try FakeBus { client in
                client.welcome()
                while let call = client.readMessage() { client.answer(call) }
            }
            let loop = try EventLoop()
            self.loop = loop
            connection = try await BusConnection.open(BusAddress(bus.address), on: loop)
            let link = connection.link
            (match, handler, nameWatch) = try await loop.run { () throws(DBusError) in
                (
                    link.addMatch(try MatchRule(sender: "a.b")),
                    link.onSignal(.all) { _ in },
                    try link.watchName("a.b", handler: { _ in })
                )
            }
        }
    }

    private static func message() throws(DBusError) -> Message {
        try .methodCall(to: "a.b", path: "/", interface: nil, member: "C")
    }

    func use(_ things: Things) throws {
        let (loop, link) = (things.loop, things.connection.link)
        let path = "/a"
        switch self {
        case .assumeIsolated: things.connection.assumeIsolated { _ in }
        case .open: BusLink.open(try BusAddress("unix:path=/nonexistent"), on: loop) { _ in }
        case .uniqueName: _ = link.uniqueName
        case .isOpen: _ = link.isOpen
        case .endCause: _ = link.endCause
        case .onDisconnect: link.onDisconnect {}
        case .addEndHandler: _ = link.addEndHandler {}
        case .removeEndHandler: link.removeEndHandler(0)
        case .isSaturated: _ = link.isSaturated
        case .metrics: _ = link.metrics
        case .call: link.call(try Self.message()) { _ in }
        case .cancelCall: link.cancel(CallID(value: 0))
        case .send: try link.send(try Self.message())
        case .close: link.close()
        case .addMatch: link.addMatch(try MatchRule(sender: "a.c"))
        case .removeMatch: link.removeMatch(things.match)
        case .matchCount: _ = link.matchCount
        case .onSignal: link.onSignal(.all) { _ in }
        case .onPropertiesChanged: link.onPropertiesChanged(.all, sender: "a.b") { _ in }
        case .removeHandler: link.removeHandler(things.handler)
        case .watchName: try link.watchName("a.c", handler: { _ in })
        case .unwatchName: link.unwatchName(things.nameWatch)
        case .owner: _ = link.owner(of: "a.b")
        case .requestName: link.requestName("a.c") { _ in }
        case .releaseName: link.releaseName("a.c")
        case .export: try link.export([ExportedInterface("a.b")], at: path)
        case .exportHandler: try link.export(at: path) { $0.reply() }
        case .unexport: link.unexport(at: path)
        case .exportObjectManager: try link.exportObjectManager(at: path)
        case .unexportObjectManager: link.unexportObjectManager(at: path)
        case .isExported: _ = link.isExported(path)
        case .emitSignal: try link.emitSignal(at: path, interface: "a.b", member: "C")
        case .emitPropertiesChanged: try link.emitPropertiesChanged(at: path, interface: "a.b", changed: [:])
        }
    }
}
#endif
